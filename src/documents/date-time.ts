const pattern = /^(-?\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * The date-time of epoch milliseconds, as documents hold it in memory: UTC with milliseconds,
 * `2024-03-05T10:11:12.345Z`. Absent stays absent.
 */
export function fromEpoch(milliseconds: number): string;
export function fromEpoch(milliseconds: number | null | undefined): string | undefined;
export function fromEpoch(milliseconds: number | null | undefined): string | undefined {
  return milliseconds === undefined || milliseconds === null ? undefined : new Date(milliseconds).toISOString();
}

/** The epoch milliseconds of a date-time in any form that {@link parseDateTime} takes; `NaN` for anything else. */
export function toEpoch(text: string): number {
  const parts = pattern.exec(text);
  if (parts === null) return Number.NaN;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "0", fraction = "", zone = "Z"] = parts;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const at = new Date(date);
  // Date.UTC carries 31 February over to March; and it reads the years 0 to 99 as 1900 and later.
  if (at.getUTCFullYear() !== Number(year) || at.getUTCMonth() !== Number(month) - 1) return Number.NaN;
  const time = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 59 || time > 86_400) return Number.NaN;
  return date + time * 1000 + Number(`${fraction}000`.slice(0, 3)) - offsetOf(zone);
}

/** Milliseconds that a zone is ahead of UTC; `NaN` when it is none. */
function offsetOf(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 14 || minutes > 59) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/**
 * Reads a date-time: `Z`, `+01:00`, `+0100` or `+01` behind it, or nothing for UTC; a fraction of any length is cut to
 * milliseconds. The result is the in-memory form; `undefined` for anything else.
 */
export function parseDateTime(text: string): string | undefined {
  const epoch = toEpoch(text);
  // The pattern allows years that Date does not have.
  return Number.isNaN(epoch) || Math.abs(epoch) > 8.64e15 ? undefined : new Date(epoch).toISOString();
}

/** The in-memory form as XML has it: `2024-03-05T10:11:12.345+00:00`. */
export function dateTimeInXml(text: string): string {
  if (text.endsWith("Z")) return `${text.slice(0, -1)}+00:00`;
  return text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
}

/** The in-memory form as JSON has it: `2024-03-05T10:11:12.345+0000`. */
export function dateTimeInJson(text: string): string {
  if (text.endsWith("Z")) return `${text.slice(0, -1)}+0000`;
  return text.replace(/([+-]\d\d):(\d\d)$/, "$1$2");
}
