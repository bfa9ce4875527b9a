import { KinoraError } from "../../errors.ts";
import { raced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import { accessKey, accessKinds } from "../access/access-entity.ts";
import { placeEntities } from "../access/place-entities.ts";
import { shareLibrary } from "../access/share-library.ts";
import { siteOf } from "../fields/site.ts";
import type { MetadataRow } from "../metadata/metadata-row.ts";
import { reinherit } from "../metadata/reindex.ts";
import { handLater, mostSpread } from "../metadata/spread-write.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import { recordContent } from "./collection-events.ts";
import { inheritanceSources } from "./inheritance.ts";
import { memberKinds, positionStep } from "./member.ts";
import { addContentFields, addMemberFields } from "./stored-fields.ts";

/** A member that is put into a collection, or that is in it and is put again. */
export interface PutMember {
  readonly key: number;
  readonly passes: boolean;
  /** Absent: behind all others; when it is in the collection already, where it is. */
  readonly position?: number;
  /** Pairs of key and value in JSON; `null` for none, absent when they stay. */
  readonly metadata?: string | null;
}

/** What becomes of the content of a collection. */
export interface MembershipEdit {
  readonly put?: readonly PutMember[];
  /** Keys of members that leave. */
  readonly removed?: readonly number[];
  /** Keys and new positions of members that stay. */
  readonly moved?: readonly (readonly [key: number, position: number])[];
  /** The number of changes of the content that the edit is planned for; absent when it holds for any. */
  readonly plannedFor?: number;
}

/** Members that one change puts into a collection or takes out of it. */
export const mostMembersAtOnce = 10_000;

const silent = { silent: true } as const;

/**
 * Adds to a change that members come into a collection, leave it, or lie otherwise in it: rows, access, fields, inherited
 * metadata, event. Must be the first thing in the change, and run inside `repeatWhenRaced`.
 *
 * The commit throws KinoraError `not-found` when the collection is gone, `conflict` when a collection would come to be in
 * itself.
 */
export async function changeMembers(
  environment: CollectionEnvironment,
  change: Change,
  collection: number,
  edit: MembershipEdit,
): Promise<void> {
  await placeMembers(environment, change, collection, edit);
  await writeMembers(environment, change, collection, edit);
}

/** The first part of {@link changeMembers}: their access, and what must hold. Behind it metadata may be written. */
export async function placeMembers(
  environment: CollectionEnvironment,
  change: Change,
  collection: number,
  { put = [], removed = [], plannedFor }: MembershipEdit,
): Promise<void> {
  const { store } = environment;
  const container = accessKey("collection", collection);
  const passing = new Set(put.filter(({ passes }) => passes).map(({ key }) => key));
  const leaving = new Set(removed);
  await placeEntities(store, change, {
    keys: [...put.map(({ key }) => key), ...removed],
    edit: (placement, key) => {
      if (leaving.has(key)) return { ...placement, parents: placement.parents.filter((one) => one !== container) };
      return passing.has(key) ? { ...placement, parents: [...placement.parents, container] } : placement;
    },
  });
  requireCollection(environment, change, collection);
  if (plannedFor !== undefined) {
    change.require({ sql: "select changes = ? from collection where id = ?", args: [plannedFor, collection] }, raced);
  }
  requireNoCycle(environment, change, collection, put);
}

/**
 * The second part of {@link changeMembers}.
 *
 * @param written the collection as the change has left its metadata in between; absent when it did not touch that
 */
export async function writeMembers(
  environment: CollectionEnvironment,
  change: Change,
  collection: number,
  { put = [], removed = [], moved = [] }: MembershipEdit,
  written?: MetadataRow,
): Promise<void> {
  const { store, ids, hooks } = environment;
  await inheritOtherwise(environment, change, { collection, put, removed, written });
  addRows(change, collection, put, removed, moved);
  for (const { key, passes } of put) if (passes && key % 8 === memberKinds.library) shareLibrary(change, key);
  const touched = [...put.map(({ key }) => key), ...removed];
  addMemberFields(change, siteOf(store), touched);
  change.add({ sql: "update collection set changes = changes + 1 where id = ?", args: [collection] }, silent);
  addContentFields(change, [collection]);
  const of = (kind: number) => touched.filter((key) => key % 8 === kind).map((key) => Math.floor(key / 8));
  const members = { items: of(memberKinds.item), collections: of(memberKinds.collection) };
  for (const hook of hooks) await hook.membersChanged?.(change, members);
  recordContent(change, ids.format(collection));
}

function requireCollection({ ids }: CollectionEnvironment, change: Change, collection: number): void {
  change.require(
    { sql: "select exists (select 1 from collection where id = ?)", args: [collection] },
    new KinoraError("not-found", { type: accessKinds.collection.type, id: ids.format(collection) }),
  );
}

/** None of the collections that are put in is the collection itself, or one that it is in. */
function requireNoCycle(
  { ids }: CollectionEnvironment,
  change: Change,
  collection: number,
  put: readonly PutMember[],
): void {
  const children = put.filter(({ key }) => key % 8 === memberKinds.collection).map(({ key }) => Math.floor(key / 8));
  if (children.length === 0) return;
  change.require(
    {
      sql: `with recursive up (id) as (
          select ?
          union
          select m.collection from up cross join collection_member m on m.kind = ${memberKinds.collection} and m.member = up.id
        )
        select not exists (select 1 from up where id in (select value from json_each(?)))`,
      args: [collection, JSON.stringify(children)],
    },
    new KinoraError("conflict", {
      context: accessKinds.collection.type,
      id: ids.format(collection),
      explanation: "A collection cannot be in itself, neither directly nor through others",
    }),
  );
}

/** Items inherit metadata from the collections that they are in; sub-collections bring their items along. */
async function inheritOtherwise(
  environment: CollectionEnvironment,
  change: Change,
  {
    collection,
    put,
    removed,
    written,
  }: {
    readonly collection: number;
    readonly put: readonly PutMember[];
    readonly removed: readonly number[];
    readonly written: MetadataRow | undefined;
  },
): Promise<void> {
  const { anyInherited } = await environment.definitions.current();
  if (!anyInherited) return;
  const edges = { collection, added: put.map(({ key }) => key), removed };
  const { items, sources } = await inheritanceSources(environment.store, edges);
  if (items.length > mostSpread) handLater(environment, change, "item", items);
  else await reinherit(environment, change, items, sources, written);
}

function addRows(
  change: Change,
  collection: number,
  put: readonly PutMember[],
  removed: readonly number[],
  moved: readonly (readonly [number, number])[],
): void {
  if (removed.length > 0) {
    change.add(
      {
        sql: `delete from collection_member where collection = ?
          and (kind, member) in (select value % 8, value / 8 from json_each(?))`,
        args: [collection, JSON.stringify(removed)],
      },
      silent,
    );
  }
  if (put.length > 0) addPutRows(change, collection, put);
  if (moved.length > 0) {
    change.add(
      {
        sql: `update collection_member set position = m.value ->> 1 from json_each(?) m
          where collection = ? and kind = (m.value ->> 0) % 8 and member = (m.value ->> 0) / 8`,
        args: [JSON.stringify(moved), collection],
      },
      silent,
    );
  }
}

function addPutRows(change: Change, collection: number, put: readonly PutMember[]): void {
  const rows = put.map(({ key, passes, position, metadata }) => [
    key,
    passes ? 1 : 0,
    position ?? null,
    metadata ?? null,
    metadata === undefined ? 0 : 1,
  ]);
  const list = JSON.stringify(rows);
  change.add(
    {
      sql: `insert into collection_member (collection, kind, member, position, passes, metadata)
        select c.id, (p.value ->> 0) % 8, (p.value ->> 0) / 8,
          coalesce((select max(position) from collection_member where collection = c.id), 0) + (p.key + 1) * ${positionStep},
          p.value ->> 1, p.value ->> 3
        from collection c, json_each(?) p where c.id = ?
        on conflict (collection, kind, member) do update set passes = max(passes, excluded.passes)`,
      args: [list, collection],
    },
    silent,
  );
  if (!put.some(({ position, metadata }) => position !== undefined || metadata !== undefined)) return;
  change.add(
    {
      sql: `update collection_member set position = coalesce(p.value ->> 2, position),
          metadata = case p.value ->> 4 when 1 then p.value ->> 3 else metadata end
        from json_each(?) p
        where collection = ? and kind = (p.value ->> 0) % 8 and member = (p.value ->> 0) / 8`,
      args: [list, collection],
    },
    silent,
  );
}
