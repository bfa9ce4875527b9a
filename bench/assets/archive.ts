import { createAccess } from "../../src/assets/access/create-access.ts";
import { createEntityIds } from "../../src/assets/entity-ids.ts";
import { createDefinitionCache } from "../../src/assets/fields/definition-cache.ts";
import { putField } from "../../src/assets/fields/edit-fields.ts";
import { rightsOf } from "../../src/assets/fields/field-routes-deps.ts";
import { ensureSystemFields } from "../../src/assets/fields/first-fields.ts";
import { noInheritance } from "../../src/assets/inheritance-port.ts";
import type { ItemEnvironment } from "../../src/assets/items/create-item.ts";
import { createItemContent } from "../../src/assets/items/item-content.ts";
import type { ItemDocumentEnvironment } from "../../src/assets/items/item-documents.ts";
import { createEditMetadata, type EditMetadata } from "../../src/assets/metadata/metadata-editing.ts";
import { readEntryUuids } from "../../src/assets/metadata/metadata-environment.ts";
import { indexedEntities } from "../../src/assets/metadata/reindex.ts";
import { createMetadataIndex } from "../../src/assets/search/index/metadata-index.ts";
import { createSearch, type Search } from "../../src/assets/search/search.ts";
import { createSearchFields } from "../../src/assets/search/search-fields.ts";
import { createSearchKinds } from "../../src/assets/search/search-ports.ts";
import type { Subject } from "../../src/plugin/contract.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migration.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { sampleFields } from "./sample-items.ts";

/** An archive: the asset domains over a database, without the HTTP in front. */
export interface Archive {
  readonly store: Store;
  readonly environment: ItemEnvironment & ItemDocumentEnvironment;
  readonly edit: EditMetadata;
  readonly search: Search;
}

export const administrator: Subject = {
  userName: "admin",
  callerName: "admin",
  method: "password",
  realms: ["serviceRealm"],
  known: true,
  hasRole: () => true,
  isPermitted: () => true,
};

/** Opens an archive; makes its tables and fields when they are missing. */
export async function openArchive(database: Database): Promise<Archive> {
  await migrate(database);
  const store = await openStore({ database, blockSize: () => 1000 });
  await ensureSystemFields(store);
  const definitions = createDefinitionCache(store);
  const groupsOf = () => new Set<string>();
  const access = createAccess({ store, memberOf: groupsOf });
  const index = createMetadataIndex();
  const environment = {
    store,
    definitions,
    uuids: await readEntryUuids(store),
    ids: createEntityIds(store.ids),
    access,
    inheritance: noInheritance,
    index,
    groupsOf,
    hooks: [],
    content: createItemContent(),
  };
  const known = await definitions.fresh();
  for (const [name, type] of Object.entries(sampleFields)) {
    if (known.field(name) !== undefined) continue;
    const change = () => store.change({ userName: "admin" });
    await putField({ store, definitions, observers: [], change }, name, { type });
  }
  const search = createSearch({
    store,
    kinds: createSearchKinds(),
    access: {
      readable: (subject) => access.readableSets(subject),
      shapes: (subject) => access.parts(subject, "SHAPE"),
    },
    fields: createSearchFields({
      current: () => definitions.current(),
      rightsOf: (found, subject) => rightsOf(environment, found, subject),
    }),
    entities: {
      valuesOf: async (keys) =>
        new Map((await indexedEntities(environment, keys)).map(({ key, values }) => [key, values])),
    },
  });
  return { store, environment, edit: createEditMetadata(environment), search };
}
