import { readJson } from "../../../documents/read-json.ts";
import { readXml } from "../../../documents/read-xml.ts";
import { KinoraError } from "../../../errors.ts";
import { pageParameters } from "../../../http/page.ts";
import { booleanParameter, textParameter } from "../../../http/parameters.ts";
import { type ItemSearch, ItemSearchDocument } from "../documents/item-search-document.ts";
import type { SearchResult } from "../search-request.ts";

/** The page of a list of hits, and whether they are counted. */
export const searchParameters = {
  ...pageParameters({ number: 100, maximum: 1000 }),
  count: booleanParameter({ default: true }),
  cursor: textParameter(),
};

/** The search document in the query, for requests without a body. */
export const queryParameter = { q: textParameter() };

/**
 * The search of a request: its body, or the document in the parameter `q` (XML or JSON), or everything.
 *
 * @throws KinoraError what a document throws that cannot be read
 */
export function searchOf(body: ItemSearch | undefined, q: string | undefined): ItemSearch {
  if (body !== undefined) return body;
  const text = q?.trim() ?? "";
  if (text === "") return {};
  if (text.startsWith("<")) return readXml(ItemSearchDocument, text, { anyRoot: true });
  if (text.startsWith("{")) return readJson(ItemSearchDocument, text);
  throw new KinoraError("invalid-input", {
    context: "q",
    explanation: "The parameter q must be an ItemSearchDocument in XML or JSON",
  });
}

/** What lists say beside their hits; the parts that nobody asked for are left out. */
export function listExtras(result: SearchResult) {
  const { hits, facets, suggestions, autocompletes, nextCursor } = result;
  return {
    ...(hits === undefined ? {} : { hits }),
    ...(facets.length === 0 ? {} : { facet: facets }),
    ...(suggestions.length === 0 ? {} : { suggestion: suggestions }),
    ...(autocompletes.length === 0 ? {} : { autocomplete: autocompletes }),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}
