import { TrieRouter } from "hono/router/trie-router";
import type { Route } from "./route-table.ts";

/** Where the value of a path parameter is. */
export interface ParameterPosition {
  readonly name: string;
  readonly index: number;
  /** Takes all further segments too, joined by `/`. */
  readonly rest: boolean;
}

/** The routes of one path, by method. */
export interface Resource<T> {
  readonly path: string;
  readonly byMethod: Map<string, T>;
}

/** Every resource is registered under one method; which methods it has is looked at afterwards. */
const anyMethod = "ALL";

/**
 * Finds routes by the canonical path, so that routing and the security chains see the same segments: the path is
 * encoded again segment by segment, and an encoded slash stays data. The most literal path goes first, whatever the
 * order of declaration. Paths without parameters are looked up at once, the others by hono's trie router.
 */
export class Router<T> {
  readonly #resources = new Map<string, Resource<T>>();
  #trie: TrieRouter<Resource<T>> | undefined;

  /** @throws TypeError when the path and method are taken, or the same path is declared with other parameter names. */
  add(method: string, path: string, value: T): void {
    const shape = shapeOf(path);
    const resource = this.#resources.get(shape) ?? { path, byMethod: new Map() };
    if (resource.path !== path) throw new TypeError(`${path} and ${resource.path} are the same path`);
    if (resource.byMethod.has(method)) throw new TypeError(`${method} ${path} is declared twice`);
    resource.byMethod.set(method, value);
    this.#resources.set(shape, resource);
    this.#trie = undefined;
  }

  /** The resource at a canonical path (segments percent-encoded, no slash at the end), or `undefined`. */
  find(path: string): Resource<T> | undefined {
    const literal = this.#resources.get(path);
    if (literal !== undefined) return literal;
    this.#trie ??= this.#newTrie();
    return this.#trie.match(anyMethod, path)[0][0]?.[0];
  }

  /** The trie gives matches in the order in which they were added: the most literal ones are added first. */
  #newTrie(): TrieRouter<Resource<T>> {
    const trie = new TrieRouter<Resource<T>>();
    const withParameters = [...this.#resources].filter(([shape]) => shape.includes(parameterMark));
    withParameters.sort(([a], [b]) => (literalness(a) < literalness(b) ? -1 : 1));
    for (const [, resource] of withParameters) trie.add(anyMethod, patternOf(resource.path), resource);
    return trie;
  }
}

/** No path has it: braces of a request arrive encoded. */
const parameterMark = "{}";

/** A declared path with its parameters' names left out: the same for paths that match the same. */
function shapeOf(path: string): string {
  return path.replace(/\{[^}]*?(\.\.\.)?\}/g, "{}$1");
}

/** Sorts a literal segment before a parameter, and that before the rest of a path, from left to right. */
function literalness(shape: string): string {
  return shape
    .split("/")
    .map((segment) => (segment === "{}..." ? "2" : segment === parameterMark ? "1" : `0${segment}`))
    .join("/");
}

/** A declared path as hono writes it. */
function patternOf(path: string): string {
  return path.replace(/\{([^}]*?)(\.\.\.)?\}/g, (_, name: string, rest?: string) => `:${name}${rest ? "{.+}" : ""}`);
}

/** The segments of a declared path. */
function segmentsOf(path: string): readonly string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** Where the parameters of a declared path stand. */
export function parameterPositions(path: Route["path"]): readonly ParameterPosition[] {
  return segmentsOf(path).flatMap((segment, index) => {
    const [, name, dots] = /^\{([A-Za-z][A-Za-z0-9-]*)(\.\.\.)?\}$/.exec(segment) ?? [];
    return name === undefined ? [] : [{ name, index, rest: dots !== undefined }];
  });
}
