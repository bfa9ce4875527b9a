/**
 * A text as the value of an attribute in a distinguished name (RFC 4514 §2.4): whatever it contains, the name has one
 * value more and no other part.
 */
export function escapeDnValue(text: string): string {
  const last = text.length - 1;
  const escaped = Array.from({ length: text.length }, (_, at) => {
    const character = text.charAt(at);
    if (character === "\0") return "\\00";
    const special =
      /[\\",+<>;=]/.test(character) ||
      (character === "#" && at === 0) ||
      (character === " " && (at === 0 || at === last));
    return special ? `\\${character}` : character;
  });
  return escaped.join("");
}

/** A text as the value in a search filter (RFC 4515 §3): it matches itself alone. */
export function escapeFilterValue(text: string): string {
  return text.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/**
 * Puts escaped texts in the places `{0}`, `{1}` … of a template. A placeholder inside a text that is put in stays as it
 * is; one without a text is left alone.
 */
export function fillTemplate(template: string, texts: readonly string[], escaped: (text: string) => string): string {
  return template.replace(/\{(\d)\}/g, (placeholder, digit: string) => {
    const text = texts[Number(digit)];
    return text === undefined ? placeholder : escaped(text);
  });
}
