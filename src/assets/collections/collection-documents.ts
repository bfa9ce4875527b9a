import type { Subject } from "../../plugin/contract.ts";
import { formatAccessEntity } from "../access/entity-id.ts";
import type { Collection, CollectionContent } from "../documents/collection-document.ts";
import type { ContentRequest } from "../items/item-content.ts";
import { metadataDocuments, rightsFor } from "../metadata/metadata-documents.ts";
import { readRows } from "../metadata/metadata-row.ts";
import { toTerse } from "../metadata/projection/terse.ts";
import { rowAtRevision } from "../metadata/read-metadata.ts";
import { type SelectionQuery, selectionOf } from "../metadata/selection/selection-parameters.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import { titleField, titleOf } from "./collection-title.ts";
import type { Member } from "./member.ts";

/** A request for documents of collections. */
export interface CollectionRequest {
  readonly subject: Subject;
  readonly query: SelectionQuery & { readonly content: readonly string[]; readonly revision?: string | undefined };
  /** A parameter of the request, whether the route declares it or not. */
  parameter(name: string): string | undefined;
  /** The absolute URL of a path. */
  url(path: string): string;
}

/** A part of collections that another domain contributes when `content` names it. */
export type CollectionPart = (request: {
  readonly subject: Subject;
  readonly collections: readonly number[];
  readonly parameter: ContentRequest["parameter"];
  readonly url: ContentRequest["url"];
}) => Promise<ReadonlyMap<number, Partial<Collection>>>;

export interface CollectionDocumentEnvironment extends CollectionEnvironment {
  /** By the names that `content` has for them: `external`, `merged-access`. */
  readonly parts: ReadonlyMap<string, CollectionPart>;
}

/** A collection's document, and what version of its metadata it shows. */
export interface ShownCollection {
  readonly serial: number;
  readonly collection: Collection;
}

/**
 * The documents of those collections that the caller may read, in the given order, with the parts that the request names;
 * without their members.
 *
 * @throws KinoraError `invalid-input`, `invalid-value` for a parameter
 */
export async function collectionDocuments(
  environment: CollectionDocumentEnvironment,
  request: CollectionRequest,
  serials: readonly number[],
): Promise<readonly ShownCollection[]> {
  const { subject, query } = request;
  const parameter = (name: string) => request.parameter(name);
  const url = (path: string) => request.url(path);
  const present = await readRows(environment, subject, "collection", serials);
  const { revision } = query;
  const rows = revision ? await Promise.all(present.map((row) => rowAtRevision(environment, row, revision))) : present;
  const definitions = await environment.definitions.current();
  const rights = await rightsFor(environment, definitions, subject);
  const documents = query.content.includes("metadata")
    ? await metadataDocuments(environment, subject, rows, selectionOf(query))
    : undefined;
  const collections = rows.map(({ serial }) => serial);
  const parts = await Promise.all(
    [...new Set(query.content)]
      .flatMap((name) => environment.parts.get(name) ?? [])
      .map((part) => part({ subject, collections, parameter, url })),
  );
  return rows.map(({ serial, metadata, absoluteTime }, index) => {
    const id = environment.ids.format(serial);
    const name = rights.mayRead("field", titleField) ? titleOf(metadata) : undefined;
    const document = documents?.[index]?.document;
    const shown = document === undefined ? {} : query.terse ? { terse: toTerse(document) } : { metadata: document };
    const collection: Collection = {
      loc: url(`/collection/${id}/`),
      id,
      ...(name === undefined ? {} : { name }),
      ...(absoluteTime ? { absoluteTime } : {}),
    };
    return { serial, collection: Object.assign(collection, shown, ...parts.map((part) => part.get(serial) ?? {})) };
  });
}

/** Members as a collection's document shows them. */
export function contentDocuments(
  { store }: Pick<CollectionEnvironment, "store">,
  url: (path: string) => string,
  members: readonly Member[],
): readonly CollectionContent[] {
  return members.map(({ key, kind, metadata }) => {
    const id = formatAccessEntity(store.ids, key);
    return {
      id,
      uri: url(`/${kind}/${encodeURIComponent(id)}`),
      type: kind,
      ...(metadata === undefined ? {} : { metadata }),
    };
  });
}
