import { equalBytes, fromBase64, type IdentityAccess } from "../../../src/plugin/mod.ts";
import { matchesBcrypt } from "./bcrypt.ts";
import { iteratedDigest } from "./iterated-digest.ts";

const digestPattern = /^\$shiro1\$([A-Za-z0-9-]{1,20})\$([0-9]{1,9})\$([A-Za-z0-9+/=]*)\$([A-Za-z0-9+/=]+)$/;

/**
 * Checks a password against a hash string of Apache Shiro: `$shiro1$` (iterated SHA-2), `$shiro2$argon2id$` and
 * `$shiro2$2y$` (bcrypt). An empty password, and a text of any other form, never match.
 *
 * @throws KinoraError `unavailable` when too many wait
 */
export async function matchesShiroHash(
  identity: Pick<IdentityAccess, "verifyHash">,
  password: string,
  stored: string,
): Promise<boolean> {
  if (password === "") return false;
  if (stored.startsWith("$shiro2$argon2id$")) {
    return identity.verifyHash(password, stored.slice("$shiro2".length));
  }
  const bytes = new TextEncoder().encode(password);
  if (stored.startsWith("$shiro2$2")) return matchesBcrypt(bytes, stored.slice("$shiro2".length));
  return matchesDigest(bytes, stored);
}

async function matchesDigest(password: Uint8Array, stored: string): Promise<boolean> {
  const [, name, iterations, saltText, hashText] = digestPattern.exec(stored) ?? [];
  if (name === undefined || saltText === undefined || hashText === undefined) return false;
  const digest = iteratedDigest(name, Number(iterations));
  const salt = fromBase64(saltText);
  const hash = fromBase64(hashText);
  if (!digest || !salt || !hash) return false;
  return equalBytes(await digest(salt, password), hash);
}
