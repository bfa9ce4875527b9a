import { KinoraError } from "../../errors.ts";
import { type KeyValueOwner, putKeyValues } from "../../identity/key-values.ts";
import type { Change } from "../../store/change.ts";
import type { MetadataFieldGroup } from "../documents/field-document.ts";
import {
  type DefinitionEditing,
  editDefinitions,
  noSuchDefinition,
  requireField,
  requireGroup,
} from "./definition-editing.ts";
import { checkGroupName } from "./definition-names.ts";
import type { Definitions } from "./definitions.ts";
import { putFieldInto } from "./edit-fields.ts";
import type { FieldDefinition, GroupDefinition, Occurrence } from "./field-definition.ts";
import { inheritanceOf } from "./field-documents.ts";
import type { StoredGroup } from "./read-definitions.ts";

/** Groups in the groups of one document. */
const deepest = 32;

/** Whose extra data is that of a field group. */
export function groupData(name: string): KeyValueOwner {
  return {
    entity: "field-group",
    row: { sql: "(select id from metadata_field_group where name = ?)", args: [name] },
    missing: noSuchDefinition(name),
  };
}

interface Member {
  readonly kind: "field" | "group";
  readonly id: number;
  readonly occurrence?: Occurrence | undefined;
}

/** The definitions that one edit makes, beside those that are there. */
interface Edit {
  readonly editing: DefinitionEditing;
  readonly change: Change;
  readonly definitions: Definitions;
  readonly fields: Map<string, FieldDefinition>;
  readonly groups: Map<string, { readonly id: number }>;
  /** For each group the groups in it, as the edit leaves them. */
  readonly children: Map<string, Set<string>>;
  /** The place of the last member of each group, by its row. */
  readonly places: Map<number, number>;
}

function startEdit(editing: DefinitionEditing, change: Change, definitions: Definitions): Edit {
  const [fields, groups, children, places] = [new Map(), new Map(), new Map(), new Map()];
  return { editing, change, definitions, fields, groups, children, places };
}

/** A place behind the members of a group. */
async function nextPlace({ editing, places }: Edit, group: number): Promise<number> {
  let last = places.get(group);
  if (last === undefined) {
    const sql = "select max(position) as last from metadata_field_group_member where group_id = ?";
    const [row] = await editing.store.query({ sql, args: [group] });
    last = Number(row?.last ?? 0);
  }
  places.set(group, last + 1);
  return last + 1;
}

/** Puts a member into a group behind the others; one that is there keeps its place, and its occurrence if none is given. */
async function addMember(edit: Edit, group: number, { kind, id, occurrence }: Member): Promise<void> {
  edit.change.add(
    {
      sql: `insert into metadata_field_group_member (group_id, kind, member_id, position, occurrence)
        values (?, ?, ?, ?, ?)
        on conflict do update set occurrence = coalesce(excluded.occurrence, occurrence)`,
      args: [
        group,
        kind,
        id,
        await nextPlace(edit, group),
        occurrence === undefined ? null : JSON.stringify(occurrence),
      ],
    },
    { silent: true },
  );
}

function childrenOf(edit: Edit, name: string): Set<string> {
  let children = edit.children.get(name);
  if (children === undefined) {
    children = new Set((edit.definitions.group(name)?.groups ?? []).map((member) => member.name));
    edit.children.set(name, children);
  }
  return children;
}

/** Refuses a group inside itself, at whatever depth. */
function requireNoCycle(edit: Edit, parent: string, child: string): void {
  const seen = new Set<string>();
  const pending = [child];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === parent) {
      throw new KinoraError("conflict", {
        context: "field-group",
        id: parent,
        explanation: `The group ${child} holds the group ${parent}, and so cannot be put into it`,
      });
    }
    if (seen.has(name)) continue;
    seen.add(name);
    pending.push(...childrenOf(edit, name));
  }
}

function occurrenceOf(schema: MetadataFieldGroup["schema"]): Occurrence | undefined {
  if (schema === undefined) return undefined;
  const { min, max, reference } = schema;
  return { min, max, ...(reference === undefined ? {} : { reference }) };
}

async function groupRow(edit: Edit, name: string, document: MetadataFieldGroup): Promise<number> {
  const made = edit.groups.get(name);
  const before: GroupDefinition | undefined = edit.definitions.group(name);
  if (made === undefined && before === undefined) checkGroupName(name);
  const id = made?.id ?? before?.id ?? (await edit.editing.store.ids.nextSerial("metadata-field-group"));
  edit.groups.set(name, { id });
  const stored: StoredGroup = { inheritance: inheritanceOf(document.inheritance) ?? before?.inheritance ?? false };
  edit.change.add(
    {
      sql: `insert into metadata_field_group (id, name, definition) values (?, ?, ?)
        on conflict (name) do update set definition = excluded.definition`,
      args: [id, name, JSON.stringify(stored)],
    },
    { silent: true },
  );
  return id;
}

