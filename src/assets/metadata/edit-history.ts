/** Edits of the history itself: taking a change set out, putting another in its place, trimming. */
import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import type { EntityKind } from "../entity.ts";
import { type ChangeSet, changeSetOf, encodeChangeSet } from "./change-set.ts";
import { encodeMetadata } from "./compact.ts";
import { difference } from "./difference.ts";
import { replay } from "./history.ts";
import { readChangeSets } from "./history-store.ts";
import type { EditBase, Edited, EditMetadata, Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { ChangeStamp, Metadata } from "./model.ts";
import { requireReferences, updateContext } from "./put-metadata.ts";
import { withoutTraceOf } from "./rewrite-history.ts";
import { applyUpdate } from "./update/apply-update.ts";
import { checkSchema } from "./update/check-schema.ts";

export interface Entity {
  readonly kind: EntityKind;
  readonly serial: number;
}

/** A change set by its identifier. @throws KinoraError `not-found` with type `change-set` */
export function requireChangeSet(
  { store }: Pick<MetadataEnvironment, "store">,
  changeSets: readonly ChangeSet[],
  id: string,
): ChangeSet {
  const serial = store.ids.parse(id);
  const found = changeSets.find(({ stamp }) => stamp.id === serial);
  if (found === undefined) throw new KinoraError("not-found", { type: "change-set", id });
  return found;
}

/** Refuses what changes fields that the caller may not write. */
function requireWritable({ rights, row }: EditBase, after: Metadata): void {
  const step = difference(row.metadata, after);
  for (const { field } of [...step.added, ...step.removed]) {
    if (rights.mayWrite("field", field.name)) continue;
    throw new KinoraError("forbidden", {
      context: "metadata-field",
      id: field.name,
      explanation: `The access list of the field ${field.name} does not let the caller write it`,
    });
  }
}

function storeRow(change: Change, key: number, changeSet: ChangeSet): void {
  const { stamp } = changeSet;
  change.add(
    {
      sql: "insert or replace into change_set (entity, sequence, id, user, time, body) values (?, ?, ?, ?, ?, ?)",
      args: [key, stamp.sequence, stamp.id, stamp.user, stamp.time, encodeChangeSet(changeSet)],
    },
    { silent: true },
  );
}

/** A history in which one set is taken out or replaced, and which of the later sets that changes. */
function rewrite(changeSets: readonly ChangeSet[], former: ChangeSet, instead: ChangeSet | undefined) {
  const { sequence } = former.stamp;
  const earlier = changeSets.filter(({ stamp }) => stamp.sequence < sequence);
  const later = changeSets.filter(({ stamp }) => stamp.sequence > sequence);
  const rewritten = withoutTraceOf(later, former, instead);
  return {
    all: [...earlier, ...(instead === undefined ? [] : [instead]), ...rewritten],
    changed: rewritten.filter((changeSet, index) => changeSet !== later[index]),
  };
}

function deleteRow(change: Change, key: number, { sequence }: ChangeStamp): void {
  change.add(
    { sql: "delete from change_set where entity = ? and sequence = ?", args: [key, sequence] },
    { silent: true },
  );
}

/**
 * Takes a change set out of the history, as if it had never been written: what it replaced is there again, unless later
 * sets replaced it as well.
 *
 * @throws KinoraError `not-found`, `forbidden`
 */
export function deleteChangeSet(
  environment: MetadataEnvironment,
  edit: EditMetadata,
  editor: Editor,
  { kind, serial }: Entity,
  id: string,
): Promise<Edited> {
  return edit(editor, kind, serial, async (base) => {
    const { row } = base;
    const changeSets = await readChangeSets(environment.store, row);
    const gone = requireChangeSet(environment, changeSets, id);
    const { all, changed } = rewrite(changeSets, gone, undefined);
    const after = { ...replay(all, row.metadata.nextEntry), edited: base.stamp.time };
    requireWritable(base, after);
    return {
      after,
      history: gone.stamp,
      also: (change) => {
        deleteRow(change, row.key, gone.stamp);
        for (const changeSet of changed) storeRow(change, row.key, changeSet);
      },
    };
  });
}

/**
 * Puts a document in the place of a change set: what the set did is undone, and the document applied at that place in
 * the history.
 *
 * @throws KinoraError `not-found`, `forbidden`, and what updates throw
 */
export function replaceChangeSet(
  environment: MetadataEnvironment,
  edit: EditMetadata,
  editor: Editor,
  { kind, serial }: Entity,
  id: string,
  document: MetadataValues,
): Promise<Edited> {
  return edit(editor, kind, serial, async (base) => {
    const { row } = base;
    const changeSets = await readChangeSets(environment.store, row);
    const place = requireChangeSet(environment, changeSets, id);
    const stamp = { ...place.stamp, writtenOut: true };
    const earlier = changeSets.filter((changeSet) => changeSet.stamp.sequence < stamp.sequence);
    const before = replay(earlier, row.metadata.nextEntry);
    const context = await updateContext(environment, { ...base, stamp }, document);
    const made = applyUpdate(before, document, context);
    const replacing =
      made === before ? { stamp, added: [], gone: [] } : changeSetOf(made, stamp, difference(before, made));
    const { all, changed } = rewrite(changeSets, place, replacing);
    const after = { ...replay(all, made.nextEntry), edited: base.stamp.time };
    requireWritable(base, after);
    checkSchema(row.metadata, after, base.definitions);
    await requireReferences(environment, editor, row.metadata, after);
    return {
      after,
      history: stamp,
      also: (change) => {
        for (const changeSet of [replacing, ...changed]) storeRow(change, row.key, changeSet);
      },
    };
  });
}

/**
 * Takes out of the history what is no longer current: of one change set, or of all. Sets of which nothing is current
 * go, but for the newest. The present metadata stays as it is.
 *
 * @throws KinoraError `not-found`
 */
export async function trimHistory(
  environment: MetadataEnvironment,
  edit: EditMetadata,
  editor: Editor,
  { kind, serial }: Entity,
  id?: string,
): Promise<void> {
  await edit(editor, kind, serial, async ({ row }) => {
    const changeSets = await readChangeSets(environment.store, row);
    const trimmed = id === undefined ? changeSets : [requireChangeSet(environment, changeSets, id)];
    const written = new Set(trimmed.filter(({ stamp }) => stamp.writtenOut).map(({ stamp }) => stamp.id));
    if (written.size === 0) return { after: row.metadata };
    const body = encodeMetadata(row.metadata, (stamp) => stamp.writtenOut && !written.has(stamp.id));
    return {
      after: row.metadata,
      instead: (change) => {
        for (const { stamp } of trimmed) if (written.has(stamp.id)) deleteRow(change, row.key, stamp);
        change.add(
          { sql: "update metadata set body = ?, writes = writes + 1 where id = ?", args: [body, row.key] },
          { silent: true },
        );
      },
    };
  });
}
