import type { Store } from "../../store/store.ts";
import type { Definitions } from "./definitions.ts";
import { definitionsVersion, readDefinitions } from "./read-definitions.ts";

/** The definitions of fields and groups, kept in memory as long as nobody changes one. */
export interface DefinitionCache {
  /** As they are, on other instances' changes at most 5 s late; without a promise when they are known. */
  current(): Definitions | Promise<Definitions>;
  /** As they are now. */
  fresh(): Promise<Definitions>;
  /** Takes over what an edit made of the definitions that it was planned on, which spares reading all of them again. */
  edited(definitions: Definitions): void;
}

/** Below any age: what was known this very millisecond may be older than another instance's change. */
const always = -1;

/** Makes the cache over a store. */
export function createDefinitionCache(store: Store): DefinitionCache {
  let known: { readonly version: number; readonly definitions: Definitions } | undefined;

  async function read(version: number): Promise<Definitions> {
    const definitions = await readDefinitions(store);
    // What was read while the version moved may be older than the version says: use it once, do not keep it.
    if (version === store.versions.current(definitionsVersion)) known = { version, definitions };
    return definitions;
  }

  return {
    current() {
      const version = store.versions.current(definitionsVersion);
      return known?.version === version ? known.definitions : read(version);
    },
    async fresh() {
      const version = await store.versions.fresh(definitionsVersion, always);
      return known?.definitions.version === version ? known.definitions : read(version);
    },
    edited(definitions) {
      const { version } = definitions;
      if (version === store.versions.current(definitionsVersion)) known = { version, definitions };
    },
  };
}
