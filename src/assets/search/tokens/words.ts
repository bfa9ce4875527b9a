/** Words longer than this are cut, in the index and in a search alike. */
export const longestWord = 255;

const asciiOnly = /^[\x20-\x7e\t\r\n]*$/;
const asciiWord = /[a-z0-9]+(?:'[a-z0-9]+)*/g;
/** Scripts that put no spaces between words: each character is a word, and a row of them is found as a phrase. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}])+(?:['’](?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}])+)*/gu;

/**
 * The words of a text, in their order: rows of letters and digits, in lower case and compatibility form (NFKC). An
 * apostrophe between letters joins and is dropped; everything else separates.
 */
export function wordsOf(text: string): readonly string[] {
  const ascii = asciiOnly.test(text);
  const folded = ascii ? text.toLowerCase() : text.normalize("NFKC").toLowerCase();
  const found = folded.match(ascii ? asciiWord : word);
  if (found === null) return [];
  for (let index = 0; index < found.length; index++) found[index] = tidy(found[index] as string);
  return found;
}

const anyWord = new RegExp(word.source, "giu");

function tidy(found: string): string {
  const joined = found.includes("'") || found.includes("’") ? found.replace(/['’]/g, "") : found;
  return joined.length > longestWord ? cut(joined, longestWord) : joined;
}

/** The beginning of a text, never ending within a surrogate pair. */
export function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** A word and where in the text it stands. */
export interface WordPlace {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text with their places, as {@link wordsOf} finds them. */
export function wordPlaces(text: string): readonly WordPlace[] {
  const places: WordPlace[] = [];
  for (const match of text.matchAll(anyWord)) {
    const start = match.index;
    const end = start + match[0].length;
    for (const found of wordsOf(match[0])) places.push({ word: found, start, end });
  }
  return places;
}
