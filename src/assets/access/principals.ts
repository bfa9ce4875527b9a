import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";

/** Whom an entry names. A role counts as a group. */
export type PrincipalKind = "user" | "group";

/** What a user or group is found by. */
export function principalKey(kind: PrincipalKind, name: string): string {
  return `${kind}:${name}`;
}

/** Whether the number of a principal is that of a group. */
export function isGroupPrincipal(principal: number): boolean {
  return principal % 2 === 1;
}

/**
 * The numbers of users and groups, by their keys. Those that have none yet get one, in a change of their own: a number
 * that nothing refers to does no harm.
 */
export async function ensurePrincipals(
  store: Store,
  wanted: readonly { readonly kind: PrincipalKind; readonly name: string }[],
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map(wanted.map(({ kind, name }) => [principalKey(kind, name), { kind, name }]));
  const known = await readPrincipals(store, [...byKey.keys()]);
  const missing = [...byKey].filter(([key]) => !known.has(key));
  if (missing.length === 0) return known;
  const change = store.change({ userName: "system" });
  for (const [key, { kind, name }] of missing) {
    change.add({
      sql: `insert into access_principal (id, key, name)
        select (coalesce(max(id), 0) / 2 + 1) * 2 + ?, ?, ? from access_principal where true
        on conflict (key) do nothing`,
      args: [kind === "group" ? 1 : 0, key, name],
    });
    if (kind === "user") addSuspension(change, name);
  }
  await change.commit();
  return readPrincipals(store, [...byKey.keys()]);
}

async function readPrincipals(store: Store, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await store.query({
    sql: "select key, id from access_principal where key in (select value from json_each(?))",
    args: [JSON.stringify(keys)],
  });
  return new Map(rows.map((row) => [String(row.key), Number(row.id)]));
}

/** Adds that what a user granted is in force, or not, as the user's row says. */
export function addSuspension(change: Change, userName: string): void {
  change.add(
    {
      sql: `update access_principal set suspended = coalesce(
          (select disabled = 1 and access_preserved = 0 from user where name = ?), 0)
        where key = ?`,
      args: [userName, principalKey("user", userName)],
    },
    { silent: true },
  );
}

/**
 * Adds that a user or group exists no more: nobody holds its number from now on, nothing that it granted is in force,
 * and another of its name begins with nothing. One row changes, whatever the number had.
 */
export function addRetirement(change: Change, kind: PrincipalKind, name: string): void {
  change.add(
    {
      sql: "update access_principal set key = null, suspended = 1 where key = ?",
      args: [principalKey(kind, name)],
    },
    { silent: true },
  );
}
