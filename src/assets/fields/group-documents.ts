import type { Subject } from "../../plugin/contract.ts";
import type { MetadataField, MetadataFieldGroup } from "../documents/field-document.ts";
import type { Definitions } from "./definitions.ts";
import { type ExtraData, readExtraData } from "./extra-data.ts";
import type { FieldRights } from "./field-access.ts";
import type { GroupDefinition, GroupMember, Occurrence } from "./field-definition.ts";
import { fieldDocument, groupDocument } from "./field-documents.ts";
import { type FieldRoutesDeps, rightsOf } from "./field-routes-deps.ts";
import { siteOf } from "./site.ts";

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

/** What of field groups a request asks for. */
export interface GroupParts {
  readonly content: boolean;
  readonly traverse: boolean;
  /** Keys of extra data. */
  readonly data: readonly string[];
}

/** Reads what the documents of field groups are made of, as a caller may see them. */
export async function readGroupParts(
  deps: Pick<FieldRoutesDeps, "store" | "definitions" | "groupsOf">,
  subject: Subject,
  asked: GroupParts,
): Promise<GroupDocumentParts> {
  const definitions = await deps.definitions.fresh();
  const rights = await rightsOf(deps, definitions, subject);
  const origin = siteOf(deps.store);
  const fieldData = await readExtraData(deps.store, "metadata-field", asked.data);
  return {
    definitions,
    rights,
    origin,
    data: await readExtraData(deps.store, "field-group", asked.data),
    content: asked.content || asked.traverse,
    traverse: asked.traverse,
    field: (name, occurrence) => {
      const field = definitions.field(name);
      if (field === undefined || !rights.mayRead("field", name)) return undefined;
      return fieldDocument(field, origin, { schema: occurrence, data: fieldData.get(field.id) });
    },
  };
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
