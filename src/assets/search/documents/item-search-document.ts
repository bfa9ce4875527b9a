import type { Declaration, Infer, ValueOfMembers } from "../../../documents/declare.ts";
import {
  attribute,
  boolean,
  choice,
  content,
  dateTime,
  document,
  double,
  int,
  jsonOnly,
  list,
  long,
  object,
  oneOf,
  ref,
  text,
} from "../../../documents/declare.ts";

/** One value to look for. `minimum` and `maximum` stand for the open ends of a range. */
const ItemSearchValueType = object("ItemSearchValueType", {
  minimum: attribute(boolean()),
  maximum: attribute(boolean()),
  noescape: attribute(boolean()),
  boost: attribute(double()),
  value: content(),
});
export type SearchValue = Infer<typeof ItemSearchValueType>;

const ItemSearchTextValueType = object("ItemSearchTextValueType", {
  noescape: attribute(boolean()),
  boost: attribute(double()),
  value: content(),
});
export type SearchText = Infer<typeof ItemSearchTextValueType>;

const SearchFieldType = object("SearchFieldType", {
  target: attribute(oneOf("item", "shape", "file")),
  name: text().required(),
  value: list(ItemSearchValueType),
  range: list(
    object("SearchRangeType", {
      exclusiveMinimum: attribute(boolean()),
      exclusiveMaximum: attribute(boolean()),
      value: list(ItemSearchValueType, { minimum: 2, maximum: 2 }).required(),
    }),
  ),
});
export type SearchField = Infer<typeof SearchFieldType>;

/** What criteria are made of; several side by side must all hold. */
export interface Criteria {
  readonly text?: readonly SearchText[] | undefined;
  readonly operator?: readonly SearchOperator[] | undefined;
  readonly field?: readonly SearchField[] | undefined;
  readonly group?: readonly SearchGroup[] | undefined;
  readonly reference?: readonly string[] | undefined;
  readonly item?: Criteria | undefined;
  readonly shape?: Criteria | undefined;
  readonly file?: Criteria | undefined;
}

export interface SearchOperator extends Criteria {
  readonly operation: "AND" | "OR" | "NOT";
}

export interface SearchGroup {
  readonly name: string;
  readonly operator?: SearchOperator | undefined;
  readonly field?: readonly SearchField[] | undefined;
  readonly group?: readonly SearchGroup[] | undefined;
  readonly reference?: string | undefined;
}

const operation = () => oneOf("AND", "OR", "NOT");

const SearchOperatorType: Declaration<SearchOperator> = object("SearchOperatorType", {
  operation: attribute(operation()).required(),
  text: list(ItemSearchTextValueType),
  operator: list(ref<SearchOperator>(() => SearchOperatorType)),
  field: list(SearchFieldType),
  group: list(ref<SearchGroup>(() => SearchGroupType)),
  reference: list(text()),
  item: ref<Criteria>(() => ItemCriterionType),
  shape: ref<Criteria>(() => ShapeCriterionType),
  file: ref<Criteria>(() => FileCriterionType),
});

const SearchGroupType: Declaration<SearchGroup> = object("SearchGroupType", {
  name: text().required(),
  operator: ref<SearchOperator>(() => SearchOperatorType),
  field: list(SearchFieldType),
  group: list(ref<SearchGroup>(() => SearchGroupType)),
  reference: text(),
});

const criterionMembers = {
  text: list(ItemSearchTextValueType),
  operator: list(SearchOperatorType),
  field: list(SearchFieldType),
  group: list(SearchGroupType),
  reference: list(text()),
};
const FileCriterionType: Declaration<Criteria> = object("CriterionType", criterionMembers);
const ShapeCriterionType: Declaration<Criteria> = object("ShapeCriterionType", {
  ...criterionMembers,
  file: ref<Criteria>(() => FileCriterionType),
});
const ItemCriterionType: Declaration<Criteria> = object("ItemCriterionType", {
  ...criterionMembers,
  shape: ref<Criteria>(() => ShapeCriterionType),
  file: ref<Criteria>(() => FileCriterionType),
});

