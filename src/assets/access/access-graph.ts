import type { Store } from "../../store/store.ts";
import { accessEntityOf } from "./access-entity.ts";
import { formatAccessEntity } from "./entity-id.ts";
import { isGroupPrincipal } from "./principals.ts";
import { namedApplied, readSurrounding } from "./read-applied.ts";
import { permissionWord } from "./wanted-entry.ts";

export interface AccessGraphOptions {
  /** `ancestor`: what the entity is in. `grant`: who is given what, and where. */
  readonly type: "ancestor" | "grant";
  /** Only these; all when there are none. */
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** The access of an entity as a graph in the DOT language of Graphviz. @throws KinoraError `not-found` */
export async function drawAccess(
  store: Store,
  entity: number,
  { type, users, groups }: AccessGraphOptions,
): Promise<string> {
  const surrounding = await readSurrounding(store, entity);
  const lists = [surrounding.own, ...surrounding.lists.values()];
  const nameOf = (key: number) => `${accessEntityOf(key).kind} ${formatAccessEntity(store.ids, key)}`;
  const lines = lists.map(({ entity: key }) => `${quoted(nameOf(key))} [shape=${key === entity ? "box" : "folder"}]`);
  for (const { entity: key, placement } of lists) {
    for (const parent of placement.parents) {
      if (surrounding.lists.has(parent)) lines.push(`${quoted(nameOf(key))} -> ${quoted(nameOf(parent))}`);
    }
  }
  if (type === "grant") {
    const all = users.length === 0 && groups.length === 0;
    for (const one of namedApplied(surrounding)) {
      const group = isGroupPrincipal(one.entry.principal);
      if (!all && !(group ? groups : users).includes(one.name)) continue;
      const who = quoted(`${group ? "group" : "user"} ${one.name}`);
      const operation = one.entry.operation === "" ? "" : ` ${one.entry.operation}`;
      lines.push(`${who} [shape=ellipse]`);
      lines.push(
        `${quoted(nameOf(one.container ?? entity))} -> ${who} [label=${quoted(permissionWord(one.permission) + operation)}]`,
      );
    }
  }
  return `digraph {\n  rankdir=BT;\n${[...new Set(lines)].map((line) => `  ${line};\n`).join("")}}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
