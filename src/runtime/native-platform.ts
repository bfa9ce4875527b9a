import { hash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createPasswordHasher, type PasswordHasher } from "../identity/password/password-hasher.ts";
import { logOf } from "../logging/log.ts";
import type { Platform } from "../platform.ts";
import type { Database } from "../store/database.ts";
import { databaseFile } from "./database-file.ts";
import { fileExtModules } from "./ext-modules.ts";

/** The platform of a process with a file system: Node, and Deno by its Node modules. */
export function nativePlatform(runtime: "node" | "deno"): Platform {
  return {
    runtime,
    openDatabase,
    passwordHasher,
    keyedDigest,
    readText,
    extModules: fileExtModules(runtime),
    variable: (name) => process.env[name],
  };
}

/** The clients are loaded when they are needed: each costs tens of milliseconds of the start. */
async function openDatabase(
  url: string,
  { authToken }: { readonly authToken?: string | undefined },
): Promise<Database> {
  if (url.startsWith("file:")) {
    await mkdir(dirname(databaseFile(url)), { recursive: true });
    const { openEmbedded } = await import("../store/embedded.ts");
    return openEmbedded({ url });
  }
  const { openServer } = await import("../store/server.ts");
  return openServer({ url, ...(authToken === undefined ? {} : { authToken }) });
}

async function passwordHasher(): Promise<PasswordHasher> {
  const { loadArgon2 } = await import("./native-password.ts");
  const { engine, fallback } = await loadArgon2();
  if (fallback !== undefined) logOf("password").warn(fallback);
  return createPasswordHasher({ engine });
}

/** SHA-256 over a random key of this process and the text; the key has a fixed length, so the two cannot run together. */
function keyedDigest(): (text: string) => string {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  return (text) => hash("sha256", key + text, "hex");
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
