import type { IndexField } from "../tokens/field-analysis.ts";
import type { Boost } from "./boost.ts";
import type { DerivedField, RelatedKind, SearchedField } from "./criterion.ts";
import type { CostMeter } from "./search-cost.ts";

/** The fields that can be searched in entities of one kind. */
export interface SearchedFields {
  /** `undefined`: there is no such field. `"hidden"`: it is stored only, or the caller may not see it. */
  field(name: string): SearchedField | DerivedField | "hidden" | undefined;
  /** Whether a field group is defined; absent where there are no groups. */
  hasGroup?(name: string): boolean;
  /** Full-text fields that the caller may see, where that is not all of them. */
  readonly visibleText?: readonly IndexField[] | undefined;
  /** Full-text fields that count more or less than others, and that the caller may see. */
  boostedText?(): readonly IndexField[];
  /** Names of the fields and groups whose references the caller may see; absent where nothing refers to anything. */
  referring?(): "all" | readonly string[];
}

/** What criteria are read with. */
export interface CriteriaContext {
  /** Fields by kind; `self` for what is searched. */
  readonly fields: (kind: RelatedKind | "self") => SearchedFields;
  readonly kind: RelatedKind | "self";
  readonly meter: CostMeter;
  readonly now: number;
  /** Takes what counts more or less than the rest; absent where nothing counts. */
  readonly boosts?: Boost[] | undefined;
}

/** What must not be, and what is not in the entity itself, says nothing of how well it fits. */
export function uncounted<C extends CriteriaContext>({ boosts: _boosts, ...context }: C): Omit<C, "boosts"> {
  return context;
}
