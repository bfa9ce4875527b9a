import type { LogRecord } from "@logtape/logtape";
import { plainValue } from "./plain.ts";
import { redactText } from "./redact.ts";

/** One record as one line, with the line break. */
export type LogFormat = (record: LogRecord) => string;

/** One JSON object a line: `time`, `level`, `logger`, `message`, then the properties. */
export const jsonLine: LogFormat = (record) => {
  const properties = plainValue(record.properties) as Record<string, unknown>;
  const line = JSON.stringify({ ...head(record), message: messageOf(record), ...withoutHead(properties) });
  return `${line}\n`;
};

/** An access record as JSON: its properties are flat and redacted already, so nothing is looked at twice. */
export const jsonAccessLine: LogFormat = (record) => {
  const head = `"time":"${timeOf(record)}","level":"${record.level}","logger":"${record.category.join(".")}"`;
  const message = JSON.stringify(record.rawMessage);
  return `{${head},"message":${message},${JSON.stringify(record.properties).slice(1)}\n`;
};

/** A line for a person, in colours when asked for. */
export function prettyLine(colours: boolean): LogFormat {
  const paint = painter(colours);
  return (record) => {
    const properties = Object.entries(plainValue(record.properties) as Record<string, unknown>);
    const errors = properties.flatMap(([, value]) => stackOf(value));
    const values = properties.map(([name, value]) => paint("dim", `${name}=${shown(value)}`));
    const logger = record.category.slice(1).join(".");
    const parts = [prettyHead(record, paint), logger && paint("dim", `${logger}:`), printable(messageOf(record))];
    return `${[...parts, ...values].filter(Boolean).join(" ")}\n${errors.map((stack) => `${stack}\n`).join("")}`;
  };
}

/** `08:12:27.123 info  GET /API/whoami 200 1.2 ms admin 127.0.0.1 <request id>` */
export function prettyAccessLine(colours: boolean): LogFormat {
  const paint = painter(colours);
  return (record) => {
    const { method, path, status, durationMs, user, runAs, requestId, address } = record.properties;
    const who = user === undefined ? "-" : runAs === undefined ? String(user) : `${user} as ${runAs}`;
    const colour = Number(status) >= 500 ? "error" : Number(status) >= 400 ? "warning" : "info";
    const what = `${printable(`${method} ${path}`)} ${paint(colour, String(status))} ${durationMs} ms`;
    const rest = paint("dim", printable(`${who} ${address ?? "-"} ${requestId}`));
    return `${prettyHead(record, paint)} ${what} ${rest}\n`;
  };
}

function head(record: LogRecord): Record<string, unknown> {
  return {
    time: timeOf(record),
    level: record.level,
    logger: record.category.join("."),
  };
}

let lastTime = { timestamp: 0, text: "" };

/** ISO time; under load many records share a millisecond, and the text of it is made once. */
function timeOf({ timestamp }: LogRecord): string {
  if (lastTime.timestamp !== timestamp) lastTime = { timestamp, text: new Date(timestamp).toISOString() };
  return lastTime.text;
}

function withoutHead(properties: Record<string, unknown>): Record<string, unknown> {
  const { time: _time, level: _level, logger: _logger, message: _message, ...rest } = properties;
  return rest;
}

function messageOf(record: LogRecord): string {
  const raw = record.rawMessage;
  return redactText(typeof raw === "string" ? raw : raw.join("…"));
}

type Paint = (style: string, text: string) => string;

function painter(colours: boolean): Paint {
  const codes: Readonly<Record<string, string>> = {
    dim: "2",
    debug: "90",
    info: "32",
    warning: "33",
    error: "31",
    fatal: "35",
  };
  return (style, text) => (colours ? `\x1b[${codes[style] ?? "0"}m${text}\x1b[0m` : text);
}

function prettyHead(record: LogRecord, paint: Paint): string {
  const time = timeOf(record).slice(11, 23);
  return `${paint("dim", time)} ${paint(record.level, record.level.padEnd(7))}`;
}

/** A value on one line; an error as its message, its stack follows below. */
function shown(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? printable(value) : JSON.stringify(value);
  if (stackOf(value).length > 0) return JSON.stringify((value as { readonly message: string }).message);
  return JSON.stringify(value);
}

function stackOf(value: unknown): readonly string[] {
  if (value === null || typeof value !== "object" || !("stack" in value) || typeof value.stack !== "string") return [];
  const cause = "cause" in value ? stackOf(value.cause).map((stack) => `caused by ${stack}`) : [];
  return [value.stack.split("\n").map(printable).join("\n"), ...cause];
}

/** Control characters, which a hostile path may bring, are shown and not obeyed. */
function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a terminal
    /[\x00-\x1f\x7f-\x9f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
