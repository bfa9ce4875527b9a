import type { Chain } from "./chain.ts";
import { matchesPath, type PathPattern } from "./path-pattern.ts";

/** What of a request decides its chain. */
export interface RequestPath {
  /** The canonical path; a slash at its end is left out. */
  readonly path: string;
  /** Its decoded segments, without the `/API` prefix. */
  readonly segments: readonly string[];
  /** The client's path ended in a slash. */
  readonly trailingSlash: boolean;
}

/** Finds the chain of a path. */
export interface ChainTable {
  readonly chains: readonly Chain[];
  /**
   * The first chain in file order whose pattern matches. `undefined`: none does, or the path would get another chain
   * with a slash at its end than without although both are the same resource; such a request is refused.
   */
  find(path: RequestPath): Chain | undefined;
}

/** Paths whose chain is remembered; half of them are forgotten at a time. */
const mostRemembered = 4096;
const longestRemembered = 512;

export function createChainTable(chains: readonly Chain[]): ChainTable {
  let recent = new Map<string, Chain | undefined>();
  let older = new Map<string, Chain | undefined>();

  function search(path: RequestPath): Chain | undefined {
    const found = chains.find(({ pattern }) => matchesRequest(pattern, path, false));
    if (!path.trailingSlash || path.segments.length === 0) return found;
    const withSlash = chains.find(({ pattern }) => matchesRequest(pattern, path, true));
    return withSlash === found ? found : undefined;
  }

  return {
    chains,
    find(path) {
      const key = path.trailingSlash ? `${path.path}/` : path.path;
      const known = recent.get(key);
      if (known !== undefined) return known;
      const chain = older.get(key) ?? search(path);
      if (key.length <= longestRemembered) {
        if (recent.size >= mostRemembered / 2) {
          older = recent;
          recent = new Map();
        }
        recent.set(key, chain);
      }
      return chain;
    },
  };
}

/**
 * Whether a pattern matches a request. The same resources answer with and without the prefix `/API`, so that a pattern
 * that matches either form matches the request, whichever form the client used.
 */
export function matchesRequest(pattern: PathPattern, { segments }: RequestPath, trailingSlash: boolean): boolean {
  const bare = segments.length === 0;
  return (
    matchesEither(pattern, segments, trailingSlash || bare) ||
    matchesEither(pattern, ["API", ...segments], trailingSlash)
  );
}

/** Patterns stand without the slash at their end; a path with one is also tried without. */
function matchesEither(pattern: PathPattern, segments: readonly string[], trailingSlash: boolean): boolean {
  if (matchesPath(pattern, { segments, leadingSlash: true, trailingSlash })) return true;
  return trailingSlash && segments.length > 0
    ? matchesPath(pattern, { segments, leadingSlash: true, trailingSlash: false })
    : false;
}
