import { KinoraError } from "../../errors.ts";
import { accessEntityOf } from "../access/access-entity.ts";
import { requireAccess } from "../access/require-access.ts";
import { mostMembersAtOnce } from "./change-members.ts";
import type { RequestedContent } from "./content-steps.ts";
import { editContent } from "./edit-content.ts";
import { memberKinds } from "./member.ts";
import type { CollectionEditing, ContentStep } from "./plan-content.ts";
import { findable } from "./read-members.ts";

/** Items that one change brings in. */
const itemsAtOnce = 2000;

/**
 * Puts the items of another collection, or of a library, into a collection: those that the caller may find. Many come in
 * several changes.
 *
 * @throws KinoraError `not-found`, `forbidden`
 */
export async function addItemsOf(editing: CollectionEditing, collection: number, source: number): Promise<void> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, source, "READ");
  for await (const items of itemsIn(editing, source)) {
    await editContent(
      editing,
      collection,
      items.map((item) => ({ mode: "add", key: item * 8 + memberKinds.item })),
    );
  }
}

/**
 * The steps that put the items of other containers into a collection: those that the caller may find, each once.
 *
 * @throws KinoraError `not-found`; `invalid-input` when they are more than one change brings in
 */
async function itemSteps(editing: CollectionEditing, sources: readonly number[]): Promise<readonly ContentStep[]> {
  const keys = new Set<number>();
  for (const source of sources) {
    await requireAccess(editing.environment, editing.subject, source, "READ");
    for await (const items of itemsIn(editing, source)) {
      for (const item of items) keys.add(item * 8 + memberKinds.item);
      if (keys.size <= mostMembersAtOnce) continue;
      throw new KinoraError("invalid-input", {
        context: "addItems",
        explanation: `A document brings in at most ${mostMembersAtOnce} items; PUT /collection/{id}/{memberId}?addItems=true brings in any number`,
      });
    }
  }
  return [...keys].map((key) => ({ mode: "add", key }));
}

/**
 * The steps of a document; those for the items of other containers come behind its own.
 *
 * @throws KinoraError `not-found` for a container; `invalid-input` when the items are more than one change brings in
 */
export async function allSteps(
  editing: CollectionEditing,
  { steps, itemsOf }: RequestedContent,
): Promise<readonly ContentStep[]> {
  if (itemsOf.length === 0) return steps;
  const named = new Set(steps.map(({ key }) => key));
  const further = await itemSteps(editing, itemsOf);
  return [...steps, ...further.filter(({ key }) => !named.has(key))];
}

function itemsIn(editing: CollectionEditing, source: number): AsyncIterable<readonly number[]> {
  const { kind, serial } = accessEntityOf(source);
  if (kind === "library") return editing.environment.libraryItems(editing.subject, serial);
  return itemsOfCollection(editing, serial);
}

/** The items directly in a collection that the caller may find, in blocks, in their order. */
async function* itemsOfCollection(
  { environment, subject }: CollectionEditing,
  collection: number,
): AsyncIterable<readonly number[]> {
  const readable = await findable(environment, subject, "m.member * 8 + m.kind");
  for (let position = Number.MIN_SAFE_INTEGER, last = 0; ; ) {
    const rows = await environment.store.query({
      sql: `select m.member, m.position from collection_member m
        where m.collection = ? and m.kind = ${memberKinds.item} and (m.position, m.member) > (?, ?) and ${readable.sql}
        order by m.position, m.member limit ${itemsAtOnce}`,
      args: [collection, position, last, ...readable.args],
    });
    if (rows.length > 0) yield rows.map((row) => Number(row.member));
    const end = rows.at(-1);
    if (end === undefined || rows.length < itemsAtOnce) return;
    position = Number(end.position);
    last = Number(end.member);
  }
}
