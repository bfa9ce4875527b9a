import { raced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { EntityKind } from "../entity.ts";
import type { Definitions } from "../fields/definitions.ts";
import type { IndexedValue } from "../index-port.ts";
import { changeSetOf, currentPart, encodeChangeSet } from "./change-set.ts";
import { encodeMetadata } from "./compact.ts";
import { type Difference, difference } from "./difference.ts";
import { indexedPlaced, indexedValues, type Shown, valueDifference } from "./indexed-values.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { recordWrite } from "./metadata-event.ts";
import type { TransientValues } from "./metadata-row.ts";
import { type ChangeStamp, type Metadata, modifiedAt } from "./model.ts";
import { referencesIn } from "./reference.ts";

/** The entity that a write is about, as it was read. */
export interface WrittenEntity {
  readonly kind: EntityKind;
  readonly serial: number;
  readonly key: number;
  /** Of the row; 0 when there is none yet. */
  readonly writes: number;
  /** How many other entities refer to it. */
  readonly referring?: number;
}

/** A write: the states that the metadata goes through, one for each change set. */
export interface MetadataWrite {
  readonly entity: WrittenEntity;
  /** The state that was read, then the state after each change set. */
  readonly states: readonly [Metadata, ...Metadata[]];
  readonly definitions: Definitions;
  /** The history itself is edited: no change set is made. Default `false`. */
  readonly editsHistory?: boolean;
  /** What the entity shows of others, before and behind the write; absent when it shows nothing. */
  readonly shown?: { readonly before: Shown; readonly after: Shown };
  /** Only for a new entity. */
  readonly owner?: string;
  readonly transient?: TransientValues;
}

function storeChangeSet(change: Change, entity: number, stamp: ChangeStamp, body: string): void {
  change.add(
    {
      sql: "insert or replace into change_set (entity, sequence, id, user, time, body) values (?, ?, ?, ?, ?, ?)",
      args: [entity, stamp.sequence, stamp.id, stamp.user, stamp.time, body],
    },
    { silent: true },
  );
}

/** Writes out the change sets that the step from one state to the next supersedes, and its own if it takes away. */
function storeHistory(
  change: Change,
  entity: number,
  before: Metadata,
  after: Metadata,
  step: Difference,
  writtenOut: Set<ChangeStamp>,
  isNew: boolean,
): void {
  for (const stamp of step.superseded) {
    if (stamp.writtenOut || writtenOut.has(stamp)) continue;
    storeChangeSet(change, entity, stamp, encodeChangeSet(currentPart(before, stamp)));
    writtenOut.add(stamp);
  }
  const { last } = after;
  if (!isNew || step.gone.length === 0 || last === undefined || last === before.last) return;
  storeChangeSet(change, entity, last, encodeChangeSet(changeSetOf(after, last, step)));
  writtenOut.add(last);
}

function storeRow(change: Change, write: MetadataWrite, after: Metadata, writtenOut: ReadonlySet<ChangeStamp>): void {
  const { key, writes } = write.entity;
  const body = encodeMetadata(after, (stamp) => stamp.writtenOut || writtenOut.has(stamp));
  if (writes === 0) {
    const transient = write.transient === undefined ? null : JSON.stringify(write.transient);
    change.add(
      { sql: "insert into metadata (id, writes, body, transient) values (?, 1, ?, ?)", args: [key, body, transient] },
      { silent: true, unique: raced },
    );
    return;
  }
  // A write that has to reach those who refer to the entity holds only while nobody else does.
  change.add(
    {
      sql: `update metadata set writes = writes + 1, body = ? where id = ? and writes = ?
        and (select count(*) from metadata_reference where target = id) = ?`,
      args: [body, key, writes, write.entity.referring ?? 0],
    },
    { silent: true },
  );
  change.require({ sql: "select changes() = 1" }, raced);
}

/** Lets the change hold only while rows of metadata are as they were read; otherwise the race is repeated. */
export function requireSame(change: Change, rows: readonly { readonly key: number; readonly writes: number }[]): void {
  if (rows.length === 0) return;
  change.require(
    {
      sql: `select not exists (
        select 1 from json_each(?) seen left join metadata m on m.id = seen.value ->> 0
        where coalesce(m.writes, 0) <> seen.value ->> 1)`,
      args: [JSON.stringify(rows.map(({ key, writes }) => [key, writes]))],
    },
    raced,
  );
}

/** Keeps the table of who refers to whom. */
function storeReferences(
  change: Change,
  { uuids }: Pick<MetadataEnvironment, "uuids">,
  key: number,
  before: Metadata,
  after: Metadata,
): void {
  const earlier = referencesIn(before.timespans);
  const later = referencesIn(after.timespans);
  if (earlier.size === 0 && later.size === 0) return;
  if (earlier.size === later.size && [...earlier].every((uuid) => later.has(uuid))) return;
  const targets = new Set([...later].flatMap((uuid) => uuids.find(uuid)?.entityKey ?? []));
  change.add({ sql: "delete from metadata_reference where source = ?", args: [key] }, { silent: true });
  if (targets.size === 0) return;
  change.add(
    {
      sql: "insert into metadata_reference (target, source) select value, ? from json_each(?)",
      args: [key, JSON.stringify([...targets])],
    },
    { silent: true },
  );
}

/** What the index is given, and what of it is new and gone. */
function indexed(write: MetadataWrite, before: Metadata, after: Metadata, step: Difference) {
  const { definitions, shown } = write;
  const showsOthers = shown !== undefined || [before, after].some(({ timespans }) => referencesIn(timespans).size > 0);
  if (!showsOthers) {
    const values = indexedValues(definitions, after);
    const created = write.entity.writes === 0;
    return {
      values,
      added: created ? values : indexedPlaced(definitions, step.added),
      removed: created ? [] : indexedPlaced(definitions, step.removed),
    };
  }
  const values = indexedValues(definitions, after, shown?.after);
  return { values, ...valueDifference(indexedValues(definitions, before, shown?.before), values) };
}

/** What a write did, for those who tell of it. */
export interface WriteResult {
  readonly after: Metadata;
  readonly added: readonly IndexedValue[];
  readonly removed: readonly IndexedValue[];
}

/**
 * Adds a write to a change: the row, guarded by how often it was written; the history; the references; the index; the
 * event. The commit throws the race that `repeatWhenRaced` repeats when another writer was faster.
 */
export function addMetadataWrite(
  environment: MetadataEnvironment,
  change: Change,
  write: MetadataWrite,
  changeSet: ChangeStamp | undefined,
): WriteResult {
  const { entity, states } = write;
  const [first] = states;
  const after = states.at(-1) ?? first;
  const writtenOut = new Set<ChangeStamp>();
  let step: Difference | undefined;
  for (const [index, state] of states.entries()) {
    const before = states[index - 1];
    if (before === undefined) continue;
    step = difference(before, state);
    storeHistory(change, entity.key, before, state, step, writtenOut, write.editsHistory !== true);
  }
  const whole = states.length === 2 && step !== undefined ? step : difference(first, after);
  storeRow(change, write, after, writtenOut);
  storeReferences(change, environment, entity.key, first, after);
  const values = indexed(write, first, after, whole);
  environment.index.write(change, {
    kind: entity.kind,
    serial: entity.serial,
    key: entity.key,
    created: entity.writes === 0,
    modifiedAt: modifiedAt(after) ?? environment.store.now(),
    ...(write.owner === undefined ? {} : { owner: write.owner }),
    ...values,
  });
  if (changeSet !== undefined) recordWrite(environment, change, entity, changeSet, whole, after);
  return { after, added: values.added, removed: values.removed };
}
