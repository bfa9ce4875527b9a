import { env } from "cloudflare:workers";
import { nobleArgon2 } from "../identity/password/noble-argon2.ts";
import { createPasswordHasher } from "../identity/password/password-hasher.ts";
import type { Platform } from "../platform.ts";
import { openWeb } from "../store/web.ts";

/** The platform of Workers: Web standards alone. Variables are the text bindings. */
export const platform: Platform = {
  runtime: "workerd",
  async openDatabase(url, { authToken }) {
    if (url.startsWith("file:")) {
      throw new TypeError("A Worker has no files: set databaseUrl to a libSQL server (libsql:, https:, http:)");
    }
    return openWeb({ url, ...(authToken === undefined ? {} : { authToken }) });
  },
  passwordHasher: async () => createPasswordHasher({ engine: nobleArgon2 }),
  keyedDigest,
  variable(name) {
    const value = env[name];
    return typeof value === "string" ? value : undefined;
  },
};

const utf8 = new TextEncoder();

/** HMAC-SHA-256 under a random key of this isolate, imported at the first use: none may be made before a request. */
function keyedDigest(): (text: string) => Promise<string> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  let key: CryptoKey | undefined;
  return async (text) => {
    key ??= await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
    const digest = new Uint8Array(await crypto.subtle.sign(algorithm, key, utf8.encode(text)));
    return btoa(String.fromCharCode(...digest));
  };
}
