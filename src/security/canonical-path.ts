import { KinoraError } from "../errors.ts";

/** What a request target means: the one reading of its path that chains, filters and routes share. */
export interface CanonicalTarget {
  /** Decoded once, matrix parameters cut, empty segments left out, the `/API` prefix removed. A segment is data and may contain a `/`. */
  readonly segments: readonly string[];
  /** The segments, percent-encoded again and joined: `/item/VX-1`; `/` when there is none. */
  readonly path: string;
  /** The client's path ended in a slash. It names the same resource as without. */
  readonly trailingSlash: boolean;
  /** Matrix parameters of all segments, in order, decoded. */
  readonly matrix: readonly (readonly [name: string, value: string])[];
  /** The base path: routes answer under `/API` and without it; `/APInoauth` and `/APIinit` stay the first segment. */
  readonly root: "API" | "APInoauth" | "APIinit";
}

const apiPrefix = "API";
/** Paths remembered; half of them are forgotten at a time. */
const mostRemembered = 4096;
const longestRemembered = 512;

let recent = new Map<string, CanonicalTarget>();
let older = new Map<string, CanonicalTarget>();

/**
 * Reads a request target (path and query as the client sent them, or in absolute form) into its canonical path.
 *
 * Each segment is decoded exactly once. Throws `invalid-path` for whatever two programs could read in two ways: a bad
 * percent-escape, a NUL or control character, a dot segment (also encoded), a backslash, blank or non-ASCII character
 * that is not encoded, a path that does not begin with a slash.
 */
export function canonicalTarget(rawTarget: string): CanonicalTarget {
  const query = rawTarget.indexOf("?");
  const rawPath = query < 0 ? rawTarget : rawTarget.slice(0, query);
  const known = recent.get(rawPath);
  if (known !== undefined) return known;
  const target = older.get(rawPath) ?? readPath(rawPath);
  if (rawPath.length <= longestRemembered) {
    if (recent.size >= mostRemembered / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(rawPath, target);
  }
  return target;
}

const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const unencoded = /[^\x21-\x7e]|[\\#]/;

function readPath(rawPath: string): CanonicalTarget {
  const path = rawPath.startsWith("/") ? rawPath : rawPath.replace(authority, "") || "/";
  if (!path.startsWith("/")) throw invalid("The path does not begin with a slash");
  if (unencoded.test(path)) throw invalid("The path has a character that must be percent-encoded");

  const segments: string[] = [];
  const matrix: (readonly [string, string])[] = [];
  let trailingSlash = false;
  for (const piece of path.slice(1).split("/")) {
    const [name = "", ...parameters] = piece.split(";");
    trailingSlash = name === "";
    if (name !== "") segments.push(readSegment(name));
    for (const parameter of parameters) if (parameter !== "") matrix.push(readParameter(parameter));
  }
  while (segments[0] === apiPrefix) segments.shift();
  const root = segments[0] === "APInoauth" || segments[0] === "APIinit" ? segments[0] : "API";
  // Shared by all requests of this path.
  Object.freeze(segments);
  Object.freeze(matrix);
  return { segments, path: `/${segments.map(encodeURIComponent).join("/")}`, trailingSlash, matrix, root };
}

function readSegment(encoded: string): string {
  const segment = decode(encoded);
  if (segment === "." || segment === "..") throw invalid("The path has a dot segment");
  if (/\p{Cc}/u.test(segment)) throw invalid("The path has a control character");
  return segment;
}

function readParameter(parameter: string): readonly [string, string] {
  const equals = parameter.indexOf("=");
  const name = decode(equals < 0 ? parameter : parameter.slice(0, equals));
  const value = equals < 0 ? "" : decode(parameter.slice(equals + 1));
  if (name.includes("\0") || value.includes("\0")) throw invalid("A matrix parameter has a NUL character");
  return [name, value];
}

function decode(encoded: string): string {
  if (!encoded.includes("%")) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw invalid("The path has a broken percent-escape", cause);
  }
}

function invalid(explanation: string, cause?: unknown): KinoraError {
  return new KinoraError("invalid-path", { explanation }, cause === undefined ? undefined : { cause });
}
