/** Edits of the history itself: taking a change set out, putting another in its place, trimming. */
import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import type { EntityKind } from "../entity.ts";
import { type ChangeSet, changeSetOf, currentPart, encodeChangeSet, takingAlso } from "./change-set.ts";
import { encodeMetadata } from "./compact.ts";
import { difference } from "./difference.ts";
import { replay } from "./history.ts";
import { readChangeSets } from "./history-store.ts";
import type { EditBase, Edited, EditMetadata, Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { ChangeStamp, Metadata, TimespanEntry } from "./model.ts";
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

/** A history in which one set is taken out or replaced, and which sets of it have to be stored. */
function rewrite(changeSets: readonly ChangeSet[], former: ChangeSet, instead: ChangeSet | undefined) {
  const { sequence } = former.stamp;
  const earlier = changeSets.filter(({ stamp }) => stamp.sequence < sequence);
  const later = changeSets.filter(({ stamp }) => stamp.sequence > sequence);
  const all = withDisplaced([
    ...earlier,
    ...(instead === undefined ? [] : [instead]),
    ...withoutTraceOf(later, former, instead),
  ]);
  const known = new Set(changeSets);
  return { all, changed: all.filter((changeSet) => !known.has(changeSet)) };
}

/** A history in which each set says what it replaced: also fields that are only there again since another set is gone. */
function withDisplaced(changeSets: readonly ChangeSet[]): readonly ChangeSet[] {
  const gone = new Map<ChangeSet, TimespanEntry[]>();
  replay(changeSets, 0, (by, field) => {
    const known = gone.get(by);
    if (known === undefined) gone.set(by, [field]);
    else known.push(field);
  });
  return changeSets.map((changeSet) => {
    const displaced = gone.get(changeSet);
    return displaced === undefined ? changeSet : takingAlso(changeSet, displaced);
  });
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
        for (const changeSet of changed) storeRow(change, row.key, changeSet);
      },
    };
  });
}

/** A written out change set without what of its additions is no longer current. */
function trimmedSet(metadata: Metadata, { stamp, gone }: ChangeSet, all: boolean): ChangeSet {
  // What it took away stays told, as long as earlier sets say that it was there.
  return { ...currentPart(metadata, stamp), gone: all ? [] : gone };
}

/**
 * Takes out of the history what is no longer current: of what one change set added, or everything. Sets of which nothing
 * is left go, but for the newest. The present metadata stays as it is.
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
    const { key, metadata } = row;
    const changeSets = await readChangeSets(environment.store, row);
    const trimmed = (id === undefined ? changeSets : [requireChangeSet(environment, changeSets, id)])
      .filter(({ stamp }) => stamp.writtenOut)
      .map((changeSet) => trimmedSet(metadata, changeSet, id === undefined));
    if (trimmed.length === 0) return { after: metadata };
    // A set that took nothing away is told by the entries that bear its stamp.
    const [told, written] = [
      trimmed.filter(({ gone }) => gone.length === 0),
      trimmed.filter(({ gone }) => gone.length > 0),
    ];
    const toldIds = new Set(told.map(({ stamp }) => stamp.id));
    const body = encodeMetadata(metadata, (stamp) => stamp.writtenOut && !toldIds.has(stamp.id));
    return {
      after: metadata,
      instead: (change) => {
        for (const { stamp } of told) deleteRow(change, key, stamp);
        for (const changeSet of written) storeRow(change, key, changeSet);
        change.add(
          { sql: "update metadata set body = ?, writes = writes + 1 where id = ?", args: [body, key] },
          { silent: true },
        );
      },
    };
  });
}
