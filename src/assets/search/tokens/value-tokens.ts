import { encodeExact } from "./exact-token.ts";
import { type IndexField, orderedFormOf, orderedValue } from "./field-analysis.ts";
import { negativeEnd } from "./ordered-number.ts";
import { fieldToken } from "./token.ts";
import { wordsOf } from "./words.ts";

/** What full-text words of an entity begin with; entities that are searched together share it. */
export type WordPrefix = `${string}.`;

export const assetWords: WordPrefix = ".";

/**
 * Adds the tokens of one value. Words stand in their order, so that phrases are found; the last token of each value is
 * no word, so that no phrase goes over two values.
 */
export function addValueTokens(
  tokens: string[],
  field: IndexField,
  text: string,
  prefix: WordPrefix = assetWords,
): void {
  const { key, analysis } = field;
  if (analysis === "words") {
    const words = wordsOf(text);
    if (field.fullText) for (const word of words) tokens.push(prefix + word);
    for (const word of words) tokens.push(fieldToken.word(key, word));
  } else if (analysis === "exact" || analysis === "boolean") {
    if (field.fullText) for (const word of wordsOf(text)) tokens.push(prefix + word);
    tokens.push(fieldToken.exact(key, encodeExact(text)));
  } else {
    addOrderedTokens(tokens, field, text);
  }
  tokens.push(fieldToken.any(key));
}

function addOrderedTokens(tokens: string[], field: IndexField, text: string): void {
  const form = orderedFormOf(field.analysis);
  const ordered = orderedValue(field.analysis, text);
  if (form === undefined || ordered === undefined) return;
  const digits = ordered.endsWith(negativeEnd) ? ordered.length - 1 : ordered.length;
  for (const length of form.cells) {
    if (length <= digits) tokens.push(fieldToken.cell(field.key, ordered.slice(0, length)));
  }
  tokens.push(fieldToken.whole(field.key, ordered));
}
