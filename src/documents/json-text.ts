/** Quotes, backslashes, control characters, and for the sake of speed all surrogates. */
const mayNeedEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A text in JSON quotes. Lone surrogates become escapes, so that the answer is valid UTF-8. */
export function quoteJson(text: string): string {
  return mayNeedEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}
