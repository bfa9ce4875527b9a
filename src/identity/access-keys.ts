import { fromEpoch } from "../documents/date-time.ts";
import { dateTime, document, type Infer, int, list, oneOf, text } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";
import type { Row } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { commitIdentity, type Editing } from "./editing.ts";
import { checkText } from "./names.ts";
import { newAccessKeyId, newAccessKeySecret, sha256 } from "./secrets.ts";
import { noSuchUser, requireUser } from "./user-changes.ts";

export const AccessKeyDocument = document("AccessKeyDocument", {
  id: text().readOnly(),
  name: text(),
  secret: text().readOnly(),
  status: oneOf("ACTIVE", "INACTIVE"),
  created: dateTime().readOnly(),
});
export type AccessKey = Infer<typeof AccessKeyDocument>;

export const AccessKeyListDocument = document("AccessKeyListDocument", {
  hits: int(),
  key: list(AccessKeyDocument).jsonEmptyList(),
});
export type AccessKeyList = Infer<typeof AccessKeyListDocument>;

/** Keys of one user, and characters of a key's name. */
export const mostKeys = 100;
export const longestKeyName = 255;

/** The keys of a user, the oldest first, without secrets. @throws KinoraError `not-found` */
export async function listAccessKeys(store: Store, userName: string): Promise<AccessKeyList> {
  const [users, keys] = await store.readAll([
    { sql: "select 1 from user where name = ?", args: [userName] },
    {
      sql: `select k.id, k.name, k.status, k.created from access_key k join user u on u.id = k.user_id
        where u.name = ? order by k.created, k.id`,
      args: [userName],
    },
  ]);
  if (!users?.length) throw noSuchUser(userName);
  const key = (keys ?? []).map(accessKeyOf);
  return { hits: key.length, key };
}

/** One key of a user, without its secret. @throws KinoraError `not-found` */
export async function readAccessKey(store: Store, userName: string, id: string): Promise<AccessKey> {
  const [row] = await store.query({
    sql: `select k.id, k.name, k.status, k.created from access_key k join user u on u.id = k.user_id
      where u.name = ? and k.id = ?`,
    args: [userName, id],
  });
  if (!row) throw noSuchKey(id);
  return accessKeyOf(row);
}

/**
 * Makes an ACTIVE key. This answer alone holds the secret.
 *
 * @throws KinoraError `not-found` for an unknown user, `invalid-input` for an illegal name or too many keys
 */
export async function createAccessKey(
  editing: Editing,
  userName: string,
  name: string | undefined,
): Promise<AccessKey> {
  if (name !== undefined) checkText(name, "name", longestKeyName);
  const id = newAccessKeyId();
  const secret = newAccessKeySecret();
  const created = editing.store.now();
  const change = editing.change();
  requireUser(change, userName);
  change
    .add({
      sql: `insert into access_key (id, user_id, name, secret_hash, status, created)
        select ?, id, ?, ?, 'ACTIVE', ? from user where name = ?`,
      args: [id, name ?? null, sha256(secret), created, userName],
    })
    .require(
      {
        sql: "select count(*) <= ? from access_key where user_id = (select id from user where name = ?)",
        args: [mostKeys, userName],
      },
      new KinoraError("invalid-input", { context: "key", explanation: `A user has at most ${mostKeys} access keys` }),
    );
  await commitIdentity(editing, change);
  return { id, name, secret, status: "ACTIVE", created: fromEpoch(created) };
}

/**
 * Changes the name or the status of a key, as far as the document holds them: ACTIVE ⇄ INACTIVE.
 *
 * @throws KinoraError `not-found`, `invalid-input`
 */
export async function putAccessKey(editing: Editing, userName: string, id: string, key: AccessKey): Promise<AccessKey> {
  if (key.name !== undefined) checkText(key.name, "name", longestKeyName);
  const change = editing.change();
  requireKey(change, userName, id);
  change.add({
    sql: "update access_key set name = coalesce(?, name), status = coalesce(?, status) where id = ?",
    args: [key.name ?? null, key.status ?? null, id],
  });
  await commitIdentity(editing, change);
  return readAccessKey(editing.store, userName, id);
}

/** Removes a key for good: its id is never given again. @throws KinoraError `not-found` */
export async function deleteAccessKey(editing: Editing, userName: string, id: string): Promise<void> {
  const change = editing.change();
  requireKey(change, userName, id);
  change.add({ sql: "delete from access_key where id = ?", args: [id] });
  await commitIdentity(editing, change);
}

function requireKey(change: ReturnType<Editing["change"]>, userName: string, id: string): void {
  change.require(
    {
      sql: "select exists (select 1 from access_key k join user u on u.id = k.user_id where u.name = ? and k.id = ?)",
      args: [userName, id],
    },
    noSuchKey(id),
  );
}

function noSuchKey(id: string): KinoraError {
  return new KinoraError("not-found", { type: "AccessKey", id });
}

function accessKeyOf(row: Row): AccessKey {
  return {
    id: String(row.id),
    name: row.name === null ? undefined : String(row.name),
    status: row.status === "ACTIVE" ? "ACTIVE" : "INACTIVE",
    created: fromEpoch(Number(row.created)),
  };
}
