import type { Component, ComponentKind, Shape } from "./shape.ts";

/** The members of a shape that its row keeps as one text; what is empty is left out. */
interface Body {
  readonly t?: Shape["tags"];
  readonly m?: Shape["mimeTypes"];
  readonly u?: string;
  readonly n?: Shape["filenames"];
  readonly c?: readonly {
    readonly i: number;
    readonly k: ComponentKind;
    readonly a?: 1;
    readonly d?: Component["description"];
    readonly f?: readonly number[];
  }[];
}

/** Whole numbers beyond 2^53 are kept as text, which documents write as the same number. */
function exact(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function optional<K extends string, V>(key: K, value: V, empty: boolean): { readonly [P in K]?: V } {
  return empty ? {} : ({ [key]: value } as { [P in K]: V });
}

/** The text of a shape's row: all but what has columns, and the pairs of metadata. */
export function encodeShape(shape: Shape): string {
  const body: Body = {
    ...optional("t", shape.tags, shape.tags.length === 0),
    ...optional("m", shape.mimeTypes, shape.mimeTypes.length === 0),
    ...(shape.uuid === undefined ? {} : { u: shape.uuid }),
    ...optional("n", shape.filenames, Object.keys(shape.filenames).length === 0),
    ...optional(
      "c",
      shape.components.map(({ serial, kind, awaited, description, files }) => ({
        i: serial,
        k: kind,
        ...(awaited ? { a: 1 as const } : {}),
        ...optional("d", description, Object.keys(description).length === 0),
        ...optional("f", files, files.length === 0),
      })),
      shape.components.length === 0,
    ),
  };
  return JSON.stringify(body, exact);
}

type Pairs = ReadonlyMap<number, Shape["metadata"]>;
type Decoded = Pick<Shape, "tags" | "mimeTypes" | "uuid" | "filenames" | "components">;

/** What {@link encodeShape} wrote; the pairs of components come from elsewhere. */
export function decodeShape(text: string, metadata: Pairs): Decoded {
  const body = JSON.parse(text) as Body;
  return {
    tags: body.t ?? [],
    mimeTypes: body.m ?? [],
    filenames: body.n ?? {},
    components: (body.c ?? []).map(({ i, k, a, d, f }) => ({
      serial: i,
      kind: k,
      awaited: a === 1,
      description: d ?? {},
      files: f ?? [],
      metadata: metadata.get(i) ?? [],
    })),
    ...(body.u === undefined ? {} : { uuid: body.u }),
  };
}
