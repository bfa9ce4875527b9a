import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { Row } from "../store/database.ts";
import type { Group } from "./documents.ts";
import type { Editing } from "./editing.ts";
import { requireGrantable } from "./grants.ts";
import { type Descent, editHierarchy, editMemberships, type Membership } from "./group-edges.ts";
import { noSuchGroup, noSuchUser } from "./user-changes.ts";

/** What is there at the other ends of a group's edges, and of what the document names. */
export interface Ends {
  readonly group: Row | undefined;
  readonly parents: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  /** Groups that the document names and that exist: whether they are roles. */
  readonly namedGroups: ReadonlyMap<string, boolean>;
  readonly namedUsers: ReadonlySet<string>;
}

interface Entry {
  readonly name: string;
  readonly remove: boolean;
}

function entriesOf(group: Group) {
  const ofGroup = (entry: Group): Entry => ({ name: entry.groupName ?? "", remove: entry.remove ?? false });
  return {
    parents: (group.parentGroupList?.group ?? []).map(ofGroup),
    children: (group.childGroupList?.group ?? []).map(ofGroup),
    users: (group.userList?.user ?? []).map((user) => ({ name: user.userName ?? "", remove: user.remove ?? false })),
  };
}

/** Reads what an edit of a group needs to know. */
export async function readEnds(editing: Editing, name: string, group: Group, clear: boolean): Promise<Ends> {
  const { parents, children, users } = entriesOf(group);
  const names = (entries: readonly Entry[]) => JSON.stringify(entries.map((entry) => entry.name));
  const self = "(select id from user_group where name = ?1)";
  // Of a group with many members only those that the document names are read, unless the others are to go.
  const named = clear ? "?2 is not null" : "e.name in (select value from json_each(?2))";
  const rows = await editing.store.readAll([
    { sql: "select role from user_group where name = ?", args: [name] },
    {
      sql: `select e.name from user_group e join group_child c on c.parent_id = e.id where c.child_id = ${self} and ${named}`,
      args: [name, names(parents)],
    },
    {
      sql: `select e.name from user_group e join group_child c on c.child_id = e.id where c.parent_id = ${self} and ${named}`,
      args: [name, names(children)],
    },
    {
      sql: `select e.name from user e join group_user m on m.user_id = e.id where m.group_id = ${self} and ${named}`,
      args: [name, names(users)],
    },
    {
      sql: "select name, role from user_group where name in (select value from json_each(?))",
      args: [names([...parents, ...children])],
    },
    { sql: "select name from user where name in (select value from json_each(?))", args: [names(users)] },
  ]);
  const namesOf = (index: number) => new Set((rows[index] ?? []).map((row) => String(row.name)));
  return {
    group: rows[0]?.[0],
    parents: namesOf(1),
    children: namesOf(2),
    users: namesOf(3),
    namedGroups: new Map(rows[4]?.map((row) => [String(row.name), row.role === 1])),
    namedUsers: namesOf(5),
  };
}

/**
 * Adds the edges that a document makes and ends to a change.
 *
 * @throws KinoraError `not-found`, `invalid-input`, `conflict`; `forbidden` and `conflict` also by the commit
 */
export function editEnds(
  editing: Editing,
  change: Change,
  name: string,
  group: Group,
  present: Ends & { readonly clear: boolean },
): void {
  const { parents, children, users } = entriesOf(group);
  for (const { name: other } of [...parents, ...children]) {
    if (!present.namedGroups.has(other)) throw noSuchGroup(other);
    if (other === name) throw new KinoraError("conflict", { type: "Group", id: name, explanation: dependsOnItself });
  }
  for (const { name: user } of users) if (!present.namedUsers.has(user)) throw noSuchUser(user);
  for (const { name: child, remove } of children) {
    if (present.namedGroups.get(child) && !remove) {
      throw new KinoraError("invalid-input", {
        context: "groupName",
        value: child,
        explanation: "A role cannot depend on a group",
      });
    }
  }
  const ofParents = differences(parents, present.parents, present.clear);
  const ofChildren = differences(children, present.children, present.clear);
  const ofUsers = differences(users, present.users, present.clear);

  const given = [...ofParents.added, ...ofParents.removed];
  const passedOn = [ofChildren.added, ofChildren.removed, ofUsers.added, ofUsers.removed];
  requireGrantable(change, editing.grantor, passedOn.some((list) => list.length > 0) ? [...given, name] : given);

  const above = (parent: string): Descent => [parent, name];
  const below = (child: string): Descent => [name, child];
  const member = (user: string): Membership => [user, name];
  editHierarchy(change, name, {
    added: [...ofParents.added.map(above), ...ofChildren.added.map(below)],
    removed: [...ofParents.removed.map(above), ...ofChildren.removed.map(below)],
  });
  editMemberships(change, { added: ofUsers.added.map(member), removed: ofUsers.removed.map(member) });
}

const dependsOnItself = "A group cannot depend on itself";

function differences(entries: readonly Entry[], present: ReadonlySet<string>, clear: boolean) {
  const wanted = new Map(entries.map((entry) => [entry.name, !entry.remove]));
  const added = [...wanted].filter(([name, keep]) => keep && !present.has(name)).map(([name]) => name);
  const removed = [...present].filter((name) => !(wanted.get(name) ?? !clear));
  return { added, removed };
}
