import { KinoraError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { commitIdentity, type Editing } from "./editing.ts";
import { saltLength } from "./password/argon2.ts";
import { readPhc } from "./password/phc.ts";
import { noSuchUser, requireUser } from "./user-changes.ts";
import { endTokens } from "./user-editing.ts";

/**
 * The salt of a user's password hash, or the one that was made last. It is of no use to a client, as passwords are only
 * taken as they are; it is told because the API has it.
 *
 * @throws KinoraError `not-found` for an unknown user, and for one that has neither
 */
export async function readSalt(store: Store, userName: string): Promise<Uint8Array<ArrayBuffer>> {
  const [user] = await store.query({ sql: "select password, salt from user where name = ?", args: [userName] });
  if (!user) throw noSuchUser(userName);
  const salt = typeof user.password === "string" ? readPhc(user.password)?.salt : user.salt;
  if (salt instanceof Uint8Array) return new Uint8Array(salt);
  throw new KinoraError("not-found", { type: "salt", id: userName, explanation: "The user has no password" });
}

/** Removes a user's password, ends its tokens and gives a new salt. @throws KinoraError `not-found` */
export async function renewSalt(editing: Editing, userName: string): Promise<Uint8Array<ArrayBuffer>> {
  const salt = crypto.getRandomValues(new Uint8Array(saltLength));
  const change = editing.change();
  requireUser(change, userName);
  change.add({ sql: "update user set password = null, salt = ? where name = ?", args: [salt, userName] });
  endTokens(change, userName);
  await commitIdentity(editing, change);
  return salt;
}
