import { noSuchGroup, noSuchUser } from "../../identity/user-changes.ts";
import type { Store } from "../../store/store.ts";
import { type PrincipalKind, principalKey } from "./principals.ts";

interface Named {
  readonly kind: PrincipalKind;
  readonly name: string;
}

/** The keys of those users and groups (roles among them) that exist. */
export async function knownNames(store: Store, named: readonly Named[]): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set();
  const namesOf = (kind: PrincipalKind) =>
    JSON.stringify(named.filter((one) => one.kind === kind).map(({ name }) => name));
  const [users, groups] = await store.readAll([
    { sql: "select name from user where name in (select value from json_each(?))", args: [namesOf("user")] },
    { sql: "select name from user_group where name in (select value from json_each(?))", args: [namesOf("group")] },
  ]);
  return new Set([
    ...(users ?? []).map((row) => principalKey("user", String(row.name))),
    ...(groups ?? []).map((row) => principalKey("group", String(row.name))),
  ]);
}

/** @throws KinoraError `not-found` for the first user or group that does not exist */
export async function requireNames(store: Store, named: readonly Named[]): Promise<void> {
  const known = await knownNames(store, named);
  const missing = named.find(({ kind, name }) => !known.has(principalKey(kind, name)));
  if (missing !== undefined) throw missing.kind === "user" ? noSuchUser(missing.name) : noSuchGroup(missing.name);
}
