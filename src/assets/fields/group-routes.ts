import { KinoraError } from "../../errors.ts";
import { booleanParameter, listParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { addKeyValueRoutes } from "../../identity/key-value-routes.ts";
import type { Subject } from "../../plugin/contract.ts";
import {
  type MetadataFieldGroup,
  MetadataFieldGroupDocument,
  MetadataFieldGroupListDocument,
} from "../documents/field-document.ts";
import { noSuchDefinition, requireGroup } from "./definition-editing.ts";
import { deleteGroup, groupData, putGroup, putMember, removeMember } from "./edit-groups.ts";
import { editingOf, type FieldRoutesDeps, rightsOf } from "./field-routes-deps.ts";
import { fullGroupDocument, readGroupParts } from "./group-documents.ts";

async function requireWritable(
  deps: FieldRoutesDeps,
  subject: Subject,
  name: string,
  right: "mayWrite" | "mayDelete",
): Promise<void> {
  const definitions = await deps.definitions.fresh();
  if ((await rightsOf(deps, definitions, subject))[right]("group", name)) return;
  throw new KinoraError("forbidden", {
    context: "field-group",
    id: name,
    explanation: `The access list of the field group ${name} does not let the caller ${right === "mayWrite" ? "change" : "delete"} it`,
  });
}

/** Definitions of field groups: list, read, define, delete, and what is in them. */
export function groupRoutes(deps: FieldRoutesDeps): RouteTable {
  const route = routes();
  const one = "/metadata-field/field-group/{groupName}" as const;

  route.get(
    "/metadata-field/field-group",
    {
      summary: "List the field groups",
      role: "_metadata_field_group_read",
      query: {
        content: booleanParameter({ default: false }),
        traverse: booleanParameter({ default: false }),
        data: listParameter(),
      },
      output: MetadataFieldGroupListDocument,
      plain: ({ group = [] }) => group.map(({ name = "" }) => name),
    },
    async ({ query, subject }) => {
      const parts = await readGroupParts(deps, subject, query);
      const shown = parts.definitions.groups.filter(({ name }) => parts.rights.mayRead("group", name));
      const bare = !parts.content && query.data.length === 0;
      return {
        group: shown.map((group): MetadataFieldGroup => {
          if (bare) return { name: group.name, inheritance: String(group.inheritance) };
          return fullGroupDocument(parts, group);
        }),
      };
    },
  );

  route.get(
    one,
    {
      summary: "Read the definition of a field group",
      role: "_metadata_field_group_read",
      query: {
        traverse: booleanParameter({ default: false }),
        includeValues: booleanParameter({ default: false }),
        data: listParameter(),
      },
      output: MetadataFieldGroupDocument,
      etag: true,
    },
    async ({ params, query, subject }) => {
      const parts = await readGroupParts(deps, subject, { ...query, content: true });
      const group = requireGroup(parts.definitions, params.groupName);
      if (!parts.rights.mayRead("group", group.name)) throw noSuchDefinition(group.name);
      return fullGroupDocument(parts, group);
    },
  );

  route.put(
    one,
    {
      summary: "Create a field group, or add to one",
      role: "_metadata_field_group_write",
      query: { clear: booleanParameter({ default: false }) },
      input: MetadataFieldGroupDocument,
      inputOptional: true,
      output: "none",
    },
    async (request) => {
      const { params, query, body, subject } = request;
      await requireWritable(deps, subject, params.groupName, "mayWrite");
      await putGroup(editingOf(deps, request), params.groupName, body, query.clear);
    },
  );

  route.delete(
    one,
    { summary: "Delete a field group", role: "_metadata_field_group_write", output: "none" },
    async (request) => {
      await requireWritable(deps, request.subject, request.params.groupName, "mayDelete");
      await deleteGroup(editingOf(deps, request), request.params.groupName);
    },
  );

  addMemberRoutes(route, deps);
  addKeyValueRoutes(route, deps.store, {
    path: one,
    entity: "a field group",
    read: "_metadata_field_group_read",
    write: "_metadata_field_group_write",
    setStatus: 204,
    owner: ({ groupName = "" }) => groupData(groupName),
  });
  return route;
}

/** Fields and groups in a field group. */
function addMemberRoutes(route: RouteTable, deps: FieldRoutesDeps): void {
  const field = "/metadata-field/field-group/{groupName}/{fieldName}" as const;
  const group = "/metadata-field/field-group/{groupName}/group/{childName}" as const;
  const role = "_metadata_field_group_write" as const;

  route.put(field, { summary: "Put a field into a field group", role, output: "none" }, async (request) => {
    const { groupName, fieldName } = request.params;
    await requireWritable(deps, request.subject, groupName, "mayWrite");
    await putMember(editingOf(deps, request), groupName, "field", fieldName);
  });

  const removal = "Take a field, or an external identifier, from a field group";
  route.delete(field, { summary: removal, role, output: "none" }, async (request) => {
    const { groupName, fieldName } = request.params;
    await requireWritable(deps, request.subject, groupName, "mayWrite");
    const { id } = requireGroup(await deps.definitions.fresh(), groupName);
    if (await deps.removeIdentifier?.(() => request.change(), "field-group", id, fieldName)) return;
    await removeMember(editingOf(deps, request), groupName, "field", fieldName);
  });

  route.put(group, { summary: "Put a field group into another", role, output: "none" }, async (request) => {
    const { groupName, childName } = request.params;
    await requireWritable(deps, request.subject, groupName, "mayWrite");
    await putMember(editingOf(deps, request), groupName, "group", childName);
  });

  route.delete(group, { summary: "Take a field group out of another", role, output: "none" }, async (request) => {
    const { groupName, childName } = request.params;
    await requireWritable(deps, request.subject, groupName, "mayWrite");
    await removeMember(editingOf(deps, request), groupName, "group", childName);
  });
}
