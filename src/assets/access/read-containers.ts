import type { Row, Statement } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { type Placement, type PlacementJson, parsePlacement, placementOf } from "./access-set.ts";

/** Raised by every change of what collections and libraries pass on. */
export const structureVersion = "access-structure";

/** An access set as it is written. */
export interface StoredSet {
  readonly id: number;
  readonly placement: Placement;
  readonly class: number;
}

/** What collections and libraries pass on, and to which sets, at one version of the structure. */
export interface Structure {
  readonly version: number;
  readonly containers: ReadonlyMap<number, Placement>;
  /** The sets below the containers that change. */
  readonly below: readonly StoredSet[];
}

/** The containers below some, and the sets of everything in them. `?` takes keys in JSON. */
const belowClause = `down (key) as (
    select value from json_each(?)
    union
    select m.member * 8 + m.kind from down
    join collection_member m on m.collection = down.key / 8 and m.kind in (2, 7) and m.passes = 1
    where down.key % 8 = 2
  ),
  below (id) as (select distinct access_set from access_set_parent where container in (select key from down))`;

/** The containers from which access reaches some containers, and these themselves. `?` takes keys in JSON. */
const aboveClause = `up (key) as (
    select value from json_each(?)
    union
    select container from access_set_parent where access_set in (select id from below)
    union
    select p.container from up
    join search_document d on d.id = up.key
    join access_set_parent p on p.access_set = d.access
  )`;

/**
 * Reads what is needed to work out the access of sets, from one moment.
 *
 * @param changing keys of containers whose placement is about to change: all sets below them are read
 * @param further keys of containers from which access is going to come
 */
export async function readStructure(
  store: Store,
  changing: readonly number[],
  further: readonly number[],
): Promise<Structure> {
  const down = JSON.stringify(changing);
  const up = JSON.stringify([...changing, ...further]);
  const [versions, sets, containers] = await store.readAll([
    versionStatement,
    {
      sql: `with recursive ${belowClause}
        select json_group_array(json_array(s.id, json(s.key), s.class)) as list
        from access_set s where s.id in (select id from below)`,
      args: [down],
    },
    {
      sql: `with recursive ${belowClause}, ${aboveClause}
        select json_group_array(json_array(up.key, json(s.key))) as list
        from up join search_document d on d.id = up.key join access_set s on s.id = d.access`,
      args: [down, up],
    },
  ]);
  return {
    version: versionOf(versions),
    below: listIn<readonly [number, PlacementJson, number]>(sets).map(([id, placement, setClass]) => {
      return { id, placement: placementOf(placement), class: setClass };
    }),
    containers: new Map(
      listIn<readonly [number, PlacementJson]>(containers).map(([key, placement]) => [key, placementOf(placement)]),
    ),
  };
}

/** One row with everything: there can be many sets, and rows are expensive to hand over. */
function listIn<T>(rows: readonly Row[] | undefined): readonly T[] {
  return JSON.parse(String(rows?.[0]?.list ?? "[]")) as readonly T[];
}

const versionStatement: Statement = { sql: "select value from version where name = ?", args: [structureVersion] };

function versionOf(rows: readonly Row[] | undefined): number {
  return Number(rows?.[0]?.value ?? 0);
}

/** True as long as nobody has changed the structure. */
export function sameStructure(version: number): Statement {
  return {
    sql: "select coalesce((select value from version where name = ?), 0) = ?",
    args: [structureVersion, version],
  };
}

/** True as long as the sets below some containers are those that were read. */
export function sameSetsBelow(changing: readonly number[], below: readonly StoredSet[]): Statement {
  return {
    sql: `with recursive ${belowClause} select count(*) = ? and coalesce(max(id), 0) = ? from below`,
    args: [JSON.stringify(changing), below.length, below.reduce((highest, { id }) => Math.max(highest, id), 0)],
  };
}

/** The set in a row of `id`, `key`, `class`. */
export function storedSet(row: Row): StoredSet {
  return { id: Number(row.id), placement: parsePlacement(String(row.key)), class: Number(row.class) };
}
