import type { Criterion, RelatedKind } from "./criterion.ts";
import type { Fragment } from "./fragment.ts";
import type { MatchScope } from "./match.ts";

/** Entities of one kind, or of several that are searched together, as conditions see them. */
export interface ConditionScope extends MatchScope {
  readonly groupStyle: "separate" | "mergeToTopLevelGroup";
  /** The scope of another kind. */
  readonly related: (kind: RelatedKind) => RelatedScope;
  /** Whether so few rows are meant that listing them once is cheaper than looking at each candidate. */
  readonly isFew: (criterion: Criterion) => boolean;
}

export interface RelatedScope {
  /** That the caller may find one, by its key, a column; absent where that is all. */
  readonly visible?: ((id: Fragment) => Fragment) | undefined;
  readonly scope: ConditionScope;
  /** From a select of keys of that kind to a select of the keys that they belong to. */
  readonly keysOf: (inner: Fragment) => Fragment;
}
