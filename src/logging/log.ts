import { getLogger } from "@logtape/logtape";

/** A structured log. Messages are taken as they stand, values go into the properties. */
export interface Log {
  debug(message: string, properties?: Readonly<Record<string, unknown>>): void;
  info(message: string, properties?: Readonly<Record<string, unknown>>): void;
  warn(message: string, properties?: Readonly<Record<string, unknown>>): void;
  error(message: string, properties?: Readonly<Record<string, unknown>>): void;
}

/**
 * The log of one part of the service, for example `logOf("store")`. Nothing is written before the program set up
 * LogTape: the command line does, a program that embeds the service does as it likes (category `kinora`).
 */
export function logOf(...category: readonly string[]): Log {
  const logger = getLogger(["kinora", ...category]);
  return {
    debug: (message, properties = {}) => logger.debug(message, { ...properties }),
    info: (message, properties = {}) => logger.info(message, { ...properties }),
    warn: (message, properties = {}) => logger.warning(message, { ...properties }),
    error: (message, properties = {}) => logger.error(message, { ...properties }),
  };
}
