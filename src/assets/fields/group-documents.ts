import type { MetadataField, MetadataFieldGroup } from "../documents/field-document.ts";
import type { Definitions } from "./definitions.ts";
import type { ExtraData } from "./extra-data.ts";
import type { FieldRights } from "./field-access.ts";
import type { GroupDefinition, GroupMember, Occurrence } from "./field-definition.ts";
import { groupDocument } from "./field-documents.ts";

/** What the documents of field groups are made of. */
export interface GroupDocumentParts {
  readonly definitions: Definitions;
  readonly rights: FieldRights;
  readonly origin: string;
  readonly data: ExtraData;
  /** Show the fields and groups in a group. */
  readonly content: boolean;
  /** Show the content of groups in groups as well. */
  readonly traverse: boolean;
  /** The document of a field, with its place in the group. */
  readonly field: (name: string, occurrence: Occurrence) => MetadataField | undefined;
}

function isShown<T>(document: T | undefined): document is T {
  return document !== undefined;
}

/** The document of a field group. */
export function fullGroupDocument(
  parts: GroupDocumentParts,
  group: GroupDefinition,
  occurrence?: Occurrence,
): MetadataFieldGroup {
  const { definitions, rights, origin, data, content } = parts;
  const head = groupDocument(group, origin, { schema: occurrence, data: data.get(group.id) });
  if (!content) return head;
  const child = (member: GroupMember): MetadataFieldGroup | undefined => {
    const found = definitions.group(member.name);
    if (found === undefined || !rights.mayRead("group", member.name)) return undefined;
    return fullGroupDocument({ ...parts, content: parts.traverse }, found, member);
  };
  return {
    ...head,
    field: group.fields.map((member) => parts.field(member.name, member)).filter(isShown),
    group: group.groups.map(child).filter(isShown),
  };
}
