/** Quotes, backslashes, control characters, lone surrogates. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\u{10ffff}]/u;

/** A text in JSON quotes. Lone surrogates become escapes, so that the answer is valid UTF-8. */
export function quoteJson(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}
