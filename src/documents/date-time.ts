const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** What XML Schema calls a dateTime has no year 0, and four digits are enough for anybody's archive. */
const earliest = Date.parse("0001-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");
const day = 86_400_000;

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
  const [, year, month, date, hour, minute, second = "0", fraction = "", zone = "Z"] = parts;
  const midnight = midnightOf(Number(year), Number(month), Number(date));
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const time = seconds * 1000 + Number(fraction.padEnd(3, "0").slice(0, 3));
  // 24:00:00 is the end of the day; later there is none.
  if (Number(minute) > 59 || Number(second) > 59 || time > day) return Number.NaN;
  const epoch = midnight + time - offsetOf(zone);
  return epoch >= earliest && epoch <= latest ? epoch : Number.NaN;
}

/** `NaN` for a day that the calendar does not have, which Date would carry over to the next month. */
function midnightOf(year: number, month: number, date: number): number {
  const found = new Date(0);
  // Unlike Date.UTC this reads the years 1 to 99 as they stand.
  const midnight = found.setUTCFullYear(year, month - 1, date);
  return found.getUTCMonth() === month - 1 && found.getUTCDate() === date ? midnight : Number.NaN;
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
  return Number.isNaN(epoch) ? undefined : new Date(epoch).toISOString();
}

/** The in-memory form as XML has it: `2024-03-05T10:11:12.345+00:00`. */
export function dateTimeInXml(text: string): string {
  return text.endsWith("Z") ? `${text.slice(0, -1)}+00:00` : text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
}

/** The in-memory form as JSON has it: `2024-03-05T10:11:12.345+0000`. */
export function dateTimeInJson(text: string): string {
  return text.endsWith("Z") ? `${text.slice(0, -1)}+0000` : text.replace(/([+-]\d\d):(\d\d)$/, "$1$2");
}
