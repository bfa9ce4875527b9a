import type { Infer } from "../../../documents/declare.ts";
import { attribute, document, int, list, long, object, text } from "../../../documents/declare.ts";
import { CollectionType } from "../../documents/collection-document.ts";
import { FileType } from "../../documents/file-document.ts";
import { ItemType } from "../../documents/item-document.ts";
import { ShapeType } from "../../documents/shape-document.ts";
import { AutocompleteResponseType, FacetType, HitTimespanType, SuggestionResultType } from "./search-answer.ts";

/** Behind the hits of a list: what else was asked for. XML leaves out what was not, JSON shows empty lists. */
const extras = {
  facet: list(FacetType).jsonEmptyList(),
  suggestion: list(SuggestionResultType).jsonEmptyList(),
  autocomplete: list(AutocompleteResponseType).jsonEmptyList(),
  nextCursor: text(),
};

export const ItemListDocument = document("ItemListDocument", {
  hits: long(),
  library: text(),
  item: list(ItemType).jsonEmptyList(),
  ...extras,
});
export type ItemList = Infer<typeof ItemListDocument>;

export const CollectionListDocument = document("CollectionListDocument", {
  hits: long(),
  collection: list(CollectionType).jsonEmptyList(),
  ...extras,
});
export type CollectionList = Infer<typeof CollectionListDocument>;

const SearchResultEntryType = object("SearchResultEntryType", {
  start: attribute(text()),
  end: attribute(text()),
  type: attribute(text()),
  id: attribute(text()),
  parent_type: attribute(text()),
  parent_id: attribute(text()),
  base: attribute(text()),
  item: ItemType,
  collection: CollectionType,
  timespan: list(HitTimespanType),
});
export type SearchResultEntry = Infer<typeof SearchResultEntryType>;

export const SearchResultDocument = document("SearchResultDocument", {
  hits: int(),
  suggestion: list(SuggestionResultType).jsonEmptyList(),
  autocomplete: list(AutocompleteResponseType).jsonEmptyList(),
  entry: list(SearchResultEntryType).jsonEmptyList(),
  facet: list(FacetType).jsonEmptyList(),
  nextCursor: text(),
});
export type SearchResults = Infer<typeof SearchResultDocument>;

export const ShapeListDocument = document("ShapeListDocument", {
  hits: long(),
  shape: list(ShapeType).jsonEmptyList(),
  ...extras,
});

/** Files that a search found. */
export const FoundFileListDocument = document("FileListDocument", {
  hits: long(),
  file: list(FileType).jsonEmptyList(),
  ...extras,
});
