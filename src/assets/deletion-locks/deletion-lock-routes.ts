import { KinoraError } from "../../errors.ts";
import { pageOf, pageParameters } from "../../http/page.ts";
import {
  booleanParameter,
  keyValueParameter,
  listParameter,
  type ParameterValues,
  textParameter,
} from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import { addKeyValueRoutes } from "../../identity/key-value-routes.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Permission } from "../access-port.ts";
import type { FoundEntity } from "../addressable.ts";
import {
  DeletionLockDocument,
  DeletionLockListDocument,
  type DeletionLockValue,
} from "../documents/deletion-lock-document.ts";
import type { DeletionLock } from "./deletion-lock.ts";
import { createLock, deleteLock, lockOwner, noSuchLock, requireLock, updateLock } from "./edit-locks.ts";
import { listLocks, locksOf } from "./list-locks.ts";
import {
  type DeletionLockRoutesDeps,
  findTarget,
  type LockableKind,
  listedLock,
  lockFor,
  lockRanks,
  lockTypeOf,
  shownLock,
} from "./lock-access.ts";
import { type LockType, lockTypes } from "./lock-reach.ts";

const reads = "_deletion_lock_read";
const writes = "_deletion_lock_write";

const listQuery = {
  ...pageParameters({ number: 100, maximum: 10_000 }),
  onlyEffective: booleanParameter({ default: false }),
  username: textParameter(),
  range: textParameter(),
  metadata: keyValueParameter(),
};

type Params = Readonly<Record<string, string>>;
type Call = Pick<AnyRouteRequest, "change"> & { readonly subject: Subject; readonly params: unknown };

/** The names in a path that is put together are not in its type. */
function paramsOf(request: { readonly params: unknown }): Params {
  return request.params as Params;
}

/** Deletion locks: of all entities, of one type, of one entity. */
export function deletionLockRoutes(deps: DeletionLockRoutesDeps): RouteTable {
  const route = routes();
  addListOfAll(route, deps);
  addLockRoutes(route, deps, "/deletion-lock", (subject, { lockId = "" }, needed) =>
    lockFor(deps, subject, lockId, needed),
  );
  for (const type of lockTypes) addTypeRoutes(route, deps, type);
  for (const kind of deps.kinds) addEntityRoutes(route, deps, kind);
  return route;
}

async function listed(
  deps: DeletionLockRoutesDeps,
  subject: Subject,
  types: readonly LockType[],
  query: ParameterValues<typeof listQuery>,
) {
  const ranks = await lockRanks(deps, subject);
  const { hits, locks } = await listLocks(deps.environment.store, types, ranks, query, pageOf(query));
  return { hits, lock: locks.map((lock) => listedLock(deps, lock, false)) };
}

function addListOfAll(route: RouteTable, deps: DeletionLockRoutesDeps): void {
  route.get(
    "/deletion-lock",
    {
      summary: "List deletion locks, the newest first",
      role: reads,
      query: { ...listQuery, entityTypes: listParameter() },
      output: DeletionLockListDocument,
    },
    ({ query, subject }) => {
      const types = query.entityTypes.length === 0 ? lockTypes : new Set(query.entityTypes.map(lockTypeOf));
      return listed(deps, subject, [...types], query);
    },
  );
}

type FindLock = (subject: Subject, params: Params, needed: Permission) => Promise<DeletionLock>;

/** Read, change and delete one lock, and its simple metadata. */
function addLockRoutes(route: RouteTable, deps: DeletionLockRoutesDeps, locks: `/${string}`, find: FindLock): void {
  const { environment } = deps;
  const { store } = environment;
  const path = `${locks}/{lockId}` as const;

  route.get(
    path,
    { summary: "Read a deletion lock", role: reads, output: DeletionLockDocument, etag: true },
    async (request) => shownLock(deps, await find(request.subject, paramsOf(request), "READ")),
  );

  route.put(
    path,
    {
      summary: "Change the end and the metadata of a deletion lock",
      role: writes,
      input: DeletionLockDocument,
      output: DeletionLockDocument,
    },
    async (request) => {
      const lock = await find(request.subject, paramsOf(request), "WRITE");
      await updateLock(environment, () => request.change(), lock, request.body);
      return shownLock(deps, await requireLock(store, store.ids.format(lock.serial)));
    },
  );

  route.delete(path, { summary: "Remove a deletion lock", role: writes, output: "none" }, async (request) => {
    const lock = await find(request.subject, paramsOf(request), "WRITE");
    await deleteLock(environment, () => request.change(), lock);
  });

  addKeyValueRoutes(route, store, {
    path,
    entity: "a deletion lock",
    read: reads,
    write: writes,
    setStatus: 204,
    owner: async (params, call) =>
      lockOwner(store, (await find(call.subject, params, call.writes ? "WRITE" : "READ")).serial),
  });
}

