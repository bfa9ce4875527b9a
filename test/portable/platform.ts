import { nativePlatform } from "../../src/runtime/native-platform.ts";

/** What the service takes from Node or Deno. The runner of workerd puts its own platform in the place of this module. */
export const platform = nativePlatform("Deno" in globalThis ? "deno" : "node");
