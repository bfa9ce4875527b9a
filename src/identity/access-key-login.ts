import type { PasswordCredentials, RealmAnswer } from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";
import { sha256 } from "./secrets.ts";

/** Judges an access key shown as a name and a password: it must be ACTIVE and its user enabled. */
export async function authenticateAccessKey(store: Store, credentials: PasswordCredentials): Promise<RealmAnswer> {
  const secretHash = sha256(credentials.password);
  const [key] = await store.query({
    sql: `select k.secret_hash, k.status, u.name, u.disabled
      from access_key k join user u on u.id = k.user_id where k.id = ?`,
    args: [credentials.userName],
  });
  if (!key) return "not mine";
  // Hashes of random secrets may be compared plainly: where they differ says nothing of the secret.
  if (key.secret_hash !== secretHash || key.status !== "ACTIVE" || key.disabled === 1) return "rejected";
  return { userName: String(key.name), method: "accessKey" };
}
