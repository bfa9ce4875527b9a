import { KinoraError } from "../../errors.ts";
import { booleanParameter, listParameter, oneOfParameter, textParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type AccessKind, type AccessPort, permissions } from "../access-port.ts";
import { AccessControlMergedDocument } from "../documents/merged-access-document.ts";
import type { EntityIds } from "../entity-ids.ts";
import {
  AccessControlDocument,
  AccessControlListDocument,
  AccessControlMergedGroupDocument,
} from "./access-documents.ts";
import { ownerEntryId, readAccessLists } from "./access-entries.ts";
import { drawAccess } from "./access-graph.ts";
import { type AccessEditing, addEntries, changeOwner, noSuchEntry, removeEntries } from "./edit-access.ts";
import { resolveAccessEntity } from "./entity-id.ts";
import { entryDocument, listDocuments, ownerDocument } from "./entry-documents.ts";
import { mergedAccess, mergedGroupAccess, mergedQuery, operationTypes } from "./merged-access.ts";
import { requireAccess } from "./require-access.ts";

/** What the routes of access control take from the service. */
export interface AccessRoutesDeps {
  readonly store: Store;
  readonly ids: EntityIds;
  readonly access: Pick<AccessPort, "rank">;
  /** Adds to a change what else knows of the owner of an entity, by its key. */
  readonly ownerChanged: (change: Change, entity: number, owner: string) => void;
}

const kinds: readonly AccessKind[] = ["item", "collection", "library"];
const read = "_accesscontrol_read";
const write = "_accesscontrol_write";

type EntityRequest = Pick<AnyRouteRequest, "change"> & { readonly subject: Subject; readonly params: unknown };

/** Access lists of items, collections and libraries. */
export function accessRoutes(deps: AccessRoutesDeps): RouteTable {
  const route = routes();
  for (const kind of kinds) addRoutes(route, deps, kind);
  return route;
}

