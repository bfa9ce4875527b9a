import type { Store } from "../../store/store.ts";
import type { ExternalIdentifier } from "../documents/item-document.ts";
import { readIdentifiers } from "./identifiers.ts";

/** The external identifiers of entities of a type as their documents show them (`content=external`), by serial. */
export async function identifierDocuments(
  store: Store,
  type: string,
  serials: readonly number[],
): Promise<ReadonlyMap<number, readonly ExternalIdentifier[]>> {
  const found = await readIdentifiers(store, type, serials);
  return new Map(
    [...found].map(([serial, identifiers]) => [
      serial,
      identifiers.map(({ value, namespace }) => ({
        entityId: store.ids.format(serial),
        entityType: type,
        namespace,
        externalId: value,
      })),
    ]),
  );
}
