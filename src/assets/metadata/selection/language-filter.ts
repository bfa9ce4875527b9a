/** Whether a value in a language, or in none, is shown. */
export type LanguageFilter = (language: string | undefined) => boolean;

/** Letters match in either case, and `_` is the same as `-`. */
function normalise(tag: string): string {
  return tag.toLowerCase().replaceAll("_", "-");
}

/** Whether a text matches a pattern in which `*` stands for any characters; linear in their product at worst. */
function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Reads a `language` parameter: tags with wildcards (`*_CA`), `none` for values without language, `all`. */
export function parseLanguageFilter(entries: readonly string[]): LanguageFilter | undefined {
  if (entries.length === 0 || entries.includes("all")) return undefined;
  const none = entries.includes("none");
  const patterns = entries.filter((entry) => entry !== "none").map(normalise);
  return (language) =>
    language === undefined ? none : patterns.some((pattern) => matchesWildcard(pattern, normalise(language)));
}
