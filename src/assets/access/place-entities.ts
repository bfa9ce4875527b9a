import { raced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { accessClassOf } from "./access-class.ts";
import { accessKinds } from "./access-entity.ts";
import { type Placement, parsePlacement, placementKey } from "./access-set.ts";
import type { Containers } from "./effective-access.ts";
import { readStructure, type Structure, sameSetsBelow, sameStructure, structureVersion } from "./read-containers.ts";
import { reclassify } from "./reclassify.ts";
import { addClass, addSet, addSweep } from "./write-sets.ts";

/** How entities come to stand, as far as access goes. */
export interface Replacing {
  /** Keys of the entities that may stand otherwise afterwards. */
  readonly keys: readonly number[];
  /** How an entity stands afterwards; the same object when nothing changes. */
  readonly edit: (placement: Placement, key: number) => Placement;
  /** Keys of containers that are no more. */
  readonly gone?: readonly number[];
}

/** Entities that go from one set to another together. */
interface Move {
  readonly from: number;
  /** The class of the set that they leave. */
  readonly class: number;
  readonly to: Placement;
  readonly key: string;
  readonly keys: number[];
}

/**
 * Adds to a change that entities stand otherwise: each gets the access set of its new placement, and every set below a
 * container that passes on something else gets another class. The cost is in the entities that are named and in the
 * sets below, never in the entities below.
 *
 * To be called once in a change, before anything else is added to it, inside `repeatWhenRaced`: the commit throws the
 * race when an entity stands otherwise than it was read, or when somebody else changed what containers pass on.
 */
export async function placeEntities(store: Store, change: Change, replacing: Replacing): Promise<void> {
  const { gone = [] } = replacing;
  const { moves, staying } = await readMoves(store, replacing);
  requirePlaced(change, staying);
  const changing = [...moves.flatMap(({ keys }) => keys.filter(isContainer)), ...gone];
  const known = await readSetIds(
    store,
    moves.map(({ key }) => key),
  );
  const missing = moves.filter(({ key }) => !known.has(key));
  const left = moves.map((move) => move.class);
  if (changing.length > 0 || missing.length > 0) {
    const structure = await readStructure(
      store,
      changing,
      missing.flatMap(({ to }) => to.parents),
    );
    change.require(sameStructure(structure.version), raced);
    const containers = containersAfter(structure, moves, gone);
    if (changing.length > 0) {
      change.require(sameSetsBelow(changing, structure.below), raced);
      reclassify(change, structure.below, containers);
      store.versions.bump(change, structureVersion);
    }
    for (const { to } of uniqueByKey(missing)) {
      const accessClass = accessClassOf(to, containers);
      addClass(change, accessClass);
      addSet(change, to, accessClass);
    }
    left.push(...structure.below.map((set) => set.class));
  }
  requireSets(change, [...known.values()]);
  for (const move of moves) addMove(change, move, known.get(move.key));
  addSweep(
    change,
    moves.map(({ from }) => from),
    left,
  );
}

function isContainer(key: number): boolean {
  return key % 8 !== accessKinds.item.number;
}

interface Moves {
  readonly moves: readonly Move[];
  /** Keys of entities that stay in their set, with the set. */
  readonly staying: readonly (readonly [key: number, set: number])[];
}

async function readMoves(store: Store, { keys, edit }: Replacing): Promise<Moves> {
  const wanted = new Set(keys);
  if (wanted.size === 0) return { moves: [], staying: [] };
  const rows = await store.query({
    sql: `select d.id, d.access, s.key, s.class from search_document d join access_set s on s.id = d.access
      where d.id in (select value from json_each(?))`,
    args: [JSON.stringify([...wanted])],
  });
  // An entity that went away meanwhile: whoever looks again is told so.
  if (rows.length !== wanted.size) throw raced;
  const moves = new Map<string, Move>();
  const staying: (readonly [number, number])[] = [];
  for (const row of rows) {
    const entity = Number(row.id);
    const before = parsePlacement(String(row.key));
    const to = edit(before, entity);
    const key = placementKey(to);
    if (key === row.key) {
      staying.push([entity, Number(row.access)]);
      continue;
    }
    const group = `${row.access} ${key}`;
    const move = moves.get(group);
    if (move === undefined)
      moves.set(group, { from: Number(row.access), class: Number(row.class), to, key, keys: [entity] });
    else move.keys.push(entity);
  }
  return { moves: [...moves.values()], staying };
}

/** Nobody else has moved these meanwhile: whoever did may have meant to undo what they stay for. */
function requirePlaced(change: Change, staying: Moves["staying"]): void {
  if (staying.length === 0) return;
  change.require(
    {
      sql: `select count(*) = ? from json_each(?) s
        join search_document d on d.id = s.value ->> 0 and d.access = s.value ->> 1`,
      args: [staying.length, JSON.stringify(staying)],
    },
    raced,
  );
}

async function readSetIds(store: Store, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await store.query({
    sql: "select id, key from access_set where key in (select value from json_each(?))",
    args: [JSON.stringify([...new Set(keys)])],
  });
  return new Map(rows.map((row) => [String(row.key), Number(row.id)]));
}

function containersAfter(structure: Structure, moves: readonly Move[], gone: readonly number[]): Containers {
  const after = new Map<number, Placement>(structure.containers);
  for (const { to, keys } of moves) for (const key of keys) after.set(key, to);
  for (const key of gone) after.delete(key);
  return (key) => after.get(key);
}

function uniqueByKey(moves: readonly Move[]): readonly Move[] {
  return [...new Map(moves.map((move) => [move.key, move])).values()];
}

/** The sets that are there already have not been swept away meanwhile. */
function requireSets(change: Change, sets: readonly number[]): void {
  if (sets.length === 0) return;
  change.require(
    {
      sql: "select count(*) = ? from access_set where id in (select value from json_each(?))",
      args: [sets.length, JSON.stringify(sets)],
    },
    raced,
  );
}

function addMove(change: Change, { from, key, keys }: Move, known: number | undefined): void {
  const set = known === undefined ? "(select id from access_set where key = ?)" : "?";
  change.add(
    {
      sql: `update search_document set access = ${set} where access = ? and id in (select value from json_each(?))`,
      args: [known ?? key, from, JSON.stringify(keys)],
    },
    { silent: true },
  );
  change.require({ sql: "select changes() = ?", args: [keys.length] }, raced);
}
