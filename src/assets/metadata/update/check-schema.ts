import type { Definitions, GroupSchema } from "../../fields/definitions.ts";
import type { GroupMember } from "../../fields/field-definition.ts";
import type { Container, GroupEntry, Metadata } from "../model.ts";
import { isGeneric } from "../time/time-span.ts";
import { invalid } from "./update-context.ts";

function requireCount(group: string, kind: "field" | "group", { name, min, max }: GroupMember, count: number): void {
  const things = kind === "field" ? `values of the field ${name}` : `groups ${name}`;
  const problem =
    count < min ? `at least ${min} ${things}` : max >= 0 && count > max ? `at most ${max} ${things}` : undefined;
  if (problem === undefined) return;
  throw invalid(`By the metadata schema a group ${group} has ${problem}, not ${count}`, { id: name });
}

function checkContainer(name: string, { fields, groups }: Container, schema: GroupSchema): void {
  const values = new Map<string, number>();
  for (const field of fields) {
    const count = field.reference === undefined ? field.values.length : 1;
    values.set(field.name, (values.get(field.name) ?? 0) + count);
  }
  const instances = new Map<string, number>();
  for (const group of groups) instances.set(group.name, (instances.get(group.name) ?? 0) + 1);
  for (const member of schema.fields) requireCount(name, "field", member, values.get(member.name) ?? 0);
  for (const member of schema.groups) requireCount(name, "group", member, instances.get(member.name) ?? 0);
}

function checkGroups(
  groups: readonly GroupEntry[],
  known: ReadonlySet<GroupEntry>,
  schema: Definitions["schema"],
): void {
  for (const group of groups) {
    if (known.has(group)) continue;
    const rules = schema.get(group.name);
    // What a reference gives is checked where it stands.
    if (rules !== undefined && group.reference === undefined) checkContainer(group.name, group, rules);
    checkGroups(group.groups, known, schema);
  }
}

function collectGroups(container: Container, into: Set<GroupEntry>): Set<GroupEntry> {
  for (const group of container.groups) collectGroups(group, into.add(group));
  return into;
}

/**
 * Checks what a write changed against the validation schema: instances of groups, and the untimed metadata against the
 * entity's own groups. What the write leaves as it was is not looked at.
 *
 * @throws KinoraError `invalid-input` naming the group, the member and the rule
 */
export function checkSchema(before: Metadata, after: Metadata, { schema }: Pick<Definitions, "schema">): void {
  if (schema.size === 0 || before === after) return;
  const known = new Set<GroupEntry>();
  for (const timespan of before.timespans) collectGroups(timespan, known);
  for (const timespan of after.timespans) checkGroups(timespan.groups, known, schema);
  const untimed = ({ timespans }: Metadata) => timespans.find(({ span }) => isGeneric(span));
  if (untimed(before) === untimed(after) && before.masterGroups === after.masterGroups) return;
  for (const name of after.masterGroups?.names ?? []) {
    const rules = schema.get(name);
    if (rules !== undefined) checkContainer(name, untimed(after) ?? { fields: [], groups: [] }, rules);
  }
}