function addRoutes(route: RouteTable, deps: AccessRoutesDeps, kind: AccessKind): void {
  const { store } = deps;
  const { ids } = store;
  const base = `/${kind}/{id}` as const;
  const what = kind === "item" ? "an item" : `a ${kind}`;
  const entityOf = ({ params }: EntityRequest) =>
    resolveAccessEntity(deps, kind, (params as { readonly id: string }).id);
  const readable = async (request: EntityRequest) => {
    const entity = await entityOf(request);
    await requireAccess(deps, request.subject, entity, "READ");
    return entity;
  };
  const editing = (request: EntityRequest): AccessEditing => ({
    ...deps,
    subject: request.subject,
    change: () => request.change(),
  });
  const addresses = (request: Pick<AnyRouteRequest, "url">) => ({ ids, url: (path: string) => request.url(path) });
  const listOf = async (entity: number) => (await readAccessLists(store, [entity])).get(entity);

  route.get(
    `${base}/access`,
    {
      summary: `List the access entries of ${what}`,
      role: read,
      output: AccessControlListDocument,
      plain: ({ access = [] }) => access.map(({ id }) => id ?? ""),
    },
    async (request) => {
      const list = await listOf(await readable(request));
      return { access: list === undefined ? [] : listDocuments(addresses(request), list) };
    },
  );

  route.post(
    `${base}/access`,
    {
      summary: `Add an access entry to ${what}`,
      role: write,
      query: { allowDuplicate: booleanParameter({ default: true }) },
      input: AccessControlDocument,
      output: AccessControlDocument,
      plain: ({ id }) => [id ?? ""],
    },
    async (request) => {
      const [entry] = await addEntries(editing(request), await entityOf(request), [request.body], request.query);
      return entry === undefined ? {} : entryDocument(addresses(request), entry);
    },
  );

  route.post(
    `${base}/access/bulk`,
    {
      summary: `Add several access entries to ${what}`,
      role: write,
      input: AccessControlListDocument,
      output: AccessControlListDocument,
      plain: ({ access = [] }) => access.map(({ id }) => id ?? ""),
    },
    async (request) => {
      const entries = await addEntries(editing(request), await entityOf(request), request.body.access ?? []);
      return { access: entries.map((entry) => entryDocument(addresses(request), entry)) };
    },
  );

  route.delete(
    `${base}/access/bulk`,
    {
      summary: `Remove several access entries of ${what}`,
      role: write,
      input: AccessControlListDocument,
      output: "none",
    },
    async (request) => {
      const accessIds = (request.body.access ?? []).map(({ id }) => {
        if (id !== undefined) return id;
        throw new KinoraError("invalid-input", { context: "access", explanation: "Each entry is named by its id" });
      });
      await removeEntries(editing(request), await entityOf(request), accessIds);
    },
  );

  route.get(
    `${base}/access/graph`,
    { summary: `Draw the access of ${what} as PNG (not offered)`, role: read, output: "bytes" },
    () => {
      throw new KinoraError("not-yet-implemented", {
        explanation: "Pictures are not drawn here; render the answer of …/access/graph/dot with Graphviz",
      });
    },
  );

  route.get(
    `${base}/access/graph/dot`,
    {
      summary: `Describe the access of ${what} as a graph for Graphviz`,
      role: read,
      query: {
        type: oneOfParameter(["ancestor", "grant"], { default: "grant" }),
        users: listParameter(),
        groups: listParameter(),
      },
      output: "bytes",
    },
    async (request) => {
      const type = request.accepts("text/vnd.graphviz") ? "text/vnd.graphviz" : "text/plain";
      if (!request.accepts(type)) throw new KinoraError("not-acceptable");
      const graph = await drawAccess(store, await readable(request), request.query);
      return new Response(graph, { headers: { "content-type": `${type}; charset=utf-8` } });
    },
  );

  route.put(
    `${base}/access/owner/{userName}`,
    { summary: `Hand ${what} over to another user`, role: write, output: AccessControlDocument },
    async (request) => {
      const entity = await entityOf(request);
      const { userName } = request.params as { readonly userName: string };
      await changeOwner(editing(request), entity, userName, (change) => deps.ownerChanged(change, entity, userName));
      const list = await listOf(entity);
      return (list && ownerDocument(addresses(request), list)) ?? {};
    },
  );

  const one = `${base}/access/{accessId}` as const;
  const accessIdOf = (request: { readonly params: unknown }) =>
    (request.params as { readonly accessId: string }).accessId;

  route.get(
    one,
    {
      summary: `Read an access entry of ${what}`,
      role: read,
      output: AccessControlDocument,
      etag: true,
      plain: ({ id }) => [id ?? ""],
    },
    async (request) => {
      const entity = await readable(request);
      const accessId = accessIdOf(request);
      const list = await listOf(entity);
      const serial = ids.parse(accessId);
      const entry = list?.entries.find(({ id }) => id === serial);
      if (entry !== undefined) return entryDocument(addresses(request), entry);
      const owner = list && serial === ownerEntryId(entity) ? ownerDocument(addresses(request), list) : undefined;
      if (owner === undefined) throw noSuchEntry(accessId);
      return owner;
    },
  );

  route.delete(one, { summary: `Remove an access entry of ${what}`, role: write, output: "none" }, async (request) =>
    removeEntries(editing(request), await entityOf(request), [accessIdOf(request)]),
  );

  route.get(
    `${base}/merged-access`,
    {
      summary: `Read what users may do with ${what}, and through which entries`,
      role: read,
      query: {
        username: textParameter(),
        permission: oneOfParameter(permissions),
        type: oneOfParameter(operationTypes),
        extradata: textParameter(),
      },
      output: AccessControlMergedDocument,
    },
    async (request) => mergedAccess(store, await readable(request), mergedQuery(request.query)),
  );

  route.get(
    `${base}/merged-access/group`,
    {
      summary: `Read what groups may do with ${what}`,
      role: read,
      query: { full: booleanParameter({ default: false }) },
      output: AccessControlMergedGroupDocument,
    },
    async (request) => mergedGroupAccess(store, await readable(request), request.query.full),
  );
}
