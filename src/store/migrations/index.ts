import { core } from "./0001-core.ts";
import { identity } from "./0002-identity.ts";
import { items } from "./0003-items.ts";
import { search } from "./0004-search.ts";
import { collections } from "./0005-collections.ts";
import { shapes } from "./0006-shapes.ts";
import { externalIds } from "./0007-external-ids.ts";
import { sharedDocuments } from "./0008-shared-documents.ts";
import { uniqueExternalIds } from "./0009-unique-external-ids.ts";
import { references } from "./0010-references.ts";
import { containers } from "./0011-containers.ts";
import { savedSearches } from "./0012-saved-searches.ts";
import type { Migration } from "./declaration.ts";

/** Every migration, in the order of their numbers. A released one is never changed; a mistake is mended by the next. */
export const migrations: readonly Migration[] = [
  core,
  identity,
  items,
  search,
  collections,
  shapes,
  externalIds,
  sharedDocuments,
  uniqueExternalIds,
  references,
  containers,
  savedSearches,
];
