import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { checkUserName } from "./names.ts";

/** A user as a change creates it. */
export interface NewUser {
  readonly name: string;
  readonly realName?: string | undefined;
  /** PHC string; without one the user cannot log in by password. */
  readonly passwordHash?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Whether others may be named in its RunAs header. Default `true`. */
  readonly runAsEnabled?: boolean | undefined;
  readonly origin?: string | undefined;
  /** The listener whose login made the user. */
  readonly provisionedBy?: string | undefined;
}

/**
 * Adds a user to a change.
 *
 * @throws KinoraError `invalid-input` at once for an illegal name; the commit throws `conflict` when a user or an alias
 * of this name exists
 */
export function addUserRow(change: Change, store: Store, user: NewUser): void {
  checkUserName(user.name);
  requireFreeName(change, user.name);
  change.add({
    sql: `insert into user (name, real_name, password, disabled, run_as_enabled, origin, provisioned_by, created)
      values (?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      user.name,
      user.realName ?? null,
      user.passwordHash ?? null,
      user.disabled ? 1 : 0,
      user.runAsEnabled === false ? 0 : 1,
      user.origin ?? null,
      user.provisionedBy ?? null,
      store.now(),
    ],
  });
  change.record({ entity: "user", action: "CREATE", entityId: user.name, keys: { user: user.name, action: "CREATE" } });
}

/** The commit throws `conflict` when a user or an alias of this name exists: both log in by it. */
export function requireFreeName(change: Change, name: string): void {
  change.require(
    {
      sql: `select not exists (select 1 from user where name = ?1)
        and not exists (select 1 from user_alias where name = ?1)`,
      args: [name],
    },
    new KinoraError("conflict", { type: "User", id: name, explanation: `The name ${name} is taken` }),
  );
}

/** The commit throws `not-found` when no user of this name exists. */
export function requireUser(change: Change, name: string): void {
  change.require({ sql: "select exists (select 1 from user where name = ?)", args: [name] }, noSuchUser(name));
}

/** The error for a user that does not exist. */
export function noSuchUser(name: string): KinoraError {
  return new KinoraError("not-found", { type: "User", id: name });
}

/** The error for a group or role that does not exist. */
export function noSuchGroup(name: string): KinoraError {
  return new KinoraError("not-found", { type: "Group", id: name });
}

/** Refuses the empty password, by which a log-in without a password would succeed. @throws KinoraError */
export function checkPassword(password: string): void {
  if (password !== "") return;
  throw new KinoraError("invalid-input", { context: "password", explanation: "The password is empty" });
}
