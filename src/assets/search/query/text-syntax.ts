import { KinoraError } from "../../../errors.ts";
import { wordsOf } from "../tokens/words.ts";
import { anyCharacter, anything, type Pattern } from "./criterion.ts";

/** A text query: what must be found, before it is known in which field. */
export type TextQuery =
  | { readonly is: "nothing" }
  | { readonly is: "any" }
  | { readonly is: "word"; readonly word: string }
  | { readonly is: "phrase"; readonly words: readonly string[]; readonly open: boolean }
  | { readonly is: "pattern"; readonly pattern: Pattern }
  | { readonly is: "fuzzy"; readonly word: string; readonly edits: number }
  /** Counts so many times as much when hits are sorted by relevance. */
  | { readonly is: "boosted"; readonly by: number; readonly of: TextQuery }
  | { readonly is: "and" | "or"; readonly of: readonly TextQuery[] }
  | { readonly is: "not"; readonly of: TextQuery };

/** A character of a term; `literal` for one that stood behind a backslash. */
interface TermCharacter {
  readonly text: string;
  readonly literal: boolean;
}

/**
 * Reads the text of a query in the default syntax: words of which any may be found; `*` in a word stands for any
 * characters; all of it in double quotes is a phrase; a backslash takes the meaning from the next character. Everything
 * else is data.
 */
export function readPlainText(text: string): TextQuery {
  const trimmed = text.trim();
  if (/^"[^"]+"$/.test(trimmed)) return phraseOf(trimmed.slice(1, -1));
  return anyOf(splitTerms(trimmed).map((term) => readTerm(term, { question: false })));
}

/** The phrase of the words of a text. */
export function phraseOf(text: string): TextQuery {
  return wordsInRow(wordsOf(text), false);
}

export function anyOf(parts: readonly TextQuery[]): TextQuery {
  const found = parts.filter((part) => part.is !== "nothing");
  const [first] = found;
  if (first === undefined) return { is: "nothing" };
  return found.length === 1 ? first : { is: "or", of: found };
}

function wordsInRow(words: readonly string[], open: boolean): TextQuery {
  const [first] = words;
  if (first === undefined) return { is: "nothing" };
  if (words.length === 1 && !open) return { is: "word", word: first };
  return { is: "phrase", words, open };
}

function splitTerms(text: string): readonly (readonly TermCharacter[])[] {
  const terms: TermCharacter[][] = [];
  let term: TermCharacter[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === "\\" && next !== "") {
      term.push({ text: next, literal: true });
      index++;
    } else if (/\s/.test(character)) {
      if (term.length > 0) terms.push(term);
      term = [];
    } else {
      term.push({ text: character, literal: false });
    }
  }
  if (term.length > 0) terms.push(term);
  return terms;
}

/** More wildcards in one term than anybody needs; keeps matching cheap. */
const mostWildcards = 8;

/** One term: a word, words in a row, a beginning, or a pattern. */
export function readTerm(characters: readonly TermCharacter[], options: { readonly question: boolean }): TextQuery {
  const pattern = patternOf(characters, options.question);
  const wildcards = pattern.filter((part) => typeof part !== "string").length;
  if (wildcards === 0) return wordsInRow(wordsOf(pattern.join("")), false);
  checkWildcards(wildcards);
  if (pattern.every((part) => part === anything)) return { is: "any" };
  const last = pattern.at(-1);
  const [first] = pattern;
  if (wildcards === 1 && last === anything && typeof first === "string" && endsInWord(first)) {
    return wordsInRow(wordsOf(first), true);
  }
  const folded = pattern.map((part) => (typeof part === "string" ? wordsOf(part).join("") : part));
  return { is: "pattern", pattern: tidyPattern(folded) };
}

export function checkWildcards(wildcards: number): void {
  if (wildcards <= mostWildcards) return;
  throw new KinoraError("invalid-input", {
    context: "search",
    explanation: `A value has ${wildcards} wildcards; ${mostWildcards} are allowed`,
  });
}

function endsInWord(text: string): boolean {
  return /[\p{L}\p{M}\p{N}]$/u.test(text);
}

/** Literal texts and wildcards of a term. */
export function patternOf(characters: readonly TermCharacter[], question: boolean): Pattern {
  const parts: (string | typeof anything | typeof anyCharacter)[] = [];
  for (const { text, literal } of characters) {
    if (!literal && text === "*") parts.push(anything);
    else if (!literal && question && text === "?") parts.push(anyCharacter);
    else parts.push(text);
  }
  return tidyPattern(parts);
}

/** Neighbouring texts as one, neighbouring `*` as one, no empty texts. */
function tidyPattern(parts: Pattern): Pattern {
  const tidy: (string | typeof anything | typeof anyCharacter)[] = [];
  for (const part of parts) {
    const last = tidy.at(-1);
    if (part === "" || (part === anything && last === anything)) continue;
    if (typeof part === "string" && typeof last === "string") tidy[tidy.length - 1] = last + part;
    else tidy.push(part);
  }
  return tidy;
}

/** A whole text as one term. */
export function wholeTerm(text: string): readonly TermCharacter[] {
  const characters: TermCharacter[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const escaped = character === "\\" && index + 1 < text.length;
    if (escaped) index++;
    characters.push({ text: text.charAt(index), literal: escaped });
  }
  return characters;
}
