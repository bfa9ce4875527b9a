import { KinoraError } from "../errors.ts";
import type { Actor } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { Editing } from "./editing.ts";
import { editMember } from "./group-editing.ts";
import type { PasswordHasher } from "./password/password-hasher.ts";
import { roles as roleList } from "./roles.ts";
import { createUser, setPassword } from "./user-editing.ts";

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

/** Makes the operations of an operator, who may do everything and is the actor of the changes. */
export function createUserAdministration(store: Store, hasher: PasswordHasher, actor: Actor): UserAdministration {
  const editing: Editing = { store, hasher, change: () => store.change(actor), grantor: { hasRole: () => true } };
  return {
    async add({ name, password, realName, roles = [] }) {
      for (const role of roles) checkRole(role);
      const groupList = { group: roles.map((groupName) => ({ groupName })) };
      await createUser(editing, { userName: name, password, realName, groupList });
    },
    setPassword: (name, password) => setPassword(editing, name, password),
    async giveRole(name, role) {
      checkRole(role);
      await editMember(editing, role, name, "ADD");
    },
    async takeRole(name, role) {
      checkRole(role);
      await editMember(editing, role, name, "REMOVE");
    },
  };
}

function checkRole(role: string): void {
  if (roleList.some((known) => known.name === role)) return;
  throw new KinoraError("invalid-input", { context: "role", value: role, explanation: `There is no role ${role}` });
}