async function putGroupInto(edit: Edit, name: string, document: MetadataFieldGroup, depth: number): Promise<number> {
  if (depth > deepest) {
    throw new KinoraError("invalid-input", {
      context: "field-group",
      explanation: `Groups are nested more than ${deepest} deep`,
    });
  }
  const id = await groupRow(edit, name, document);
  if (document.data !== undefined) putKeyValues(edit.change, groupData(name), { field: document.data });
  for (const member of document.field ?? []) {
    const field = await memberField(edit, member);
    await addMember(edit, id, { kind: "field", id: field.id, occurrence: occurrenceOf(member.schema) });
  }
  for (const member of document.group ?? []) {
    if (member.name === undefined) throw nameless("group");
    const child = await putGroupInto(edit, member.name, member, depth + 1);
    requireNoCycle(edit, name, member.name);
    childrenOf(edit, name).add(member.name);
    await addMember(edit, id, { kind: "group", id: child, occurrence: occurrenceOf(member.schema) });
  }
  return id;
}

function nameless(kind: string): KinoraError {
  return new KinoraError("invalid-input", {
    context: "field-group",
    explanation: `A ${kind} in the group has no name`,
  });
}

/** The field that a group's document names: as it is, or made or changed when the document says what it is. */
async function memberField(edit: Edit, member: NonNullable<MetadataFieldGroup["field"]>[number]) {
  if (member.name === undefined) throw nameless("field");
  const known = edit.fields.get(member.name) ?? edit.definitions.field(member.name);
  const { name, schema: _, system: _system, sortable: _sortable, origin: _origin, ...said } = member;
  const saysMore = Object.values(said).some((value) => value !== undefined);
  if (known !== undefined && !saysMore) return known;
  if (known === undefined && member.type === undefined) throw noSuchDefinition(member.name);
  const field = await putFieldInto(edit.editing, edit.change, member.name, member, known);
  edit.fields.set(member.name, field);
  return field;
}

/**
 * Creates a field group, or puts what a document says into one: fields and groups that it names are added, those that
 * do not exist are made.
 *
 * @param clear take everything out first
 * @throws KinoraError `invalid-input` for an illegal name, `not-found` for a field that exists neither in the database
 * nor with a type in the document, `conflict` for a group inside itself
 */
export async function putGroup(
  editing: DefinitionEditing,
  name: string,
  document: MetadataFieldGroup = {},
  clear = false,
): Promise<void> {
  await editDefinitions(editing, async (definitions, change) => {
    const edit = startEdit(editing, change, definitions);
    const before = definitions.group(name);
    if (clear && before !== undefined) {
      change.add({ sql: "delete from metadata_field_group_member where group_id = ?", args: [before.id] });
      edit.children.set(name, new Set());
    }
    await putGroupInto(edit, name, document, 0);
  });
}

/** Deletes a field group, not the fields in it. @throws KinoraError `not-found` */
export async function deleteGroup(editing: DefinitionEditing, name: string): Promise<void> {
  await editDefinitions(editing, (definitions, change) => {
    const { id } = requireGroup(definitions, name);
    change.add(
      {
        sql: "delete from metadata_field_group_member where group_id = ?1 or (kind = 'group' and member_id = ?1)",
        args: [id],
      },
      { sql: "delete from key_value where entity = 'field-group' and entity_id = ?", args: [id] },
      { sql: "delete from metadata_field_access where group_id = ?", args: [id] },
      { sql: "delete from metadata_field_group where id = ?", args: [id] },
    );
    for (const observer of editing.observers) observer.groupDeleted?.(change, id);
  });
}

/** The row of a member by its name. @throws KinoraError `not-found` */
function memberRow(definitions: Definitions, kind: "field" | "group", name: string): number {
  return kind === "field" ? requireField(definitions, name).id : requireGroup(definitions, name).id;
}

/** Puts one field or group into a field group. @throws KinoraError `not-found`, `conflict` for a group inside itself */
export async function putMember(
  editing: DefinitionEditing,
  group: string,
  kind: "field" | "group",
  name: string,
): Promise<void> {
  await editDefinitions(editing, async (definitions, change) => {
    const { id } = requireGroup(definitions, group);
    const member = memberRow(definitions, kind, name);
    const edit = startEdit(editing, change, definitions);
    if (kind === "group") requireNoCycle(edit, group, name);
    await addMember(edit, id, { kind, id: member });
  });
}

/** Takes one field or group out of a field group. @throws KinoraError `not-found` */
export async function removeMember(
  editing: DefinitionEditing,
  group: string,
  kind: "field" | "group",
  name: string,
): Promise<void> {
  await editDefinitions(editing, (definitions, change) => {
    const { id } = requireGroup(definitions, group);
    change.add({
      sql: "delete from metadata_field_group_member where group_id = ? and kind = ? and member_id = ?",
      args: [id, kind, memberRow(definitions, kind, name)],
    });
  });
}
