import type { Row, Statement } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { MetadataSchemaGroup } from "../documents/field-document.ts";
import { type Definitions, type GroupSchema, indexDefinitions } from "./definitions.ts";
import {
  anyOccurrence,
  type FieldAccess,
  type FieldDefinition,
  type FieldPermission,
  type GroupDefinition,
  type GroupMember,
  type Occurrence,
} from "./field-definition.ts";

/** The name under which caches learn of changed definitions. */
export const definitionsVersion = "metadata-field";

/** What the column `definition` of a field holds. */
export type StoredField = Omit<FieldDefinition, "id" | "name">;
/** What the column `definition` of a field group holds. */
export type StoredGroup = Pick<GroupDefinition, "inheritance">;

const statements: readonly Statement[] = [
  { sql: "select value from version where name = ?", args: [definitionsVersion] },
  // All in one text: thousands of fields are handed over as one value.
  {
    sql: `select json_group_array(json_array(id, name, json(definition))) as fields
      from (select id, name, definition from metadata_field order by name)`,
  },
  { sql: "select id, name, definition from metadata_field_group order by name" },
  {
    sql: `select m.group_id, m.kind, coalesce(f.name, g.name) as name, m.occurrence
      from metadata_field_group_member m
      left join metadata_field f on m.kind = 'field' and f.id = m.member_id
      left join metadata_field_group g on m.kind = 'group' and g.id = m.member_id
      order by m.position, m.member_id`,
  },
  {
    sql: `select a.id, f.name as field, g.name as field_group, a.user, a.user_group, a.permission
      from metadata_field_access a
      left join metadata_field f on f.id = a.field_id
      left join metadata_field_group g on g.id = a.group_id
      order by a.id`,
  },
  { sql: "select name, content from metadata_schema_group" },
];

/** Reads all definitions as they are at one moment. */
export async function readDefinitions(store: Store): Promise<Definitions> {
  const [versions = [], fields = [], groups = [], members = [], access = [], schema = []] =
    await store.readAll(statements);
  const membersOf = (kind: "field" | "group") => {
    const byGroup = new Map<number, GroupMember[]>();
    for (const row of members) {
      if (row.kind !== kind) continue;
      const list = byGroup.get(Number(row.group_id));
      const member = { ...occurrenceOf(row.occurrence), name: String(row.name) };
      if (list === undefined) byGroup.set(Number(row.group_id), [member]);
      else list.push(member);
    }
    return byGroup;
  };
  const fieldMembers = membersOf("field");
  const groupMembers = membersOf("group");
  return indexDefinitions({
    version: Number(versions[0]?.value ?? 0),
    fields: (JSON.parse(String(fields[0]?.fields ?? "[]")) as ReadField[]).map(fieldOf),
    groups: groups.map((row) => ({
      ...(JSON.parse(String(row.definition)) as StoredGroup),
      id: Number(row.id),
      name: String(row.name),
      fields: fieldMembers.get(Number(row.id)) ?? [],
      groups: groupMembers.get(Number(row.id)) ?? [],
    })),
    access: access.map(accessOf),
    schema: new Map(schema.map((row) => [String(row.name), schemaOf(row)])),
  });
}

function schemaOf(row: Row): GroupSchema {
  const { field = [], group = [] } = JSON.parse(String(row.content)) as MetadataSchemaGroup;
  const member = ({ name = "", min, max }: NonNullable<MetadataSchemaGroup["field"]>[number]) => ({ name, min, max });
  return { fields: field.map(member), groups: group.map(member) };
}

function occurrenceOf(stored: Row[string] | undefined): Occurrence {
  return typeof stored === "string" ? (JSON.parse(stored) as Occurrence) : anyOccurrence;
}

type ReadField = readonly [id: number, name: string, definition: StoredField];

function fieldOf([id, name, definition]: ReadField): FieldDefinition {
  return { ...definition, id, name };
}

function accessOf(row: Row): FieldAccess {
  const { field, field_group: fieldGroup, user, user_group: group } = row;
  return {
    id: Number(row.id),
    permission: String(row.permission) as FieldPermission,
    ...(typeof field === "string" ? { field } : {}),
    ...(typeof fieldGroup === "string" ? { fieldGroup } : {}),
    ...(typeof user === "string" ? { user } : {}),
    ...(typeof group === "string" ? { group } : {}),
  };
}
