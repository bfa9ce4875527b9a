import type { PasswordHasher } from "./identity/password/password-hasher.ts";
import type { ExtModules } from "./plugin/loader.ts";
import type { Database } from "./store/database.ts";

/**
 * What the service takes from the runtime it stands on. `src/runtime/platform-*.ts` provide one for each runtime; the
 * import `#platform` resolves to the right one.
 */
export interface Platform {
  readonly runtime: "node" | "deno" | "workerd" | "other";
  /** Opens the database that a URL names; refuses schemes that this runtime cannot reach. */
  openDatabase(url: string, options: { readonly authToken?: string | undefined }): Promise<Database>;
  /** Argon2id in native code where that loads, else portable. */
  passwordHasher(): Promise<PasswordHasher>;
  /** A digest under a random key of this process; synchronous where the runtime can. */
  keyedDigest(): (text: string) => string | Promise<string>;
  /** The text of a file, or `undefined` when there is none. Absent where there is no file system. */
  readonly readText?: (path: string) => Promise<string | undefined>;
  /** Loading of plugin modules from the ext folder. Absent where code cannot be loaded at run time. */
  readonly extModules?: ExtModules;
  /** An environment variable, for `${env:NAME}`. */
  variable(name: string): string | undefined;
}
