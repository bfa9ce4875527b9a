/** Methods of HTTP and WebDAV that a chain may name. */
const methods: ReadonlySet<string> = new Set(
  (
    "GET HEAD POST PUT DELETE PATCH OPTIONS TRACE CONNECT " +
    "PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK REPORT SEARCH QUERY"
  ).split(" "),
);

/** Checks words that limit a filter to methods: only names of methods are right. */
export function checkMethodWords(words: readonly string[]): readonly string[] {
  return words
    .filter((word) => !methods.has(word.toUpperCase()))
    .map((word) =>
      word.toLowerCase() === "permissive"
        ? `"${word}" must be written permissive, in lower case`
        : `"${word}" is neither permissive nor the name of an HTTP method`,
    );
}

/** Warns that requests with other methods than the listed ones pass without authentication. */
export function warnMethodWords(words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  const listed = words.join(", ").toUpperCase();
  return [`Only ${listed} requests are authenticated here, every other method passes without credentials`];
}

/** Whether the words list methods and this one is not among them. */
export function methodIsExempt(words: readonly string[], method: string): boolean {
  if (words.length === 0) return false;
  const upper = method.toUpperCase();
  return !words.some((word) => word.toUpperCase() === upper);
}