/** Sets a lock on an entity; answers it. */
async function created(
  deps: DeletionLockRoutesDeps,
  request: Call,
  type: LockType,
  { serial, id }: FoundEntity,
  document: DeletionLockValue,
): Promise<DeletionLockValue> {
  const { environment } = deps;
  const { store } = environment;
  if (document.entityId !== undefined && document.entityId !== id) {
    throw new KinoraError("invalid-input", {
      context: "entityId",
      value: document.entityId,
      explanation: `The path names ${id}`,
    });
  }
  const target = { type, entity: serial, user: request.subject.userName };
  const lock = await createLock(environment, () => request.change(), target, document);
  return shownLock(deps, await requireLock(store, store.ids.format(lock)));
}

function addTypeRoutes(route: RouteTable, deps: DeletionLockRoutesDeps, type: LockType): void {
  const path = `/${type}/deletion-lock` as const;

  route.get(
    path,
    {
      summary: `List the deletion locks of ${type}s, the newest first`,
      role: reads,
      query: listQuery,
      output: DeletionLockListDocument,
    },
    ({ query, subject }) => listed(deps, subject, [type], query),
  );

  route.post(
    path,
    {
      summary: `Set a deletion lock on the ${type} that the document names`,
      role: writes,
      input: DeletionLockDocument,
      output: DeletionLockDocument,
    },
    async (request) => {
      const { body, subject } = request;
      if (body.entityId === undefined) {
        throw new KinoraError("invalid-input", { context: "entityId", explanation: "The document must have entityId" });
      }
      const target = await findTarget(deps, subject, type, body.entityId, "WRITE");
      return created(deps, request, type, target, { ...body, entityId: target.id });
    },
  );

  addLockRoutes(route, deps, path, async (subject, { lockId = "" }, needed) => {
    const lock = await lockFor(deps, subject, lockId, needed);
    if (lock.type !== type) throw noSuchLock(lockId);
    return lock;
  });
}

function addEntityRoutes(route: RouteTable, deps: DeletionLockRoutesDeps, kind: LockableKind): void {
  const { store } = deps.environment;
  const { type, words } = kind;
  const path = `${kind.path}/deletion-lock` as const;

  route.get(
    path,
    {
      summary: `List the deletion locks that reach ${words}, those that hold longest first`,
      role: reads,
      query: listQuery,
      output: DeletionLockListDocument,
    },
    async (request) => {
      const { subject, query } = request;
      const { serial } = await kind.find(subject, paramsOf(request), "READ");
      const all = await locksOf(store, type, serial, query, await lockRanks(deps, subject));
      const { offset, limit } = pageOf(query);
      const page = all.slice(offset, offset + limit);
      return {
        hits: all.length,
        lock: page.map((one) => listedLock(deps, one, one.lock.type !== type || one.lock.entity !== serial)),
      };
    },
  );

  route.post(
    path,
    {
      summary: `Set a deletion lock on ${words}`,
      role: writes,
      input: DeletionLockDocument,
      output: DeletionLockDocument,
    },
    async (request) =>
      created(deps, request, type, await kind.find(request.subject, paramsOf(request), "WRITE"), request.body),
  );

  addLockRoutes(route, deps, path, async (subject, params, needed) => {
    const { serial } = await kind.find(subject, params, needed);
    const { lockId = "" } = params;
    const lock = await requireLock(store, lockId);
    if (lock.type !== type || lock.entity !== serial) throw noSuchLock(lockId);
    return lock;
  });
}
