/** Anything but the characters of XML 1.0 (its production 2): other control characters, lone surrogates. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const forbiddenAll = new RegExp(forbidden.source, "gu");

/**
 * Text that can stand as it is has none of these. They are kept simple, for speed: all surrogates are among them, and
 * what follows looks closer.
 */
const special = /[^\t\n !-%'-;=?-\ud7ff\ue000-\ufffd]/;
const specialInAttribute = /[^ !#-%'-;=?-\ud7ff\ue000-\ufffd]/;

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** The index of the first character that XML 1.0 cannot hold, or -1. */
export function forbiddenCharacterAt(text: string): number {
  return text.search(forbidden);
}

/**
 * Text as element content. What XML 1.0 cannot hold becomes U+FFFD: input with such characters is refused, so only
 * data from elsewhere (media files, directories) can have them, and an answer must stay readable.
 */
export function escapeText(text: string): string {
  return special.test(text)
    ? text.replace(forbiddenAll, "\ufffd").replace(/[&<>\r]/g, (character) => references[character] ?? character)
    : text;
}

/** Text as the value of an attribute in double quotes; otherwise as {@link escapeText}. */
export function escapeAttribute(text: string): string {
  return specialInAttribute.test(text)
    ? text.replace(forbiddenAll, "\ufffd").replace(/[&<>"\t\n\r]/g, (character) => references[character] ?? character)
    : text;
}
