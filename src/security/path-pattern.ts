/** A compiled path pattern of `[urls]`. */
export interface PathPattern {
  readonly text: string;
  readonly leadingSlash: boolean;
  readonly trailingSlash: boolean;
  readonly caseInsensitive: boolean;
  readonly segments: readonly Segment[];
  /** A `**` stands as a whole segment. */
  readonly spans: boolean;
}

/** A path cut into segments. Empty segments are left out; segments are data and may themselves contain a `/`. */
export interface PathSegments {
  readonly segments: readonly string[];
  readonly leadingSlash: boolean;
  readonly trailingSlash: boolean;
}

type Segment =
  | { readonly kind: "span" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "wildcard"; readonly text: string };

/** Cuts a path at its slashes. */
export function segmentsOf(path: string): PathSegments {
  return {
    segments: path.split("/").filter((segment) => segment !== ""),
    leadingSlash: path.startsWith("/"),
    trailingSlash: path.endsWith("/"),
  };
}

/**
 * Compiles an Ant-style pattern: `?` is one character, `*` any run within a segment, `**` as a whole segment any number
 * of segments. There are no other special characters.
 */
export function compilePattern(text: string, caseInsensitive = false): PathPattern {
  const { segments, leadingSlash, trailingSlash } = segmentsOf(text);
  const compiled = segments.map((segment): Segment => {
    if (segment === "**") return { kind: "span" };
    const folded = caseInsensitive ? segment.toLowerCase() : segment;
    return { kind: /[*?]/.test(segment) ? "wildcard" : "literal", text: folded };
  });
  const spans = compiled.some(({ kind }) => kind === "span");
  return { text, leadingSlash, trailingSlash, caseInsensitive, segments: compiled, spans };
}

/**
 * Whether a pattern matches a path. Without `**`, both must agree on the trailing slash, save that a last segment `*`
 * also matches the nothing behind a trailing slash (`/a/*` matches `/a/`).
 */
export function matchesPath(pattern: PathPattern, path: PathSegments): boolean {
  if (pattern.leadingSlash !== path.leadingSlash) return false;
  const segments = pattern.caseInsensitive ? path.segments.map((segment) => segment.toLowerCase()) : path.segments;
  if (pattern.spans) return matchesSpanning(pattern.segments, segments);

  const { segments: wanted } = pattern;
  if (wanted.length === segments.length) {
    return (
      pattern.trailingSlash === path.trailingSlash && wanted.every((want, index) => matches(want, segments[index]))
    );
  }
  const last = wanted.at(-1);
  return (
    wanted.length === segments.length + 1 &&
    last?.kind === "wildcard" &&
    last.text === "*" &&
    path.trailingSlash &&
    wanted.slice(0, -1).every((want, index) => matches(want, segments[index]))
  );
}

/** Walks both lists once; at a mismatch the last `**` takes one segment more. */
function matchesSpanning(wanted: readonly Segment[], segments: readonly string[]): boolean {
  let want = 0;
  let at = 0;
  let afterSpan = -1;
  let spanEnd = 0;
  while (at < segments.length) {
    const segment = wanted[want];
    if (segment?.kind === "span") {
      want++;
      afterSpan = want;
      spanEnd = at;
    } else if (segment !== undefined && matches(segment, segments[at])) {
      want++;
      at++;
    } else if (afterSpan >= 0) {
      want = afterSpan;
      spanEnd++;
      at = spanEnd;
    } else {
      return false;
    }
  }
  return wanted.slice(want).every(({ kind }) => kind === "span");
}

function matches(wanted: Segment, segment: string | undefined): boolean {
  if (segment === undefined || wanted.kind === "span") return false;
  return wanted.kind === "literal" ? wanted.text === segment : matchesWildcard(wanted.text, segment);
}

/** The same walk over characters: `*` takes one character more at each mismatch. Characters are UTF-16 units. */
function matchesWildcard(wanted: string, text: string): boolean {
  let want = 0;
  let at = 0;
  let afterStar = -1;
  let starEnd = 0;
  while (at < text.length) {
    if (wanted[want] === "*") {
      want++;
      afterStar = want;
      starEnd = at;
    } else if (want < wanted.length && (wanted[want] === "?" || wanted[want] === text[at])) {
      want++;
      at++;
    } else if (afterStar >= 0) {
      want = afterStar;
      starEnd++;
      at = starEnd;
    } else {
      return false;
    }
  }
  while (wanted[want] === "*") want++;
  return want === wanted.length;
}
