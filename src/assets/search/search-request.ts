import type { Subject } from "../../plugin/contract.ts";
import type { ItemSearch } from "./documents/item-search-document.ts";
import type { Autocomplete, Facet, Suggestion } from "./documents/search-answer.ts";
import type { KeySet } from "./query/criterion.ts";
import type { HitPlace } from "./query/hit-timespans.ts";
import type { SearchKind } from "./search-ports.ts";

/** A search and which part of its hits is wanted. */
export interface SearchRequest {
  /** Who searches; `undefined` for the service itself, which finds everything. */
  readonly subject: Subject | undefined;
  readonly query: ItemSearch;
  readonly kinds: readonly SearchKind[];
  /** Only these: the members of a collection or library. */
  readonly scope?: KeySet | undefined;
  /** The first hit that is wanted, counted from 1. Ignored with a cursor. */
  readonly first: number;
  readonly number: number;
  /** Whether the hits are counted. */
  readonly count: boolean;
  /** `*`, or what the page before gave. */
  readonly cursor?: string | undefined;
}

/** One hit. */
export interface SearchHit extends HitPlace {
  readonly kind: SearchKind;
  readonly serial: number;
}

export interface SearchResult {
  /** Absent when they were not counted. */
  readonly hits?: number;
  readonly found: readonly SearchHit[];
  /** With a cursor: where the next page begins, also behind the last hit. */
  readonly nextCursor?: string;
  readonly facets: readonly Facet[];
  readonly suggestions: readonly Suggestion[];
  readonly autocompletes: readonly Autocomplete[];
}
