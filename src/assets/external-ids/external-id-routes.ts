import { KinoraError } from "../../errors.ts";
import type { RoleRule } from "../../http/role-rule.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Addressable, FoundEntity } from "../addressable.ts";
import {
  ExternalIdentifierListDocument,
  ExternalIdentifierNamespaceDocument,
  ExternalIdentifierNamespaceListDocument,
} from "../documents/external-id-document.ts";
import {
  type ExternalIdEnvironment,
  type IdentifiedEntity,
  putIdentifier,
  readIdentifiers,
  removeIdentifiers,
} from "./identifiers.ts";
import { listNamespaces, putNamespace, readNamespace } from "./namespaces.ts";
import { deleteNamespace } from "./remove-namespace.ts";

const reads = "_external_id_read";
const writes = "_external_id_write";

/** What the routes of external identifiers take from the service. */
export interface ExternalIdRoutesDeps {
  readonly environment: ExternalIdEnvironment;
  /** Kinds of entity that have external identifiers. */
  readonly kinds: readonly Addressable[];
}

/** Namespaces of external identifiers; an identifier in all kinds of entity. */
export function namespaceRoutes({ environment, kinds }: ExternalIdRoutesDeps): RouteTable {
  const { store } = environment;
  const route = routes();
  const path = "/external-id/{namespace}" as const;

  route.get(
    "/external-id",
    {
      summary: "List the namespaces of external identifiers, by priority",
      role: reads,
      output: ExternalIdentifierNamespaceListDocument,
    },
    async () => ({ namespace: await listNamespaces(store) }),
  );

  route.get(
    path,
    {
      summary: "Read a namespace of external identifiers",
      role: reads,
      output: ExternalIdentifierNamespaceDocument,
      etag: true,
    },
    ({ params }) => readNamespace(store, params.namespace),
  );

  route.put(
    path,
    {
      summary: "Make or change a namespace of external identifiers",
      role: "_administrator",
      input: ExternalIdentifierNamespaceDocument,
      // Clients send this document under other names.
      anyRoot: true,
      output: "none",
    },
    (request) => putNamespace(request.change(), request.params.namespace, request.body),
  );

  route.delete(
    path,
    { summary: "Delete a namespace with its identifiers", role: "_administrator", output: "none" },
    (request) => deleteNamespace(environment, kinds, () => request.change(), request.params.namespace),
  );

  route.delete(
    "/external-id/id/{identifier}",
    {
      summary: "Take an external identifier from the entities of all types that have it",
      role: "_administrator",
      output: "none",
    },
    async (request) => {
      const { identifier } = request.params;
      const rows = await store.query({
        sql: "select type, entity from external_id where type in (select value from json_each(?)) and value = ?",
        args: [JSON.stringify(kinds.map(({ type }) => type)), identifier],
      });
      if (rows.length === 0) throw noSuchIdentifier(identifier);
      for (const { type, entity } of rows) {
        const kind = kinds.find((one) => one.type === type)?.kind;
        const found = { type: String(type), serial: Number(entity), kind };
        await removeIdentifiers(environment, () => request.change(), found, identifier);
      }
    },
  );

  return route;
}

function noSuchIdentifier(identifier: string): KinoraError {
  return new KinoraError("not-found", { type: "external-id", id: identifier });
}

/** The names in a path that is put together are not in its type. */
type Named = Pick<AnyRouteRequest, "change"> & { readonly subject: Subject; readonly params: unknown };

function paramsOf(request: Named): Readonly<Record<string, string>> {
  return request.params as Readonly<Record<string, string>>;
}

/** `…/external-id[/{identifier}]` of every kind of entity, the older `…/id/{identifier}`, and the shortest form. */
export function entityIdentifierRoutes(deps: ExternalIdRoutesDeps): RouteTable {
  const route = routes();
  for (const kind of deps.kinds) addIdentifierRoutes(route, deps, kind);
  return route;
}

function addIdentifierRoutes(route: RouteTable, { environment }: ExternalIdRoutesDeps, kind: Addressable): void {
  const { store } = environment;
  const { words, type } = kind;
  const all = `${kind.path}/external-id` as const;
  const role: Exclude<RoleRule, "open"> = writes;

  async function entityOf(request: Named, needed: "READ" | "WRITE"): Promise<IdentifiedEntity & FoundEntity> {
    const found = await kind.find(request.subject, paramsOf(request), needed);
    return { ...found, type, kind: kind.kind };
  }

  async function remove(request: Named): Promise<void> {
    const { identifier = "" } = paramsOf(request);
    const entity = await entityOf(request, "WRITE");
    const removed = await removeIdentifiers(environment, () => request.change(), entity, identifier);
    if (!removed) throw noSuchIdentifier(identifier);
  }

  route.get(
    all,
    {
      summary: `List the external identifiers of ${words}`,
      role: reads,
      output: ExternalIdentifierListDocument,
    },
    async (request) => {
      const { serial, id } = await entityOf(request, "READ");
      const own = (await readIdentifiers(store, type, [serial])).get(serial) ?? [];
      return {
        id: own.map(({ value, namespace }) => ({ entityId: id, entityType: type, namespace, externalId: value })),
      };
    },
  );

  route.delete(
    all,
    { summary: `Take all external identifiers from ${words}`, role, output: "none" },
    async (request) => {
      await removeIdentifiers(environment, () => request.change(), await entityOf(request, "WRITE"));
    },
  );

  for (const one of [`${all}/{identifier}`, `${kind.path}/id/{identifier}`] as const) {
    route.put(one, { summary: `Give ${words} an external identifier`, role, output: "none" }, async (request) => {
      const { identifier = "" } = paramsOf(request);
      const entity = await entityOf(request, "WRITE");
      await putIdentifier(environment, () => request.change(), entity, identifier);
    });

    route.delete(one, { summary: `Take an external identifier from ${words}`, role, output: "none" }, remove);
  }

  if (!kind.hasShortForm) return;
  route.delete(
    `${kind.path}/{identifier}`,
    { summary: `Take an external identifier from ${words}`, role, output: "none" },
    remove,
  );
}