/** A criterion with a name, which facets can leave out; it does not count for relevance and highlighting. */
const SearchFilterType = object("SearchFilterType", {
  operation: attribute(operation()),
  name: attribute(text()),
  ...criterionMembers,
  item: ref<Criteria>(() => ItemCriterionType),
  shape: ref<Criteria>(() => ShapeCriterionType),
  file: ref<Criteria>(() => FileCriterionType),
});
export type SearchFilter = Infer<typeof SearchFilterType>;

/** From `start` up to but without `end`; `*` or nothing is open. In answers the number of hits in it. */
export const FacetRangeType = object("FacetRangeType", {
  start: attribute(text()).required(),
  end: attribute(text()).required(),
  count: jsonOnly(long()).readOnly(),
  value: content(text()).readOnly(),
});

const FacetRequestType = object("FacetRequestType", {
  count: attribute(boolean()),
  minCount: attribute(int()),
  maxResults: attribute(int()),
  name: attribute(text()),
  field: text().required(),
  range: list(FacetRangeType),
  exclude: list(text()),
});
export type FacetRequest = Infer<typeof FacetRequestType>;

const FacetFilterType = object("FacetFilterType", {
  field: text().required(),
  ...choice({ range: FacetRangeType, value: text() }),
});
export type FacetFilter = Infer<typeof FacetFilterType>;

const HighlightRequestType = object("HighlightRequestType", {
  field: list(text()),
  matchingOnly: boolean(),
  prefix: text(),
  suffix: text(),
});
export type HighlightRequest = Infer<typeof HighlightRequestType>;

const SuggestionSearchType = object("SuggestionSearchType", { maximumSuggestions: int(), accuracy: double() });
export type SuggestionRequest = Infer<typeof SuggestionSearchType>;

const AutocompleteRequestType = object("AutocompleteRequestType", {
  text: text().required(),
  field: text(),
  maximumSuggestions: int(),
});
export type AutocompleteRequest = Infer<typeof AutocompleteRequestType>;

const SortType = object("SortingType", { field: text().required(), order: oneOf("ascending", "descending") });

const searchMembers = {
  version: attribute(int()),
  text: list(ItemSearchTextValueType),
  field: list(SearchFieldType),
  group: list(SearchGroupType),
  intervals: oneOf("all", "generic", "timed"),
  reference: list(text()),
  operator: SearchOperatorType,
  filter: list(SearchFilterType),
  item: ItemCriterionType,
  shape: ShapeCriterionType,
  file: FileCriterionType,
  facetFilter: list(FacetFilterType),
  facet: list(FacetRequestType),
  sort: list(SortType),
  highlight: HighlightRequestType,
  suggestion: SuggestionSearchType,
  autocomplete: list(AutocompleteRequestType),
  cursor: text(),
};

const ItemSearchType = object("ItemSearchType", searchMembers);

/** A search. The other roots are the same document under another name. */
export const ItemSearchDocument = document("ItemSearchDocument", ItemSearchType);
export type ItemSearch = Infer<typeof ItemSearchDocument>;

export const CollectionSearchDocument = document("CollectionSearchDocument", ItemSearchType);
export const ShapeSearchDocument = document("ShapeSearchDocument", ItemSearchType);
export const FileSearchDocument = document("FileSearchDocument", ItemSearchType);

export const AutocompleteRequestDocument = document("AutocompleteRequestDocument", AutocompleteRequestType);

/** The searches that a user made, newest first. */
export const SearchHistoryListDocument = document("SearchHistoryListDocument", {
  query: list(
    object("SearchHistoryType", {
      timestamp: dateTime().required(),
      user: text().required(),
      query: ItemSearchType.required(),
    }),
  ),
});
export type SearchHistoryList = Infer<typeof SearchHistoryListDocument>;
export type SearchSort = ValueOfMembers<(typeof SortType)["members"]>;
