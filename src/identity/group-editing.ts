import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { Group } from "./documents.ts";
import { commitIdentity, type Editing } from "./editing.ts";
import { requireGrantable } from "./grants.ts";
import { editEnds, readEnds } from "./group-ends.ts";
import { recordGroupCreated, recordGroupDeleted } from "./group-events.ts";
import { deleteKeyValues, type KeyValueOwner, putKeyValues } from "./key-values.ts";
import { checkGroupName, checkText } from "./names.ts";
import { raced, repeatWhenRaced } from "./repeat-when-raced.ts";
import { roles } from "./roles.ts";
import { noSuchGroup } from "./user-changes.ts";

/** Characters of the longest description. */
export const longestDescription = 65_536;

/** Creates a group. @throws KinoraError `invalid-input` for an illegal name, `conflict` for a taken one */
export async function createGroup(editing: Editing, name: string): Promise<void> {
  const change = editing.change();
  addGroupRow(change, editing, name, undefined);
  await commitIdentity(editing, change);
}

/**
 * Creates or extends a group: parents, children, users and metadata of the document are added, those with `remove` taken
 * out, the description set. A role's members and children can be edited so, its parents and description cannot.
 *
 * @param clear parents, children and users that the document does not name are taken out
 * @throws KinoraError `invalid-input`, `not-found`, `conflict` when a group would depend on itself, `forbidden`
 */
export async function putGroup(editing: Editing, name: string, group: Group, clear: boolean): Promise<void> {
  if (group.groupName !== undefined && group.groupName !== name) {
    throw new KinoraError("invalid-input", {
      context: "groupName",
      value: group.groupName,
      explanation: `The path names the group ${name}; groups cannot be renamed`,
    });
  }
  if (group.description !== undefined) checkText(group.description, "description", longestDescription);
  await repeatWhenRaced(async () => {
    const present = await readEnds(editing, name, group, clear);
    const role = present.group?.role === 1;
    if (role && (group.description !== undefined || group.parentGroupList?.group?.length)) {
      refuse(name, "A role depends on nothing, and its description is fixed");
    }
    const change = editing.change();
    if (!present.group) addGroupRow(change, editing, name, group.description);
    else if (group.description !== undefined) setDescription(change, name, group.description);
    if (group.metadata) putKeyValues(change, groupMetadata(name), group.metadata);
    editEnds(editing, change, name, group, { ...present, clear: clear && present.group !== undefined });
    await commitIdentity(editing, change);
  });
}

/** Sets the description of a group. @throws KinoraError `not-found`, `invalid-input` for a role */
export async function putDescription(editing: Editing, name: string, description: string): Promise<void> {
  await putGroup(editing, name, { description }, false);
}

/** Adds a user to a group, or takes one out; nothing happens when it is so already. @throws KinoraError */
export async function editMember(editing: Editing, group: string, user: string, mode: "ADD" | "REMOVE"): Promise<void> {
  await putPresentGroup(editing, group, { userList: { user: [{ userName: user, remove: mode === "REMOVE" }] } });
}

/** Makes a group the child of another, or ends that. @throws KinoraError */
export async function editChild(editing: Editing, group: string, child: string, mode: "ADD" | "REMOVE"): Promise<void> {
  await putPresentGroup(editing, group, {
    childGroupList: { group: [{ groupName: child, remove: mode === "REMOVE" }] },
  });
}

async function putPresentGroup(editing: Editing, name: string, group: Group): Promise<void> {
  const rows = await editing.store.query({ sql: "select 1 from user_group where name = ?", args: [name] });
  if (rows.length === 0) throw noSuchGroup(name);
  await putGroup(editing, name, group, false);
}

/**
 * Deletes groups with their memberships, edges and metadata; all or none.
 *
 * @throws KinoraError `not-found`, `invalid-input` for a role, `forbidden`
 */
export async function deleteGroups(editing: Editing, names: readonly string[]): Promise<void> {
  await repeatWhenRaced(async () => {
    const rows = await editing.store.query({
      sql: "select name, role from user_group where name in (select value from json_each(?))",
      args: [JSON.stringify(names)],
    });
    const isRole = new Map(rows.map((row) => [row.name, row.role === 1]));
    for (const name of names) {
      if (!isRole.has(name)) throw noSuchGroup(name);
      if (isRole.get(name)) refuse(name, "A role cannot be deleted");
    }
    const change = editing.change();
    change.require(
      {
        sql: "select count(*) = ? from user_group where name in (select value from json_each(?))",
        args: [isRole.size, JSON.stringify(names)],
      },
      new KinoraError("conflict", { explanation: "Another caller has deleted one of the groups meanwhile" }),
    );
    requireGrantable(change, editing.grantor, names);
    const group = "(select id from user_group where name = ?)";
    for (const name of new Set(names)) {
      deleteKeyValues(change, groupMetadata(name));
      change.add(
        { sql: `delete from group_user where group_id = ${group}`, args: [name] },
        { sql: `delete from group_child where parent_id = ${group}`, args: [name] },
        { sql: `delete from group_child where child_id = ${group}`, args: [name] },
        { sql: "delete from user_group where name = ?", args: [name] },
      );
      recordGroupDeleted(change, name);
    }
    await commitIdentity(editing, change);
  });
}

/** Whose simple metadata a group's is. */
export function groupMetadata(name: string): KeyValueOwner {
  return {
    entity: "group",
    row: { sql: "(select id from user_group where name = ?)", args: [name] },
    missing: noSuchGroup(name),
  };
}

function addGroupRow(change: Change, editing: Editing, name: string, description: string | undefined): void {
  const taken = new KinoraError("conflict", { type: "Group", id: name, explanation: `The name ${name} is taken` });
  if (roles.some((role) => role.name === name)) throw taken;
  checkGroupName(name);
  change.require({ sql: "select not exists (select 1 from user_group where name = ?)", args: [name] }, taken);
  change.add({
    sql: "insert into user_group (name, description, created) values (?, ?, ?)",
    args: [name, description ?? null, editing.store.now()],
  });
  recordGroupCreated(change, name);
}

function setDescription(change: Change, name: string, description: string): void {
  change.require({ sql: "select exists (select 1 from user_group where name = ?)", args: [name] }, raced);
  change.add({ sql: "update user_group set description = ? where name = ?", args: [description, name] });
}

function refuse(value: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context: "groupName", value, explanation });
}
