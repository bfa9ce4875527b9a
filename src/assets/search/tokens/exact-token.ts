import { cut } from "./words.ts";

/**
 * A whole value as one token of the index. The tokenizer of the index folds A-Z and ends a token at white space and
 * control characters, so those are written as two characters. The encoding keeps the order of code points and keeps
 * prefixes: what begins with `ab` is encoded to what begins with the encoding of `ab`.
 */

/** Longer values are told apart by a hash of the rest. */
export const longestExact = 400;
const hashMark = "~~";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what has to be found
const special = /[\x00-!A-`~\x7f]/g;
const loneSurrogate = /\p{Surrogate}/gu;

/** First characters of the pairs, by the block of ASCII that they stand for; second characters start at `!`. */
const controls = "!";
const capitals = "[";

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return controls + String.fromCharCode(0x21 + code);
  if (code === 0x20) return `${controls}[`;
  if (code === 0x21) return `${controls}a`;
  if (code <= 0x60) return capitals + String.fromCharCode(0x21 + code - 0x41);
  return code === 0x7e ? "~!" : '~"';
}

function decodePair(pair: string): string {
  const second = pair.charCodeAt(1);
  if (pair.startsWith(capitals)) return String.fromCharCode(second - 0x21 + 0x41);
  if (pair.startsWith("~")) return second === 0x21 ? "~" : "\x7f";
  if (second === 0x5b) return " ";
  return second === 0x61 ? "!" : String.fromCharCode(second - 0x21);
}

/** The beginning of a value as the beginning of a token, for searches by prefix. */
export function encodePrefix(text: string): string {
  return text.replace(loneSurrogate, "\ufffd").replace(special, encodeCharacter);
}

export function encodeExact(text: string): string {
  if (text.length <= longestExact) return encodePrefix(text);
  return `${encodePrefix(cut(text, longestExact))}${hashMark}${hash(text)}`;
}

/** The value of a token; of a value that was too long, its beginning and `…`. */
export function decodeExact(token: string): string {
  const end = token.lastIndexOf(hashMark);
  const whole = end < 0 ? token : token.slice(0, end);
  const text = whole.replace(/[[!~][\s\S]/g, decodePair);
  return end < 0 ? text : `${text}…`;
}

/** 53 bits that spread well; equal texts have equal ones. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
