import { isSecretName, redacted, redactText } from "./redact.ts";

const deepest = 6;
const mostEntries = 100;
const longestText = 8000;

/** A value of a log record as plain JSON: bounded, without cycles and without secrets. */
export function plainValue(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case "string":
      return redactText(value.length > longestText ? `${value.slice(0, longestText)}…` : value);
    case "bigint":
      return value.toString();
    case "symbol":
    case "function":
      return String(value).slice(0, 100);
    case "object":
      return value === null ? null : plainObject(value, depth);
    default:
      return value;
  }
}

function plainObject(value: object, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.byteLength} bytes`;
  if (depth >= deepest) return "…";
  if (value instanceof Error) return plainError(value, depth);
  if (value instanceof Map) return plainEntries([...value.entries()], depth);
  if (Array.isArray(value) || value instanceof Set) {
    const list = [...value];
    const shown = list.slice(0, mostEntries).map((entry) => plainValue(entry, depth + 1));
    return list.length > mostEntries ? [...shown, `… and ${list.length - mostEntries} more`] : shown;
  }
  return plainEntries(Object.entries(value), depth);
}

function plainEntries(entries: readonly (readonly [unknown, unknown])[], depth: number): Record<string, unknown> {
  const shown = entries.slice(0, mostEntries).map(([key, value]): [string, unknown] => {
    const name = String(key);
    return [name, isSecretName(name) && value !== undefined ? redacted : plainValue(value, depth + 1)];
  });
  return Object.fromEntries(shown);
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  const code = "code" in error ? error.code : undefined;
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: plainValue(error.cause, depth + 1) }),
  };
}
