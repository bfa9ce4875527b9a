import type { Infer } from "../../../documents/declare.ts";
import { attribute, content, document, jsonOnly, list, long, object, text } from "../../../documents/declare.ts";
import { FacetRangeType } from "./item-search-document.ts";

/** How often a value occurs. Some clients read the number under the key `count`. */
const FacetCountType = object("FacetCountType", {
  fieldValue: attribute(text()).required(),
  count: jsonOnly(long()),
  value: content(long()).required(),
});

export const FacetType = object("FacetType", {
  name: attribute(text()),
  field: text().required(),
  count: list(FacetCountType),
  range: list(FacetRangeType),
});
export type Facet = Infer<typeof FacetType>;

/** Words that a search may have meant. */
export const SuggestionResultType = object("SuggestionResultType", {
  term: text().required(),
  suggestion: list(text()),
});
export type Suggestion = Infer<typeof SuggestionResultType>;

export const AutocompleteResponseType = object("AutocompleteResponseType", { field: text(), suggestion: list(text()) });
export type Autocomplete = Infer<typeof AutocompleteResponseType>;

export const AutocompleteResponseDocument = document("AutocompleteResponseDocument", AutocompleteResponseType);

/** Where in its time an entity matches, and what matches there. */
export const HitTimespanType = object("HitTimespanType", {
  start: attribute(text()).required(),
  end: attribute(text()).required(),
  field: list(object("HitFieldType", { name: text().required(), value: list(text()) })).jsonEmptyList(),
});
export type HitTimespan = Infer<typeof HitTimespanType>;
