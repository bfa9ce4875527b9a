import type { Change } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { Grantor } from "./grants.ts";
import type { PasswordHasher } from "./password/password-hasher.ts";

/** What an edit of users and groups needs: where, by whom. */
export interface Editing {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  /** Starts a change with its actor. */
  change(): Change;
  readonly grantor: Grantor;
}

/** Lets every cache of users, roles and credentials know, and commits. */
export async function commitIdentity(editing: Pick<Editing, "store">, change: Change): Promise<void> {
  editing.store.versions.bump(change, "security");
  await change.commit();
}
