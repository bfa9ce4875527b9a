import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { accessEntityOf, accessKinds } from "./access-entity.ts";
import { type AccessList, ownerEntryId, readAccessLists, type StoredEntry } from "./access-entries.ts";
import { type AppliedEntry, appliedEntries, type Place } from "./effective-access.ts";
import { formatAccessEntity } from "./entity-id.ts";
import { readStructure } from "./read-containers.ts";

/** An entry that applies to an entity, with the names that lists show. */
export interface NamedApplied extends AppliedEntry {
  readonly id: number;
  /** Of the user or group. */
  readonly name: string;
  readonly grantorName?: string;
}

/** The access lists of an entity and of everything from which access reaches it. */
export interface Surrounding {
  readonly own: AccessList;
  readonly lists: ReadonlyMap<number, AccessList>;
}

/** Reads the access list of an entity and those above it. @throws KinoraError `not-found` */
export async function readSurrounding(store: Store, entity: number): Promise<Surrounding> {
  const own = (await readAccessLists(store, [entity])).get(entity);
  if (own === undefined) {
    const { type } = accessKinds[accessEntityOf(entity).kind];
    throw new KinoraError("not-found", { type, id: formatAccessEntity(store.ids, entity) });
  }
  const { containers } = await readStructure(store, [], own.placement.parents);
  return { own, lists: await readAccessLists(store, [...containers.keys()]) };
}

/** Every entry in force that applies to an entity, the deciding ones first. */
export function namedApplied({ own, lists }: Surrounding): readonly NamedApplied[] {
  const placeOf = (list: AccessList): Place => ({
    ...list.placement,
    owner: list.owner === undefined ? 0 : list.placement.owner,
    grants: list.entries.filter(({ suspended }) => suspended !== true),
  });
  const applied = appliedEntries(placeOf(own), (key) => {
    const list = lists.get(key);
    return list && placeOf(list);
  });
  return applied.map((one) => {
    const list = one.container === undefined ? own : (lists.get(one.container) ?? own);
    if (one.owner) return { ...one, id: ownerEntryId(list.entity), name: list.owner ?? "" };
    const { id, name, grantorName } = one.entry as StoredEntry;
    return { ...one, id, name, ...(grantorName === undefined ? {} : { grantorName }) };
  });
}
