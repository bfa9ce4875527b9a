import { KinoraError } from "../../errors.ts";
import { intParameter, listParameter } from "../../http/parameters.ts";
import type { RouteTable } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { type MetadataLock, MetadataLockDocument, MetadataLockListDocument } from "../documents/item-document.ts";
import { type EntityKind, entityKey } from "../entity.ts";
import type { Definitions } from "../fields/definitions.ts";
import { requireEntity } from "./entity-access.ts";
import { lockFields, longestTimeout, readFieldLocks, requireFieldLock, unlockFields } from "./lock-fields.ts";
import type { MetadataRoutesDeps } from "./metadata-routes-deps.ts";

function line({ id, user, expires, field = [] }: MetadataLock): string {
  return [id, user, expires, field.join(",")].join("\t");
}

function requireOwn(lock: MetadataLock, subject: Subject): void {
  if (lock.user === subject.userName || subject.hasRole("_administrator")) return;
  throw new KinoraError("conflict", {
    context: "metadata-lock",
    id: lock.id,
    explanation: `The lock belongs to ${lock.user}`,
  });
}

/** Refuses names of fields that are not defined. @throws KinoraError `not-found` with type `metadata-field` */
async function requireFields(
  { definitions }: MetadataRoutesDeps["environment"],
  names: readonly string[],
): Promise<void> {
  const unknownIn = ({ field }: Definitions) => names.find((name) => field(name) === undefined);
  if (unknownIn(await definitions.current()) === undefined) return;
  const unknown = unknownIn(await definitions.fresh());
  if (unknown !== undefined) throw new KinoraError("not-found", { type: "metadata-field", id: unknown });
}

/** Locks on fields of an entity. */
export function addFieldLockRoutes(
  route: RouteTable,
  deps: MetadataRoutesDeps,
  kind: EntityKind,
  entity: string,
): void {
  const { environment } = deps;
  const { store } = environment;
  const root = `/${kind}/{id}/metadata-lock` as const;
  const one = `${root}/{lockId}` as const;
  const query = { field: listParameter(), timeout: intParameter({ default: 60, minimum: 1, maximum: longestTimeout }) };
  const paramsOf = (request: { readonly params: unknown }) =>
    request.params as { readonly id: string; readonly lockId: string };
  const keyOf = async (request: { readonly params: unknown }, subject: Subject, needed: "READ" | "WRITE") =>
    entityKey(kind, await requireEntity(environment, subject, kind, paramsOf(request).id, needed));

  route.get(
    root,
    {
      summary: `List the locks on fields of ${entity}`,
      role: "_metadata_read",
      output: MetadataLockListDocument,
      plain: ({ lock = [] }) => lock.map(line),
    },
    async (request) => ({ lock: await readFieldLocks(store, await keyOf(request, request.subject, "READ")) }),
  );

  route.post(
    root,
    { summary: `Lock fields of ${entity}`, role: "_metadata_write", query, output: MetadataLockDocument, plain: line },
    async (request) => {
      const entityOf = await keyOf(request, request.subject, "WRITE");
      const { field: fields, timeout } = request.query;
      await requireFields(environment, fields);
      const lock = { entity: entityOf, user: request.subject.userName, fields, timeout };
      return lockFields(store, () => request.change(), lock);
    },
  );

  route.get(
    one,
    { summary: `Read a lock on fields of ${entity}`, role: "_metadata_read", output: MetadataLockDocument },
    async (request) => requireFieldLock(store, await keyOf(request, request.subject, "READ"), paramsOf(request).lockId),
  );

  route.put(
    one,
    {
      summary: `Renew a lock on fields of ${entity}`,
      role: "_metadata_write",
      query,
      output: MetadataLockDocument,
      plain: line,
    },
    async (request) => {
      const { subject } = request;
      const key = await keyOf(request, subject, "WRITE");
      const lock = await requireFieldLock(store, key, paramsOf(request).lockId);
      requireOwn(lock, subject);
      const { timeout } = request.query;
      await requireFields(environment, request.query.field);
      const fields = request.query.field.length === 0 ? (lock.field ?? []) : request.query.field;
      return lockFields(store, () => request.change(), { entity: key, user: lock.user, fields, timeout }, lock.serial);
    },
  );

  route.delete(
    one,
    { summary: `End a lock on fields of ${entity}`, role: "_metadata_write", output: "none" },
    async (request) => {
      const key = await keyOf(request, request.subject, "WRITE");
      const lock = await requireFieldLock(store, key, paramsOf(request).lockId);
      requireOwn(lock, request.subject);
      const change = request.change();
      unlockFields(change, lock.serial);
      await change.commit();
    },
  );
}
