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
