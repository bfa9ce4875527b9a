import { KinoraError } from "../../errors.ts";
import { accessKinds } from "../access/access-entity.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import type { AccessKind } from "../access-port.ts";
import type { CollectionContent, CollectionReorder } from "../documents/collection-document.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import type { Place } from "./member-order.ts";
import type { ContentStep } from "./plan-content.ts";

/** What a document asks for: steps, and containers whose items are to come in instead of themselves. */
export interface RequestedContent {
  readonly steps: readonly ContentStep[];
  /** Keys of collections and libraries. */
  readonly itemsOf: readonly number[];
  /** The entries carry no modes: the list is what the content is to be. */
  readonly whole: boolean;
}

type Environment = Pick<CollectionEnvironment, "ids" | "store">;

/**
 * The steps that the members of a document ask for.
 *
 * @throws KinoraError `invalid-input` when only some entries have a mode, or one has no identifier; `not-found` for what
 * is no identifier
 */
export async function requestedContent(
  environment: Environment,
  content: readonly CollectionContent[],
): Promise<RequestedContent> {
  const modes = content.filter(({ mode }) => mode !== undefined).length;
  if (modes !== 0 && modes !== content.length) refuse("mode", "Either all members have a mode or none has");
  const steps: ContentStep[] = [];
  const itemsOf: number[] = [];
  for (const entry of content) {
    const { mode = "add", type = "item", addItems = false } = entry;
    const key = await resolveAccessEntity(environment, type, identifierOf(entry));
    if (addItems && mode === "add" && type !== "item") {
      itemsOf.push(key);
      continue;
    }
    const place = await placeOf(environment, type, entry);
    const metadata = entry.metadata?.field?.map(({ key: name, value }) => [name, value] as const);
    steps.push({
      mode,
      key,
      ...(place === undefined ? {} : { place }),
      ...(metadata === undefined ? {} : { metadata: new Map(metadata) }),
    });
  }
  return { steps, itemsOf, whole: modes === 0 };
}

function identifierOf({ id, uri }: CollectionContent): string {
  const last = uri?.split("/").findLast((part) => part !== "");
  const identifier = id ?? (last === undefined ? undefined : decodeURIComponent(last));
  return identifier ?? refuse("content", "A member has an id");
}

/** The steps of a reordering. @throws KinoraError `invalid-input` for a move without a place, `not-found` */
export async function reorderSteps(
  environment: Environment,
  { item = [], collection = [], library = [] }: CollectionReorder,
): Promise<readonly ContentStep[]> {
  const entries = [
    ...item.map((entry) => ["item", entry] as const),
    ...collection.map((entry) => ["collection", entry] as const),
    ...library.map((entry) => ["library", entry] as const),
  ];
  const steps: ContentStep[] = [];
  for (const [kind, entry] of entries) {
    const place = await placeOf(environment, kind, entry);
    if (place === undefined) refuse("order", "Each move names the member before or after which to put it");
    const key = await resolveAccessEntity(environment, kind, entry.id);
    steps.push({ mode: "move", key, place });
  }
  return steps;
}

interface PlaceNames {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The place that a document names, by the identifier of a member of any kind. */
async function placeOf(
  environment: Environment,
  kind: AccessKind,
  { before, after }: PlaceNames,
): Promise<Place | undefined> {
  if (before !== undefined && after !== undefined) refuse("order", "A place is before a member or after one, not both");
  if (before !== undefined) return { before: await neighbour(environment, kind, before) };
  if (after !== undefined) return { after: await neighbour(environment, kind, after) };
  return undefined;
}

/**
 * The key of a neighbour, whose kind a document does not tell: a library by the form of its identifier, else what exists
 * under the identifier, items and collections having none in common.
 */
async function neighbour({ store, ids }: Environment, kind: AccessKind, identifier: string): Promise<number> {
  const kinds: readonly AccessKind[] = identifier.includes("*") ? ["library"] : [kind, "item", "collection"];
  const missing = new KinoraError("not-found", { type: accessKinds[kind].type, id: identifier });
  const keys: number[] = [];
  for (const one of new Set(kinds)) {
    const key = await resolveAccessEntity({ store, ids }, one, identifier).catch(ifMissing);
    if (key !== undefined) keys.push(key);
  }
  const rows = await store.query({
    sql: "select id from search_document where id in (select value from json_each(?))",
    args: [JSON.stringify(keys)],
  });
  const present = new Set(rows.map((row) => Number(row.id)));
  const found = keys.find((key) => present.has(key));
  if (found === undefined) throw missing;
  return found;
}

function ifMissing(error: unknown): undefined {
  if (error instanceof KinoraError && error.code === "not-found") return undefined;
  throw error;
}

/**
 * The pairs that the parameter `metadata` asks for: `key=value` sets one, `-key` takes one away.
 *
 * @throws KinoraError `invalid-input`
 */
export function metadataEdit(texts: readonly string[]): ReadonlyMap<string, string | null> | undefined {
  if (texts.length === 0) return undefined;
  const edit = new Map<string, string | null>();
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at > 0) edit.set(text.slice(0, at), text.slice(at + 1));
    else if (at < 0 && text.length > 1 && text.startsWith("-")) edit.set(text.slice(1), null);
    else refuse("metadata", "The parameter metadata is key=value, or -key to take a key away");
  }
  return edit;
}

function refuse(context: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, explanation });
}
