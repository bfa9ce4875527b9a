/**
 * Numbers as texts that sort as the numbers do, whatever their size: `n` for zero, `p` and the exponent and the digits
 * for positive ones, and for negative ones the same turned round. `1920` is `p503192`.
 *
 * The beginning of such a text is a cell: all numbers of one sign, of one power of ten, with one first digit, and so on.
 */
const exponentOffset = 500;
const decimal = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Ends the digits of negative numbers, behind every digit. */
export const negativeEnd = "~";

/** The ordered form of a decimal number of any precision; `undefined` for a text that is none. */
export function orderedNumber(text: string): string | undefined {
  const match = decimal.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  if (whole === "" && fraction === "" && !/\d/.test(text)) return undefined;
  const all = `${whole}${fraction}`;
  const digits = all.replace(/^0+/, "").replace(/0+$/, "");
  if (digits === "") return "n";
  const leadingZeros = all.length - all.replace(/^0+/, "").length;
  const power = Number(exponent) + whole.length - 1 - leadingZeros + exponentOffset;
  if (power < 0 || power > 999) return undefined;
  if (sign === "-") return `m${pad(999 - power)}${complement(digits)}${negativeEnd}`;
  return `p${pad(power)}${digits}`;
}

/** The number of an ordered form, as a decimal text. */
export function numberOf(ordered: string): string {
  if (ordered === "n") return "0";
  const negative = ordered.startsWith("m");
  const digits = negative ? complement(ordered.slice(4, -1)) : ordered.slice(4);
  const power = (negative ? 999 - Number(ordered.slice(1, 4)) : Number(ordered.slice(1, 4))) - exponentOffset;
  return `${negative ? "-" : ""}${plain(digits, power)}`;
}

function plain(digits: string, power: number): string {
  if (power < 0) return power < -7 ? `${digits}e${power - digits.length + 1}` : `0.${"0".repeat(-power - 1)}${digits}`;
  if (digits.length <= power + 1)
    return power > 25 ? `${digits}e${power - digits.length + 1}` : digits.padEnd(power + 1, "0");
  return `${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
}

function pad(power: number): string {
  return String(power).padStart(3, "0");
}

function complement(digits: string): string {
  let turned = "";
  for (const digit of digits) turned += 9 - Number(digit);
  return turned;
}
