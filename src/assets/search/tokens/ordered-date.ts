/** Moments as texts that sort as they follow each other: 17 digits, year to millisecond, in UTC. */
const length = 17;
const separators = /[^0-9]/g;

/** The ordered form of `2024-03-05T10:11:12.345Z`. */
export function orderedDate(iso: string): string {
  return iso.replace(separators, "").slice(0, length);
}

/** The moment of an ordered form, as documents write it. */
export function dateOf(ordered: string): string {
  const at = (from: number, to: number) => ordered.slice(from, to);
  return `${at(0, 4)}-${at(4, 6)}-${at(6, 8)}T${at(8, 10)}:${at(10, 12)}:${at(12, 14)}.${at(14, 17)}Z`;
}

export function isWholeDate(ordered: string): boolean {
  return ordered.length === length;
}

/** The moment a millisecond before or behind, or the same where time as documents write it ends. */
export function nextDate(ordered: string, step: 1 | -1): string {
  const next = new Date(Date.parse(dateOf(ordered)) + step).toISOString();
  return /^\d{4}-/.test(next) ? orderedDate(next) : ordered;
}

/** The first moment whose ordered form begins so. */
export function firstDate(beginning: string): string {
  if (beginning.length <= 4) return `${beginning.padEnd(4, "0")}0101000000000`;
  const month = beginning.length === 5 ? `${beginning}${beginning.endsWith("0") ? 1 : 0}` : beginning;
  if (month.length === 6) return `${month}01000000000`;
  const day = month.length === 7 ? `${month}${month.endsWith("0") ? 1 : 0}` : month;
  return day.padEnd(length, "0");
}

/** The last moment whose ordered form begins so. */
export function lastDate(beginning: string): string {
  if (beginning.length <= 4) return `${beginning.padEnd(4, "9")}1231235959999`;
  const month = beginning.length === 5 ? `${beginning}${beginning.endsWith("0") ? 9 : 2}` : beginning;
  if (month.length <= 7) {
    const days = daysOf(Number(month.slice(0, 4)), Number(month.slice(4, 6)));
    const day = month.length === 6 ? days : Math.min(days, Number(`${month.slice(6)}9`));
    return `${month.slice(0, 6)}${String(day).padStart(2, "0")}235959999`;
  }
  const hour = month.length === 9 ? `${month}${month.endsWith("2") ? 3 : 9}` : month;
  return hour + "99999999235959999".slice(hour.length);
}

function daysOf(year: number, month: number): number {
  const date = new Date(0);
  // The day before the first of the month behind; unlike Date.UTC this reads the years 1 to 99 as they stand.
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
