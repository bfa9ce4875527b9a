import { fromEpoch } from "../../documents/date-time.ts";
import type { Infer } from "../../documents/declare.ts";
import { boolean, dateTime, document, int, oneOf, text } from "../../documents/declare.ts";
import type { Ids } from "../../store/ids.ts";
import { formatLibrary } from "../access/entity-id.ts";
import { ItemSearchDocument } from "../search/documents/item-search-document.ts";
import { type Library, updateModes } from "./library.ts";

/** How a library is made and kept. */
export const LibrarySettingsDocument = document("LibrarySettingsDocument", {
  id: text().readOnly(),
  username: text().readOnly(),
  updateMode: oneOf(...updateModes),
  autoRefresh: boolean(),
  updateFrequency: int(),
  lastUpdate: dateTime().readOnly(),
  query: ItemSearchDocument,
});
export type LibrarySettings = Infer<typeof LibrarySettingsDocument>;

export function settingsDocument(ids: Pick<Ids, "format">, library: Library): LibrarySettings {
  const { serial, owner, updateMode, autoRefresh, updateFrequency, lastUpdate, query } = library;
  return {
    id: formatLibrary(ids, serial),
    username: owner,
    updateMode,
    autoRefresh,
    updateFrequency,
    lastUpdate: fromEpoch(lastUpdate),
    ...(query === undefined ? {} : { query }),
  };
}
