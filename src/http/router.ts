import type { Route } from "./route-table.ts";

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  /** The entry of a path that ends here. */
  entry: T | undefined;
  /** The entry of a path that takes all the rest, at least one segment. */
  rest: T | undefined;
}

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

/**
 * Finds routes by the decoded segments of the canonical path, so that routing and the security chains see the same
 * segments and an encoded slash stays data. A literal segment goes before a parameter, whatever the order of
 * declaration. (hono's routers want text paths; its fast one refuses a literal beside a parameter, its other one
 * takes several times as long.)
 */
export class Router<T> {
  readonly #root: Node<Resource<T>> = newNode();

  /** @throws TypeError when the path and method are taken, or the same path is declared with other parameter names. */
  add(method: string, path: string, value: T): void {
    const resource = this.#resourceOf(path);
    if (resource.path !== path) throw new TypeError(`${path} and ${resource.path} are the same path`);
    if (resource.byMethod.has(method)) throw new TypeError(`${method} ${path} is declared twice`);
    resource.byMethod.set(method, value);
  }

  /** The resource at a path, or `undefined`. */
  find(segments: readonly string[]): Resource<T> | undefined {
    return search(this.#root, segments, 0);
  }

  #resourceOf(path: string): Resource<T> {
    let node = this.#root;
    for (const segment of segmentsOf(path)) {
      if (segment.endsWith("...}")) {
        node.rest ??= { path, byMethod: new Map() };
        return node.rest;
      }
      node = segment.startsWith("{") ? parameter(node) : literal(node, segment);
    }
    node.entry ??= { path, byMethod: new Map() };
    return node.entry;
  }
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), parameter: undefined, entry: undefined, rest: undefined };
}

function parameter<T>(node: Node<T>): Node<T> {
  node.parameter ??= newNode();
  return node.parameter;
}

function literal<T>(node: Node<T>, segment: string): Node<T> {
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const fresh = newNode<T>();
  node.literals.set(segment, fresh);
  return fresh;
}

function search<T>(node: Node<T>, segments: readonly string[], at: number): T | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.entry;
  const next = node.literals.get(segment);
  const found = next === undefined ? undefined : search(next, segments, at + 1);
  if (found !== undefined) return found;
  return (node.parameter === undefined ? undefined : search(node.parameter, segments, at + 1)) ?? node.rest;
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
