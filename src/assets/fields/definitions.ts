import type { FieldAccess, FieldDefinition, GroupDefinition } from "./field-definition.ts";

/** All definitions of fields and field groups at one moment. */
export interface Definitions {
  /** Changes with any definition. */
  readonly version: number;
  field(name: string): FieldDefinition | undefined;
  group(name: string): GroupDefinition | undefined;
  readonly fields: readonly FieldDefinition[];
  readonly groups: readonly GroupDefinition[];
  readonly access: readonly FieldAccess[];
  /** Whether any field or group is inherited from collections. */
  readonly anyInherited: boolean;
  /** Whether a group has a field, by their names; groups in groups do not count. */
  isMember(group: string, field: string): boolean;
}

/** Indexes definitions by name. */
export function indexDefinitions(parts: {
  readonly version: number;
  readonly fields: readonly FieldDefinition[];
  readonly groups: readonly GroupDefinition[];
  readonly access?: readonly FieldAccess[];
}): Definitions {
  const { version, fields, groups, access = [] } = parts;
  const fieldsByName = new Map(fields.map((field) => [field.name, field]));
  const groupsByName = new Map(groups.map((group) => [group.name, group]));
  const members = new Map(groups.map((group) => [group.name, new Set(group.fields.map((member) => member.name))]));
  return {
    version,
    fields,
    groups,
    access,
    field: (name) => fieldsByName.get(name),
    group: (name) => groupsByName.get(name),
    anyInherited: fields.some((field) => field.inheritance) || groups.some((group) => group.inheritance),
    isMember: (group, field) => members.get(group)?.has(field) ?? false,
  };
}
