import { configureSync, type LogLevel, type LogRecord, type Sink } from "@logtape/logtape";
import type { Settings } from "../settings.ts";
import { accessCategory } from "./access-log.ts";
import { jsonAccessLine, jsonLine, type LogFormat, prettyAccessLine, prettyLine } from "./format.ts";

/** Where log lines go, and what stands behind it. */
export interface LogOutput {
  /** Takes one or more whole lines. */
  readonly write: (lines: string) => void;
  /** A terminal: `auto` is then readable for a person. */
  readonly terminal: boolean;
  /** Whether the terminal shows colours. */
  readonly colours: boolean;
}

/**
 * LogTape copies the properties of each record for sinks that might keep it, which is half the cost of an access line.
 * It knows its own sinks that keep nothing by this symbol; where it does not, the copy is made and nothing else changes.
 */
const keepsNothing = Symbol.for("LogTape.sinkSnapshotPolicy.immediate");

/** Sets up LogTape for the whole process: the service's log, and its access log when that is on. */
export function setUpLogging(
  settings: Pick<Settings, "logLevel" | "logFormat" | "accessLog">,
  output: LogOutput,
): void {
  const pretty = settings.logFormat === "pretty" || (settings.logFormat === "auto" && output.terminal);
  const sink = (format: LogFormat): Sink =>
    Object.assign((record: LogRecord) => output.write(format(record)), { [keepsNothing]: true });
  const level: LogLevel | null = settings.logLevel === "off" ? null : settings.logLevel;
  configureSync({
    reset: true,
    sinks: {
      log: sink(pretty ? prettyLine(output.colours) : jsonLine),
      access: sink(pretty ? prettyAccessLine(output.colours) : jsonAccessLine),
    },
    loggers: [
      { category: ["kinora"], sinks: ["log"], lowestLevel: level },
      {
        category: [...accessCategory],
        sinks: ["access"],
        parentSinks: "override",
        lowestLevel: settings.accessLog ? level : null,
      },
      // LogTape's own: only what went wrong with logging itself.
      { category: ["logtape", "meta"], sinks: ["log"], lowestLevel: "warning" },
    ],
  });
}
