import { KinoraError } from "../../errors.ts";
import { textParameter } from "../../http/parameters.ts";
import type { AnyRouteRequest } from "../../http/route-table.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { requireNames } from "../access/known-names.ts";
import {
  type MetadataFieldAccessControl,
  MetadataFieldAccessControlDocument,
  MetadataFieldAccessControlListDocument,
} from "../documents/field-document.ts";
import { type AccessControlMerged, AccessControlMergedDocument } from "../documents/merged-access-document.ts";
import { editDefinitions, requireField, requireGroup } from "./definition-editing.ts";
import type { Definitions } from "./definitions.ts";
import { grantedPermissions } from "./field-access.ts";
import type { FieldAccess } from "./field-definition.ts";
import { editingOf, type FieldRoutesDeps } from "./field-routes-deps.ts";

/** A field or a field group: what an access list belongs to. */
interface Owner {
  readonly kind: "field" | "group";
  readonly name: string;
}

const resources = [
  {
    kind: "field",
    path: "/metadata-field/{name}/access",
    merged: "/metadata-field/{name}/merged-access",
    allMerged: "/metadata-field/merged-access",
    words: "a field",
    read: "_metadata_field_read",
    write: "_metadata_field_write",
  },
  {
    kind: "group",
    path: "/metadata-field/field-group/{name}/access",
    merged: "/metadata-field/field-group/{name}/merged-access",
    allMerged: "/metadata-field/field-group/merged-access",
    words: "a field group",
    read: "_metadata_field_group_read",
    write: "_metadata_field_group_write",
  },
] as const;

function rowOf(definitions: Definitions, { kind, name }: Owner): number {
  return kind === "field" ? requireField(definitions, name).id : requireGroup(definitions, name).id;
}

function isOf({ kind, name }: Owner, entry: FieldAccess): boolean {
  return kind === "field" ? entry.field === name : entry.fieldGroup === name;
}

/**
 * What a user may do with every field and group, or with one: those without access list are open to all, and all are to
 * administrators.
 */
async function mergedAccess(
  deps: FieldRoutesDeps,
  kind: "field" | "group",
  userName: string,
  name?: string,
): Promise<AccessControlMerged> {
  const definitions = await deps.definitions.fresh();
  if (name !== undefined) rowOf(definitions, { kind, name });
  const groups = await deps.groupsOf(userName);
  const granted = grantedPermissions(definitions.access, userName, groups);
  const permissionOf = (one: string) => {
    const key = `${kind}\n${one}`;
    return granted.has(key) && !groups.has("_administrator") ? (granted.get(key) ?? "NONE") : "DELETE";
  };
  const all = kind === "field" ? definitions.fields : definitions.groups;
  const shown = all
    .filter((definition) => name === undefined || definition.name === name)
    .map((definition) => ({ name: definition.name, permission: permissionOf(definition.name) }));
  return { query: { username: userName }, ...(kind === "field" ? { field: shown } : { fieldGroup: shown }) };
}

/** Access lists of fields and field groups. */
export function fieldAccessRoutes(deps: FieldRoutesDeps): RouteTable {
  const route = routes();
  const { ids } = deps.store;
  const nameOf = (request: { readonly params: unknown }) => (request.params as { readonly name: string }).name;
  const document = (entry: FieldAccess): MetadataFieldAccessControl => ({ ...entry, id: ids.format(entry.id) });

  for (const { kind, path, merged, allMerged, words, read, write } of resources) {
    const ownerOf = (request: { readonly params: unknown }): Owner => ({ kind, name: nameOf(request) });

    route.get(
      path,
      { summary: `List the access entries of ${words}`, role: read, output: MetadataFieldAccessControlListDocument },
      async (request) => {
        const definitions = await deps.definitions.fresh();
        const owner = ownerOf(request);
        rowOf(definitions, owner);
        return { access: definitions.access.filter((entry) => isOf(owner, entry)).map(document) };
      },
    );

    route.post(
      path,
      {
        summary: `Add an access entry to ${words}`,
        role: write,
        input: MetadataFieldAccessControlDocument,
        output: MetadataFieldAccessControlDocument,
      },
      async (request) => document(await addEntry(deps, request, ownerOf(request), request.body)),
    );

    route.delete(
      `${path}/{accessId}`,
      { summary: `Remove an access entry of ${words}`, role: write, output: "none" },
      async (request) => {
        const { accessId } = request.params as { readonly accessId: string };
        await removeEntry(deps, request, ownerOf(request), accessId);
      },
    );

    const query = { username: textParameter() };
    route.get(
      merged,
      { summary: `Read what a user may do with ${words}`, role: read, query, output: AccessControlMergedDocument },
      (request) => mergedAccess(deps, kind, request.query.username ?? request.subject.userName, nameOf(request)),
    );
    route.get(
      allMerged,
      {
        summary: `Read what a user may do with every ${words.slice(2)}`,
        role: read,
        query,
        output: AccessControlMergedDocument,
      },
      (request) => mergedAccess(deps, kind, request.query.username ?? request.subject.userName),
    );
  }
  return route;
}

/**
 * Adds an entry to the list of a field or group.
 *
 * @throws KinoraError `not-found` for the field, the user or the group (a role is one); `invalid-input` for an entry of both
 */
async function addEntry(
  deps: FieldRoutesDeps,
  request: Pick<AnyRouteRequest, "change">,
  owner: Owner,
  document: MetadataFieldAccessControl,
): Promise<FieldAccess> {
  const { user, group, permission } = document;
  if (user !== undefined && group !== undefined) {
    throw new KinoraError("invalid-input", {
      context: "access",
      explanation: "An access entry is for a user or for a group, not for both",
    });
  }
  return editDefinitions(editingOf(deps, request), async (definitions, change) => {
    const row = rowOf(definitions, owner);
    if (user !== undefined) await requireNames(deps.store, [{ kind: "user", name: user }]);
    if (group !== undefined) await requireNames(deps.store, [{ kind: "group", name: group }]);
    const id = await deps.store.ids.nextSerial("metadata-field-access");
    change.add({
      sql: `insert into metadata_field_access (id, field_id, group_id, user, user_group, permission)
        values (?, ?, ?, ?, ?, ?)`,
      args: [
        id,
        owner.kind === "field" ? row : null,
        owner.kind === "group" ? row : null,
        user ?? null,
        group ?? null,
        permission,
      ],
    });
    return {
      id,
      permission,
      ...(owner.kind === "field" ? { field: owner.name } : { fieldGroup: owner.name }),
      ...(user === undefined ? {} : { user }),
      ...(group === undefined ? {} : { group }),
    };
  });
}

async function removeEntry(
  deps: FieldRoutesDeps,
  request: Pick<AnyRouteRequest, "change">,
  owner: Owner,
  accessId: string,
): Promise<void> {
  const serial = deps.store.ids.parse(accessId);
  await editDefinitions(editingOf(deps, request), (definitions, change) => {
    rowOf(definitions, owner);
    const entry = definitions.access.find((one) => one.id === serial && isOf(owner, one));
    if (entry === undefined) throw new KinoraError("not-found", { type: "access", id: accessId });
    change.add({ sql: "delete from metadata_field_access where id = ?", args: [entry.id] });
  });
}
