import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import { type Permission, permissions, rankOf } from "../access-port.ts";
import { type EntityKind, entityKey } from "../entity.ts";
import { kindNames, type MetadataEnvironment } from "./metadata-environment.ts";
import { rankFragment } from "./metadata-row.ts";

type Environment = Pick<MetadataEnvironment, "store" | "access" | "ids">;

/** An entity that does not exist, or that the caller may not read. */
export function notFound({ ids }: Pick<Environment, "ids">, kind: EntityKind, serial: number): KinoraError {
  return new KinoraError("not-found", { type: kindNames[kind].type, id: ids.format(serial) });
}

/**
 * Checks what may be done with an entity.
 *
 * @throws KinoraError `not-found` below READ, `forbidden` below what is needed
 */
export function requireRank(
  environment: Pick<Environment, "ids">,
  { kind, serial, rank }: { readonly kind: EntityKind; readonly serial: number; readonly rank: number },
  needed: Permission,
): void {
  if (rank < rankOf("READ")) throw notFound(environment, kind, serial);
  if (rank >= rankOf(needed)) return;
  const id = environment.ids.format(serial);
  throw new KinoraError("forbidden", {
    context: kindNames[kind].type,
    id,
    explanation: `The caller has the permission ${permissions[rank] ?? "NONE"} on ${id}, and needs ${needed}`,
  });
}

/** What the caller may do with some entities, by serial; those that do not exist are left out. */
export async function readRanks(
  environment: Environment,
  subject: Subject | undefined,
  kind: EntityKind,
  serials: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const fragment = rankFragment(environment, subject, kind, "entity");
  const rank = fragment instanceof Promise ? await fragment : fragment;
  const rows = await environment.store.query({
    sql: `select m.id / 8 as serial, ${rank.sql} as rank from metadata m where m.id in (select value from json_each(?))`,
    args: [...rank.args, JSON.stringify(serials.map((serial) => entityKey(kind, serial)))],
  });
  return new Map(rows.map((row) => [Number(row.serial), Number(row.rank)]));
}

/**
 * The serial of an entity that an identifier names, with which the caller may do what is needed.
 *
 * @throws KinoraError `not-found`, `forbidden`
 */
export async function requireEntity(
  environment: Environment,
  subject: Subject | undefined,
  kind: EntityKind,
  identifier: string,
  needed: Permission,
): Promise<number> {
  const serial = await environment.ids.resolve(kindNames[kind].type, identifier);
  const rank = (await readRanks(environment, subject, kind, [serial])).get(serial) ?? 0;
  if (rank < rankOf("READ")) throw new KinoraError("not-found", { type: kindNames[kind].type, id: identifier });
  requireRank(environment, { kind, serial, rank }, needed);
  return serial;
}
