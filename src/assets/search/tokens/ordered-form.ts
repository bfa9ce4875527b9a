import { firstDate, isWholeDate, lastDate } from "./ordered-date.ts";
import { negativeEnd } from "./ordered-number.ts";

/** A kind of ordered text, and the lengths of beginnings (cells) that the index has tokens for. */
export interface OrderedForm {
  /** Lengths of cells, ascending. */
  readonly cells: readonly number[];
  /** A beginning of a length without a token, up to here, is taken apart into the cells below it. */
  readonly splitsBelow: number;
  /** Characters that may follow a beginning, ascending. */
  following(beginning: string): readonly string[];
  /** Whether a text can be a whole value. */
  isWhole(text: string): boolean;
  /** Whether `value` is the first, or before the first, that begins so. */
  isFirst(beginning: string, value: string): boolean;
  /** Whether `value` is the last, or behind the last, that begins so. */
  isLast(beginning: string, value: string): boolean;
}

const digits = [..."0123456789"];
const upTo = (last: number): readonly string[] => digits.slice(0, last + 1);
const digitsAndEnd = [...digits, negativeEnd];

/** Sign, power of ten, and three leading digits have cells. */
export const numberForm: OrderedForm = {
  cells: [1, 4, 5, 6, 7],
  splitsBelow: 0,
  following(beginning) {
    if (beginning === "") return ["m", "n", "p"];
    if (beginning === "n") return [];
    if (beginning.startsWith("p") || beginning.length < 5) return digits;
    return beginning.endsWith(negativeEnd) ? [] : digitsAndEnd;
  },
  isWhole(text) {
    if (text.startsWith("m")) return text.endsWith(negativeEnd);
    return text === "n" || text.length > 4;
  },
  // What goes on is behind what ends, except for negative numbers, whose end is a character behind all digits.
  isFirst: (beginning, value) => beginning === value && !value.startsWith("m"),
  isLast: (beginning, value) => value === beginning + negativeEnd,
};

const dateDigits: Readonly<Record<number, readonly string[]>> = {
  4: upTo(1),
  6: upTo(3),
  8: upTo(2),
  10: upTo(5),
  12: upTo(5),
};

/** Centuries, years, months and days have cells. */
export const dateForm: OrderedForm = {
  cells: [2, 4, 6, 8],
  splitsBelow: 8,
  following: (beginning) => (isWholeDate(beginning) ? [] : (dateDigits[beginning.length] ?? digits)),
  isWhole: isWholeDate,
  isFirst: (beginning, value) => value <= firstDate(beginning),
  isLast: (beginning, value) => value >= lastDate(beginning),
};
