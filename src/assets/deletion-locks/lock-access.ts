import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { AccessPort, Permission } from "../access-port.ts";
import type { Addressable, FoundEntity } from "../addressable.ts";
import type { DeletionLockValue } from "../documents/deletion-lock-document.ts";
import { type DeletionLock, lockDocument } from "./deletion-lock.ts";
import { noSuchLock, requireLock } from "./edit-locks.ts";
import { type ListedLock, type LockRanks, locksOf } from "./list-locks.ts";
import type { LockFieldEnvironment } from "./lock-expiry-field.ts";
import { type LockType, lockTypes } from "./lock-reach.ts";

/** A kind of entity that deletion locks are set on. */
export type LockableKind = Addressable & { readonly type: LockType };

/** What the routes of deletion locks take from the service. */
export interface DeletionLockRoutesDeps {
  readonly environment: LockFieldEnvironment;
  readonly access: AccessPort;
  /** Items, collections and files. Of several paths of one type the first is that by which entities are looked for. */
  readonly kinds: readonly LockableKind[];
}

/** The type that a text names. @throws KinoraError `invalid-input` */
export function lockTypeOf(text: string | undefined): LockType {
  const type = lockTypes.find((one) => one === text?.toLowerCase());
  if (type !== undefined) return type;
  throw new KinoraError("invalid-input", {
    context: "entityType",
    explanation: `Deletion locks are set on ${lockTypes.join(", ")}`,
    ...(text === undefined ? {} : { value: text.slice(0, 100) }),
  });
}

/** What a lock is, or is to be, set on. @throws KinoraError `not-found`, `forbidden` */
export async function findTarget(
  { kinds }: DeletionLockRoutesDeps,
  subject: Subject,
  type: LockType,
  identifier: string,
  needed: Permission,
): Promise<FoundEntity> {
  const kind = kinds.find((one) => one.type === type);
  const parameter = /\{([^}]+)\}/.exec(kind?.path ?? "")?.[1];
  if (kind === undefined || parameter === undefined) throw new KinoraError("not-found", { type, id: identifier });
  return kind.find(subject, { [parameter]: identifier }, needed);
}

/** The lock that an id names, for a caller with a permission on what it is set on. @throws KinoraError `not-found` */
export async function lockFor(
  deps: DeletionLockRoutesDeps,
  subject: Subject,
  identifier: string,
  needed: Permission,
): Promise<DeletionLock> {
  const { store } = deps.environment;
  const lock = await requireLock(store, identifier);
  try {
    await findTarget(deps, subject, lock.type, store.ids.format(lock.entity), needed);
  } catch (error) {
    // Who may not see what it is set on is told no more than that there is no such lock.
    throw error instanceof KinoraError && error.code === "not-found" ? noSuchLock(identifier) : error;
  }
  return lock;
}

/** What a caller may do with the entity of a lock `l`, by its type. */
export async function lockRanks({ access }: DeletionLockRoutesDeps, subject: Subject): Promise<LockRanks> {
  return {
    item: await access.rank(subject, "item", "l.entity"),
    collection: await access.rank(subject, "collection", "l.entity"),
    file: { sql: subject.hasRole("_file_read") ? "4" : "0", args: [] },
  };
}

/** A lock of a list as a document. */
export function listedLock(
  { environment: { store } }: DeletionLockRoutesDeps,
  { lock, effective, hidden }: ListedLock,
  inherited: boolean,
): DeletionLockValue {
  return lockDocument(lock, { now: store.now(), format: store.ids.format, inherited, effective, hidden });
}

/** A lock as that sees it which it is set on. */
export async function shownLock(deps: DeletionLockRoutesDeps, lock: DeletionLock): Promise<DeletionLockValue> {
  const all = await locksOf(deps.environment.store, lock.type, lock.entity, { onlyEffective: true, metadata: [] });
  const effective = all.some((one) => one.lock.serial === lock.serial);
  return listedLock(deps, { lock, effective, hidden: false }, false);
}
