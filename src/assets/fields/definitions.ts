import type { FieldAccess, FieldDefinition, GroupDefinition, GroupMember } from "./field-definition.ts";

/** How often members occur in an instance of one group. */
export interface GroupSchema {
  readonly fields: readonly GroupMember[];
  readonly groups: readonly GroupMember[];
}

/** All definitions of fields and field groups at one moment. */
export interface Definitions {
  /** Changes with any definition. */
  readonly version: number;
  field(name: string): FieldDefinition | undefined;
  group(name: string): GroupDefinition | undefined;
  readonly fields: readonly FieldDefinition[];
  readonly groups: readonly GroupDefinition[];
  readonly access: readonly FieldAccess[];
  /** The validation schema by group; empty when nothing is checked. */
  readonly schema: ReadonlyMap<string, GroupSchema>;
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
  readonly schema?: ReadonlyMap<string, GroupSchema>;
}): Definitions {
  const { version, fields, groups, access = [], schema = new Map() } = parts;
  const fieldsByName = new Map(fields.map((field) => [field.name, field]));
  const groupsByName = new Map(groups.map((group) => [group.name, group]));
  const members = new Map(groups.map((group) => [group.name, new Set(group.fields.map((member) => member.name))]));
  return {
    version,
    fields,
    groups,
    access,
    schema,
    field: (name) => fieldsByName.get(name),
    group: (name) => groupsByName.get(name),
    anyInherited: fields.some((field) => field.inheritance) || groups.some((group) => group.inheritance),
    isMember: (group, field) => members.get(group)?.has(field) ?? false,
  };
}

/** The definitions behind the edit that made or changed one field. */
export function withField(definitions: Definitions, field: FieldDefinition): Definitions {
  const { version, fields, groups, access, schema } = definitions;
  const others = fields.filter(({ name }) => name !== field.name);
  const at = others.findIndex(({ name }) => name > field.name);
  const sorted = at < 0 ? [...others, field] : others.toSpliced(at, 0, field);
  return indexDefinitions({ version: version + 1, fields: sorted, groups, access, schema });
}
