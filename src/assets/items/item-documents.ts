import { KinoraError } from "../../errors.ts";
import { listParameter, textParameter } from "../../http/parameters.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Item } from "../documents/item-document.ts";
import { notFound, readRanks } from "../metadata/entity-access.ts";
import { metadataDocuments } from "../metadata/metadata-documents.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import { readRows } from "../metadata/metadata-row.ts";
import { toTerse } from "../metadata/projection/terse.ts";
import { rowAtRevision } from "../metadata/read-metadata.ts";
import { type SelectionQuery, selectionOf, selectionParameters } from "../metadata/selection/selection-parameters.ts";
import { contentNames, type ItemContent } from "./item-content.ts";

/** The parameters by which requests say what of items they want, for the `query` of routes. */
export const itemParameters = { ...selectionParameters, content: listParameter(), revision: textParameter() };

/** What makes the documents of items. */
export interface ItemDocumentEnvironment extends MetadataEnvironment {
  readonly content: ItemContent;
}

/** A request for documents of items, as the loaders of parts see it. */
export interface ItemRequest {
  readonly subject: Subject;
  readonly query: SelectionQuery & { readonly content: readonly string[]; readonly revision?: string | undefined };
  /** A parameter of the request, whether the route declares it or not. */
  parameter(name: string): string | undefined;
  /** The absolute URL of a path. */
  url(path: string): string;
}

/** An item's document, and what version of it it shows. */
export interface ShownItem {
  readonly serial: number;
  readonly item: Item;
  /** For entity tags; absent when the document shows more than the item's own metadata. */
  readonly version?: string;
}

const names: ReadonlySet<string> = new Set(contentNames);

/** Refuses a part that does not exist. @throws KinoraError `invalid-input` naming it */
function checkContent(content: readonly string[]): void {
  const unknown = content.find((name) => !names.has(name));
  if (unknown === undefined) return;
  throw new KinoraError("invalid-input", {
    context: "content",
    value: unknown.slice(0, 100),
    explanation: `The parameter content must be a list of ${contentNames.join(", ")}`,
  });
}

async function withMetadata(
  environment: ItemDocumentEnvironment,
  { subject, query }: ItemRequest,
  serials: readonly number[],
): Promise<readonly ShownItem[]> {
  const selection = selectionOf(query);
  const present = await readRows(environment, subject, "item", serials);
  const { revision } = query;
  const rows = revision ? await Promise.all(present.map((row) => rowAtRevision(environment, row, revision))) : present;
  const documents = await metadataDocuments(environment, subject, rows, selection);
  return rows.map(({ serial }, index) => {
    const { document = {}, version } = documents[index] ?? {};
    const id = environment.ids.format(serial);
    const item: Item = query.terse ? { id, terse: toTerse(document) } : { id, metadata: document };
    return { serial, item, ...(version === undefined ? {} : { version }) };
  });
}

async function withoutMetadata(
  environment: ItemDocumentEnvironment,
  { subject }: ItemRequest,
  serials: readonly number[],
): Promise<readonly ShownItem[]> {
  const ranks = await readRanks(environment, subject, "item", serials);
  return serials
    .filter((serial) => (ranks.get(serial) ?? 0) >= 1)
    .map((serial) => ({ serial, item: { id: environment.ids.format(serial) } }));
}

/**
 * The documents of those items that the caller may read, in the given order, with the parts that the request names.
 *
 * @throws KinoraError `invalid-input`, `invalid-value` for a parameter; `not-found` for a revision of none of the items
 */
export async function itemDocuments(
  environment: ItemDocumentEnvironment,
  request: ItemRequest,
  serials: readonly number[],
): Promise<readonly ShownItem[]> {
  const { content } = request.query;
  checkContent(content);
  const load = content.includes("metadata") ? withMetadata : withoutMetadata;
  const shown = await load(environment, request, serials);
  const loaders = environment.content.loaders(content);
  if (loaders.length === 0 || shown.length === 0) return shown;
  const wanted = {
    subject: request.subject,
    items: shown.map(({ serial }) => serial),
    parameter: (name: string) => request.parameter(name),
    url: (path: string) => request.url(path),
  };
  const parts = await Promise.all(loaders.map((loader) => loader(wanted)));
  return shown.map(({ serial, item }) => ({
    serial,
    item: Object.assign({}, item, ...parts.map((part) => part.get(serial) ?? {})) as Item,
  }));
}

/** The document of one item. @throws KinoraError `not-found`, and what {@link itemDocuments} throws */
export async function itemDocument(
  environment: ItemDocumentEnvironment,
  request: ItemRequest,
  serial: number,
): Promise<ShownItem> {
  const [shown] = await itemDocuments(environment, request, [serial]);
  if (shown === undefined) throw notFound(environment, "item", serial);
  return shown;
}
