import { KinoraError } from "../errors.ts";
import type { Actor } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { recordGroupModified } from "./group-events.ts";
import type { PasswordHasher } from "./password/password-hasher.ts";
import { roles as roleList } from "./roles.ts";
import { addUserRow, requireUser } from "./user-changes.ts";

/** What an operator does to users without going through the API. */
export interface UserAdministration {
  /**
   * Creates a user who can log in.
   *
   * @throws KinoraError `conflict` when the name is taken, `invalid-input` for an illegal name, empty password or
   * unknown role
   */
  add(user: {
    readonly name: string;
    readonly password: string;
    readonly realName?: string;
    readonly roles?: readonly string[];
  }): Promise<void>;
  /** Sets a user's password. @throws KinoraError `not-found`, `invalid-input` for an empty password */
  setPassword(name: string, password: string): Promise<void>;
  /** Gives a role; nothing changes when the user has it. @throws KinoraError `not-found`, `invalid-input` */
  giveRole(name: string, role: string): Promise<void>;
  /** Takes a role that was given directly. @throws KinoraError `not-found`, `invalid-input` */
  takeRole(name: string, role: string): Promise<void>;
}

/** Makes the operations of an operator, with the operator as the actor of their changes. */
export function createUserAdministration(store: Store, hasher: PasswordHasher, actor: Actor): UserAdministration {
  return {
    async add(user) {
      for (const role of user.roles ?? []) checkRole(role);
      checkPassword(user.password);
      const passwordHash = await hasher.hash(user.password);
      const change = store.change(actor);
      addUserRow(change, store, { name: user.name, realName: user.realName, passwordHash });
      for (const role of user.roles ?? []) {
        change.add(membershipOf(user.name, role));
        recordGroupModified(change, role, "ADD", { user: user.name });
      }
      store.versions.bump(change, "security");
      await change.commit();
    },

    async setPassword(name, password) {
      checkPassword(password);
      const hash = await hasher.hash(password);
      const change = store.change(actor);
      requireUser(change, name);
      change.add({ sql: "update user set password = ? where name = ?", args: [hash, name] });
      store.versions.bump(change, "security");
      await change.commit();
    },

    async giveRole(name, role) {
      checkRole(role);
      const change = store.change(actor);
      requireUser(change, name);
      change.add(membershipOf(name, role));
      recordGroupModified(change, role, "ADD", { user: name });
      store.versions.bump(change, "security");
      await change.commit();
    },

    async takeRole(name, role) {
      checkRole(role);
      const change = store.change(actor);
      requireUser(change, name);
      change.add({
        sql: `delete from group_user where user_id = (select id from user where name = ?)
          and group_id = (select id from user_group where name = ?)`,
        args: [name, role],
      });
      recordGroupModified(change, role, "REMOVE", { user: name });
      store.versions.bump(change, "security");
      await change.commit();
    },
  };
}

/** Refuses the empty password, by which a log-in without a password would succeed. @throws KinoraError */
export function checkPassword(password: string): void {
  if (password === "")
    throw new KinoraError("invalid-input", { context: "password", explanation: "The password is empty" });
}

function checkRole(role: string): void {
  if (roleList.some((known) => known.name === role)) return;
  throw new KinoraError("invalid-input", { context: "role", value: role, explanation: `There is no role ${role}` });
}

function membershipOf(userName: string, group: string) {
  return {
    sql: `insert or ignore into group_user (user_id, group_id)
      select u.id, g.id from user u, user_group g where u.name = ? and g.name = ?`,
    args: [userName, group],
  };
}
