import { KinoraError } from "../../errors.ts";
import type { Difference } from "./difference.ts";

/** What others have locked of an entity. */
export interface Locks {
  /** Who locked the item as a whole. */
  readonly item?: string;
  /** Locks of fields; one without names locks all. */
  readonly fields: readonly { readonly user: string; readonly names: readonly string[] }[];
}

function locked(explanation: string, id?: string): KinoraError {
  return new KinoraError("conflict", { context: "lock", explanation, ...(id === undefined ? {} : { id }) });
}

/** Refuses to change an item that another user has locked. @throws KinoraError `conflict` */
export function requireItemUnlocked(locks: Locks, userName: string | undefined): void {
  if (locks.item === undefined || userName === undefined || locks.item === userName) return;
  throw locked(`The item is locked by ${locks.item}`);
}

/** Refuses to change fields that another user has locked. @throws KinoraError `conflict` naming the field */
export function requireFieldsUnlocked(
  locks: Locks,
  userName: string | undefined,
  step: Pick<Difference, "added" | "removed">,
): void {
  if (userName === undefined) return;
  const others = locks.fields.filter(({ user }) => user !== userName);
  if (others.length === 0) return;
  const changed = new Set([...step.added, ...step.removed].map(({ field }) => field.name));
  for (const { user, names } of others) {
    const hit = names.length === 0 ? [...changed][0] : names.find((name) => changed.has(name));
    if (hit !== undefined) throw locked(`The field ${hit} is locked by ${user}`, hit);
  }
}
