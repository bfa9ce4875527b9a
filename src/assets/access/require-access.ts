import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Store } from "../../store/store.ts";
import { type AccessKind, type AccessPort, type Permission, permissions, rankOf } from "../access-port.ts";
import { accessEntityOf, accessKey, accessKinds } from "./access-entity.ts";
import { formatAccessEntity } from "./entity-id.ts";

/** What is needed to look up permissions. */
export interface PermissionReader {
  readonly store: Store;
  readonly access: Pick<AccessPort, "rank">;
}

/** What a subject may do with entities of one kind, by their keys; those that do not exist are left out. */
export async function readPermissions(
  { store, access }: PermissionReader,
  subject: Subject,
  kind: AccessKind,
  serials: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (serials.length === 0) return new Map();
  const rank = await access.rank(subject, kind, "(d.id / 8)");
  const rows = await store.query({
    sql: `select d.id, ${rank.sql} as permission from search_document d where d.id in (select value from json_each(?))`,
    args: [...rank.args, JSON.stringify(serials.map((serial) => accessKey(kind, serial)))],
  });
  return new Map(rows.map((row) => [Number(row.id), Number(row.permission)]));
}

/**
 * Checks that a subject may do something with an entity.
 *
 * @throws KinoraError `not-found` for an entity that does not exist or may not be read, `forbidden` below what is needed
 */
export async function requireAccess(
  reader: PermissionReader,
  subject: Subject,
  entity: number,
  needed: Permission,
): Promise<void> {
  const { kind, serial } = accessEntityOf(entity);
  requirePermission(reader, entity, (await readPermissions(reader, subject, kind, [serial])).get(entity) ?? 0, needed);
}

/** Checks a permission that was read. @throws KinoraError `not-found`, `forbidden` */
export function requirePermission(
  { store }: Pick<PermissionReader, "store">,
  entity: number,
  permission: number,
  needed: Permission,
): void {
  const { type } = accessKinds[accessEntityOf(entity).kind];
  const id = formatAccessEntity(store.ids, entity);
  if (permission < rankOf("READ")) throw new KinoraError("not-found", { type, id });
  if (permission >= rankOf(needed)) return;
  throw new KinoraError("forbidden", {
    context: type,
    id,
    explanation: `The caller has the permission ${permissions[permission] ?? "NONE"} on ${id}, and needs ${needed}`,
  });
}
