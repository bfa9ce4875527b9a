import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { SqlValue } from "../store/database.ts";
import { recordGroupModified } from "./group-events.ts";
import { raced } from "./repeat-when-raced.ts";

/** A user's name and the name of a group that the user belongs to. */
export type Membership = readonly [user: string, group: string];
/** Names of a parent group and of its child. */
export type Descent = readonly [parent: string, child: string];

/** Edges that an edit makes and ends. None of the added ones exists, all of the removed ones do: as it was read. */
export interface EdgeEdit<Edge> {
  readonly added: readonly Edge[];
  readonly removed: readonly Edge[];
}

const userEdges = {
  ends: "user a, user_group b",
  exists: "select 1 from group_user e where e.user_id = a.id and e.group_id = b.id",
  insert: "insert into group_user (user_id, group_id, origin) select a.id, b.id, ?2",
  remove: "delete from group_user where (user_id, group_id) in (select a.id, b.id",
};
const groupEdges = {
  ends: "user_group a, user_group b",
  exists: "select 1 from group_child e where e.parent_id = a.id and e.child_id = b.id",
  insert: "insert into group_child (parent_id, child_id) select a.id, b.id",
  remove: "delete from group_child where (parent_id, child_id) in (select a.id, b.id",
};

/**
 * Adds memberships to a change and takes others away, with their events.
 *
 * @param origin who makes the added ones, when it is not a caller of the API
 */
export function editMemberships(change: Change, edit: EdgeEdit<Membership>, origin?: string): void {
  editEdges(change, userEdges, edit, [origin ?? null]);
  for (const [user, group] of edit.added) recordGroupModified(change, group, "ADD", { user });
  for (const [user, group] of edit.removed) recordGroupModified(change, group, "REMOVE", { user });
}

/**
 * Adds edges between groups and takes others away, with their events. All edges have the group `centre` at one end, so
 * that a cycle could only run through it: whether one does is asked inside the batch, where no other writer can come
 * between.
 *
 * @throws KinoraError `conflict` by the commit when a group would depend on itself
 */
export function editHierarchy(change: Change, centre: string, edit: EdgeEdit<Descent>): void {
  editEdges(change, groupEdges, edit, []);
  const children = edit.added.filter(([parent]) => parent === centre).map(([, child]) => child);
  const parents = edit.added.filter(([, child]) => child === centre).map(([parent]) => parent);
  if (children.length > 0) requireNoWay(change, centre, children, "down");
  if (parents.length > 0) requireNoWay(change, centre, parents, "up");
  for (const [group, child] of edit.added) recordGroupModified(change, group, "ADD", { group: child });
  for (const [group, child] of edit.removed) recordGroupModified(change, group, "REMOVE", { group: child });
}

function editEdges(
  change: Change,
  kind: typeof userEdges,
  edit: EdgeEdit<readonly [string, string]>,
  further: readonly SqlValue[],
): void {
  const pairs = `from json_each(?1) p, ${kind.ends} where a.name = p.value ->> 0 and b.name = p.value ->> 1`;
  if (edit.removed.length > 0) {
    const removed = JSON.stringify(edit.removed);
    requireCount(change, `select count(*) ${pairs} and exists (${kind.exists})`, removed, edit.removed.length);
    change.add({ sql: `${kind.remove} ${pairs})`, args: [removed] });
  }
  if (edit.added.length > 0) {
    const added = JSON.stringify(edit.added);
    requireCount(change, `select count(*) ${pairs} and not exists (${kind.exists})`, added, edit.added.length);
    change.add({ sql: `${kind.insert} ${pairs}`, args: [added, ...further] });
  }
}

function requireCount(change: Change, count: string, pairs: string, expected: number): void {
  change.require({ sql: `select (${count}) = ?2`, args: [pairs, expected] }, raced);
}

/**
 * No walk from the given groups comes to `centre`. A walk that cannot arrive is not begun: building a chain of any
 * length from either end costs the same for each group.
 */
function requireNoWay(change: Change, centre: string, from: readonly string[], way: "up" | "down"): void {
  const [here, there] = way === "down" ? ["parent_id", "child_id"] : ["child_id", "parent_id"];
  change.require(
    {
      sql: `with recursive
        centre(id) as (select id from user_group where name = ?1),
        walk(id) as (
          select id from user_group where name in (select value from json_each(?2))
            and exists (select 1 from group_child e, centre c where e.${there} = c.id)
          union
          select e.${there} from walk join group_child e on e.${here} = walk.id
        )
        select not exists (select 1 from walk join centre using (id))`,
      args: [centre, JSON.stringify(from)],
    },
    new KinoraError("conflict", { type: "Group", id: centre, explanation: "A group cannot depend on itself" }),
  );
}
