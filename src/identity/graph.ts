import type { Store } from "../store/store.ts";

/** Lines of the longest graph; what goes beyond is left out and said in a comment. */
export const mostGraphLines = 50_000;

/**
 * Users, groups and roles as a graph in the DOT language of Graphviz: an arrow leads from a user or group to what it
 * belongs to. With names, only those users and groups are shown and what they lead to.
 */
export async function drawGraph(
  store: Store,
  names: { readonly users: readonly string[]; readonly groups: readonly string[] },
): Promise<string> {
  const everything = names.users.length === 0 && names.groups.length === 0;
  const startUsers = everything
    ? "select id from user"
    : "select id from user where name in (select value from json_each(?1))";
  const startGroups = everything
    ? "select id from user_group"
    : `select id from user_group where name in (select value from json_each(?2))
       union select group_id from group_user where user_id in (${startUsers})`;
  const shown = `with recursive shown(id) as (
    ${startGroups} union select e.parent_id from shown join group_child e on e.child_id = shown.id
  )`;
  const args = everything ? [] : [JSON.stringify(names.users), JSON.stringify(names.groups)];
  const limit = `limit ${mostGraphLines + 1}`;
  // Where the names are not used by a statement they are named all the same: some servers refuse spare arguments.
  const where = everything ? "true" : "?1 is not null and ?2 is not null";
  const [users, groups, memberships, edges] = await store.readAll([
    { sql: `select name, disabled from user where id in (${startUsers}) and ${where} order by name ${limit}`, args },
    {
      sql: `${shown} select name, role from shown join user_group g using (id) where ${where} order by name ${limit}`,
      args,
    },
    {
      sql: `select u.name as "from", g.name as "to" from user u join group_user m on m.user_id = u.id
        join user_group g on g.id = m.group_id where u.id in (${startUsers}) and ${where} order by 1, 2 ${limit}`,
      args,
    },
    {
      sql: `${shown} select c.name as "from", p.name as "to" from shown join group_child e on e.child_id = shown.id
        join user_group c on c.id = e.child_id join user_group p on p.id = e.parent_id where ${where} order by 1, 2 ${limit}`,
      args,
    },
  ]);
  const lines = [
    ...(users ?? []).map(
      (row) =>
        `${node("user", row.name)} [label=${quoted(row.name)}, shape=ellipse${row.disabled === 1 ? ", style=dashed" : ""}]`,
    ),
    ...(groups ?? []).map(
      (row) => `${node("group", row.name)} [label=${quoted(row.name)}, shape=${row.role === 1 ? "octagon" : "box"}]`,
    ),
    ...(memberships ?? []).map((row) => `${node("user", row.from)} -> ${node("group", row.to)}`),
    ...(edges ?? []).map((row) => `${node("group", row.from)} -> ${node("group", row.to)}`),
  ];
  const cut = lines.length > mostGraphLines ? ["// The graph is larger; name users or groups to see a part of it"] : [];
  const body = [...lines.slice(0, mostGraphLines).map((line) => `${line};`), ...cut].map((line) => `  ${line}\n`);
  return `digraph {\n  rankdir=BT;\n${body.join("")}}\n`;
}

/** A user and a group may have the same name: the kind is part of a node's name, the label is the name alone. */
function node(kind: "user" | "group", name: unknown): string {
  return quoted(`${kind} ${name}`);
}

function quoted(text: unknown): string {
  return `"${String(text).replace(/[\\"]/g, "\\$&")}"`;
}
