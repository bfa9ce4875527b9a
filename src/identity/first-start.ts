import type { Store } from "../store/store.ts";
import type { PasswordHasher } from "./password/password-hasher.ts";
import { administratorRole, roles } from "./roles.ts";
import { newPassword } from "./secrets.ts";

/** Name of the user that a first start makes. */
export const firstUser = "admin";

const actor = { userName: "system" };

/** Creates the roles that are missing. Gives their names, in the order of the list; changes nothing when none is. */
export async function ensureRoles(store: Store): Promise<readonly string[]> {
  const rows = await store.query({ sql: "select name from user_group where role = 1" });
  const present = new Set(rows.map((row) => row.name));
  const missing = roles.filter((role) => !present.has(role.name));
  if (missing.length === 0) return [];
  const change = store.change(actor);
  for (const role of missing) {
    change.add({
      sql: "insert or ignore into user_group (name, description, role, created) values (?, ?, 1, ?)",
      args: [role.name, role.description, store.now()],
    });
  }
  store.versions.bump(change, "security");
  await change.commit();
  return missing.map((role) => role.name);
}

export interface FirstStartOptions {
  readonly hasher: PasswordHasher;
  /** Password of the user `admin`. Without it a random one is made. */
  readonly adminPassword?: string;
}

/**
 * Creates the roles, and in a database without users the user `admin` with the role `_administrator`. Of several
 * instances that start at once, one makes the user. Afterwards it changes nothing: a removed `admin` stays removed as
 * long as there is another user.
 *
 * @returns the password that was made up, to be shown once, when `admin` was created without a given one
 */
export async function ensureFirstStart(
  store: Store,
  options: FirstStartOptions,
): Promise<{ readonly createdAdmin: boolean; readonly generatedPassword?: string }> {
  await ensureRoles(store);
  const [row] = await store.query({ sql: "select exists (select 1 from user) as used" });
  if (row?.used === 1) return { createdAdmin: false };

  const password = options.adminPassword ?? newPassword();
  const hash = await options.hasher.hash(password);
  const change = store.change(actor);
  change.add(
    {
      sql: "insert into user (name, password, created) select ?, ?, ? where not exists (select 1 from user)",
      args: [firstUser, hash, store.now()],
    },
    {
      // changes() is what the insert did: the role is given only to the user made here
      sql: `insert into group_user (user_id, group_id)
        select u.id, g.id from user u, user_group g where changes() = 1 and u.name = ? and g.name = ?`,
      args: [firstUser, administratorRole],
    },
  );
  store.versions.bump(change, "security");
  const [inserted] = await change.commit();
  if (inserted?.rowsAffected !== 1) return { createdAdmin: false };
  return options.adminPassword === undefined
    ? { createdAdmin: true, generatedPassword: password }
    : { createdAdmin: true };
}
