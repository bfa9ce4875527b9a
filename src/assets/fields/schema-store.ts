import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { MetadataSchemaGroup } from "../documents/field-document.ts";
import { definitionsVersion } from "./read-definitions.ts";

/** Groups in the validation schema. */
const mostGroups = 10_000;

/** The validation schema: its groups in the order of their names. */
export async function readSchema(store: Store): Promise<readonly MetadataSchemaGroup[]> {
  const rows = await store.query({ sql: "select name, content from metadata_schema_group order by name" });
  return rows.map((row) => ({ ...(JSON.parse(String(row.content)) as MetadataSchemaGroup), name: String(row.name) }));
}

/** The part of the validation schema for one group. @throws KinoraError `not-found` */
export async function readSchemaGroup(store: Store, name: string): Promise<MetadataSchemaGroup> {
  const [row] = await store.query({ sql: "select content from metadata_schema_group where name = ?", args: [name] });
  if (row === undefined) throw new KinoraError("not-found", { type: "metadata-schema", id: name });
  return { ...(JSON.parse(String(row.content)) as MetadataSchemaGroup), name };
}

/** Refuses elements without name, and bounds that nothing can keep. */
function checkGroup(name: string, group: MetadataSchemaGroup): void {
  for (const element of [...(group.field ?? []), ...(group.group ?? [])]) {
    const { min, max } = element;
    if (element.name !== undefined && min >= 0 && max >= -1 && (max === -1 || max >= min)) continue;
    throw new KinoraError("invalid-input", {
      context: "metadata-schema",
      id: name,
      explanation: `The element ${element.name ?? "without name"} in the group ${name} needs a name, and min and max with 0 <= min <= max, or -1 for any number as max`,
    });
  }
}

/** Adds one group of the schema to a change. @throws KinoraError `invalid-input` */
export function putSchemaGroup(store: Store, change: Change, name: string, group: MetadataSchemaGroup): void {
  checkGroup(name, group);
  change.add({
    sql: `insert into metadata_schema_group (name, content) values (?, ?)
      on conflict (name) do update set content = excluded.content`,
    args: [name, JSON.stringify({ field: group.field, group: group.group })],
  });
  store.versions.bump(change, definitionsVersion);
}

/** Replaces the whole schema. @throws KinoraError `invalid-input` */
export function putSchema(store: Store, change: Change, groups: readonly MetadataSchemaGroup[]): void {
  if (groups.length > mostGroups) {
    throw new KinoraError("invalid-input", {
      context: "metadata-schema",
      explanation: `The schema has at most ${mostGroups} groups`,
    });
  }
  deleteSchema(store, change);
  for (const group of groups) {
    if (group.name === undefined) {
      throw new KinoraError("invalid-input", {
        context: "metadata-schema",
        explanation: "A group of the schema has no name",
      });
    }
    putSchemaGroup(store, change, group.name, group);
  }
}

/** Deletes the schema, or one group of it: what it said is no longer checked. */
export function deleteSchema(store: Store, change: Change, name?: string): void {
  change.add(
    name === undefined
      ? { sql: "delete from metadata_schema_group" }
      : { sql: "delete from metadata_schema_group where name = ?", args: [name] },
  );
  store.versions.bump(change, definitionsVersion);
}
