import type { Configuration } from "./configuration.ts";
import { type CorsRules, corsRules } from "./cors.ts";
import type { CorsConfiguration } from "./cors-document.ts";

/** Name under which the document is stored. */
export const corsDocument = "cors";

/** The rules that are stored, made again when the document changes; `undefined` while there is none. */
export function createCorsSource(configuration: Configuration): () => CorsRules | undefined {
  let made: { readonly version: number; readonly rules: CorsRules } | undefined;
  return () => {
    const stored = configuration.current(corsDocument);
    if (stored === undefined) return undefined;
    if (made?.version !== stored.version) {
      made = { version: stored.version, rules: corsRules(stored.value as CorsConfiguration) };
    }
    return made.rules;
  };
}
