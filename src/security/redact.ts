import type { PluginLog } from "../plugin/contract.ts";

/** Replaces secrets in a text that is about to be printed. */
export type Redact = (text: string) => string;

/** Shorter texts are too common to be told from others. */
const shortestSecret = 3;

export function createRedact(secrets: Iterable<string>): Redact {
  const hidden = [...new Set(secrets)].filter(({ length }) => length >= shortestSecret);
  hidden.sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, "…"), text);
}

/** The message of whatever was thrown, secrets replaced. */
export function reasonOf(error: unknown, redact: Redact): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return redact(text).slice(0, 500);
}

/** A log that replaces secrets in messages and in texts of properties. */
export function redactLog(log: PluginLog, redact: Redact): PluginLog {
  const clean = (properties?: Readonly<Record<string, unknown>>) =>
    properties &&
    Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, typeof value === "string" ? redact(value) : value]),
    );
  return {
    debug: (message, properties) => log.debug(redact(message), clean(properties)),
    info: (message, properties) => log.info(redact(message), clean(properties)),
    warn: (message, properties) => log.warn(redact(message), clean(properties)),
    error: (message, properties) => log.error(redact(message), clean(properties)),
  };
}
