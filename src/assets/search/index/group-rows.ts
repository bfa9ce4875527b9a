import type { IndexedGroup, IndexedValue } from "../../index-port.ts";
import { groupToken, kindToken, timedMark } from "../tokens/token.ts";
import { tokenText } from "./entity-tokens.ts";

/**
 * Which values a search within one instance of a field group sees. `separate`: those that stand in the instance itself;
 * groups in it are instances of their own. `mergeToTopLevelGroup`: those of an outermost instance with all groups in it.
 */
export const groupStyles = ["separate", "mergeToTopLevelGroup"] as const;
export type GroupStyle = (typeof groupStyles)[number];

/** One instance of a field group as the index has it. */
export interface GroupRow {
  readonly entry: number;
  /** Entry of the instance around it; 0 when there is none. */
  readonly parent: number;
  readonly name: string;
  readonly tokens: string;
}

export const groupKind = kindToken("group");

/** The instances that a difference of values touches. */
export function touchedGroups(values: readonly IndexedValue[], style: GroupStyle): ReadonlySet<number> {
  const touched = new Set<number>();
  for (const { groups } of values) {
    for (const group of style === "separate" ? groups : groups.slice(0, 1)) touched.add(group.entry);
  }
  return touched;
}

/** The instances that some values stand in; `only` those, when given. */
export function groupRows(
  values: readonly IndexedValue[],
  style: GroupStyle,
  only?: ReadonlySet<number>,
): readonly GroupRow[] {
  const instances = new Map<
    number,
    { readonly group: IndexedGroup; readonly parent: number; values: IndexedValue[] }
  >();
  const instance = (group: IndexedGroup, parent: number) => {
    let found = instances.get(group.entry);
    if (found === undefined) {
      found = { group, parent, values: [] };
      instances.set(group.entry, found);
    }
    return found;
  };
  for (const value of values) {
    const [outermost] = value.groups;
    if (outermost === undefined) continue;
    if (style === "mergeToTopLevelGroup") {
      instance(outermost, 0).values.push(value);
      continue;
    }
    let parent = 0;
    for (const group of value.groups) {
      const found = instance(group, parent);
      if (group === value.groups.at(-1)) found.values.push(value);
      parent = group.entry;
    }
  }
  const rows: GroupRow[] = [];
  for (const { group, parent, values: inside } of instances.values()) {
    if (only !== undefined && !only.has(group.entry)) continue;
    const names = style === "separate" ? [group.name] : namesIn(inside);
    const isTimed = inside.some(({ span }) => span !== undefined);
    const named = names.map(groupToken).flatMap((token) => (isTimed ? [token, timedMark + token] : [token]));
    const tokens = tokenText([groupKind, ...named], inside);
    rows.push({ entry: group.entry, parent, name: group.name, tokens });
  }
  return rows;
}

/** In the merged style an instance answers to the names of all groups in it. */
function namesIn(inside: readonly IndexedValue[]): readonly string[] {
  return [...new Set(inside.flatMap(({ groups }) => groups.map(({ name }) => name)))];
}
