import type { IndexField } from "../tokens/field-analysis.ts";
import type { Bound } from "../tokens/range-cover.ts";
import type { Fragment } from "./fragment.ts";

/** A search as a tree, with fields looked up and values read. */
export type Criterion =
  | { readonly is: "all" }
  | { readonly is: "none" }
  | { readonly is: "and" | "or"; readonly of: readonly Criterion[] }
  | { readonly is: "not"; readonly of: Criterion }
  /** Full text, or words of one field. */
  | { readonly is: "words"; readonly field: IndexField | undefined; readonly test: WordTest }
  /** Any of these tokens of the index: what a pattern was found to stand for. `anyTime`: wherever in time they are. */
  | { readonly is: "tokens"; readonly tokens: readonly string[]; readonly anyTime?: boolean }
  /** Any token from `low` to `high`: a range of text that has too many values to list. */
  | { readonly is: "span"; readonly span: TokenSpan }
  /** The value of a field. */
  | { readonly is: "value"; readonly field: SearchedField; readonly test: ValueTest }
  /** One instance of a field group with all of this in it. */
  | { readonly is: "group"; readonly name: string; readonly of: Criterion }
  /** Belongs to an entity of another kind of which this holds. */
  | { readonly is: "related"; readonly kind: RelatedKind; readonly of: Criterion }
  /** One of these keys: the members of a collection or library. */
  | { readonly is: "keys"; readonly keys: KeySet };

/** Entity keys that a domain selects. */
export interface KeySet {
  /** A select of the keys, in a column `id`. */
  readonly select: Fragment;
  /** No key comes twice, and every one is that of an entity that there is. Default `false`. */
  readonly exact?: boolean;
  /** Whether a key, which is a column, is one of them; better than `select` when they are many. */
  readonly contains?: (id: Fragment) => Fragment;
  /** The order in which they come when a search asks for none; a place of a key, which is a column. */
  readonly order?: (id: Fragment) => Fragment;
}

export type RelatedKind = "item" | "shape" | "file";

/** A field in the index, or one that other domains maintain. */
export type SearchedField =
  | { readonly store: "index"; readonly field: IndexField }
  | { readonly store: "transient"; readonly field: TransientField };

/** A field whose values follow from other rows, so that it is a condition on keys and nothing is kept of it. */
export interface DerivedField {
  readonly store: "derived";
  readonly field: TransientField;
  /** The entities of which a test of the value holds. */
  readonly keysFor: (test: ValueTest) => KeySet;
}

export interface TransientField {
  readonly name: string;
  readonly analysis: IndexField["analysis"];
  /** That the caller may see a value, which is a column, of those that pass a test; absent where that is all. */
  readonly visible?: (value: Fragment, test: ValueTest) => Fragment;
}

/** Tokens from `low` on, up to `high`. */
export interface TokenSpan {
  readonly low: string;
  readonly lowInclusive: boolean;
  readonly high: string;
  readonly highInclusive: boolean;
}

/** What a word, or several in a row, must be. */
export type WordTest =
  | { readonly test: "word"; readonly word: string }
  /** The words in this order; the last one may go on. */
  | { readonly test: "phrase"; readonly words: readonly string[]; readonly open: boolean }
  /** `*` stands for any characters, `?` for one. */
  | { readonly test: "pattern"; readonly pattern: Pattern }
  /** Written alike: begins with the same character, and no more edits lead to it. */
  | { readonly test: "fuzzy"; readonly word: string; readonly edits: number };

/** What a whole value must be. */
export type ValueTest =
  | { readonly test: "any" }
  | { readonly test: "exact"; readonly text: string }
  | { readonly test: "beginning"; readonly text: string }
  | { readonly test: "pattern"; readonly pattern: Pattern }
  /** Text from `low` to `high` in the order of code points. */
  | { readonly test: "between"; readonly low: Bound | undefined; readonly high: Bound | undefined }
  /** Ordered values: those that begin so (a whole one, or a day, a month). */
  | { readonly test: "ordered"; readonly low: Bound | undefined; readonly high: Bound | undefined };

/** Literal texts with wildcards between them. */
export type Pattern = readonly (string | typeof anything | typeof anyCharacter)[];
export const anything = Symbol("*");
export const anyCharacter = Symbol("?");

/** `and` and `or` without what changes nothing, `not` without a second one. */
export function simplified(criterion: Criterion): Criterion {
  switch (criterion.is) {
    case "and":
    case "or":
      return simplifiedList(criterion.is, criterion.of.map(simplified));
    case "not": {
      const of = simplified(criterion.of);
      if (of.is === "all") return { is: "none" };
      if (of.is === "none") return { is: "all" };
      return of.is === "not" ? of.of : { is: "not", of };
    }
    case "group":
    case "related":
      return { ...criterion, of: simplified(criterion.of) };
    default:
      return criterion;
  }
}

function simplifiedList(is: "and" | "or", of: readonly Criterion[]): Criterion {
  const neutral = is === "and" ? "all" : "none";
  const decisive = is === "and" ? "none" : "all";
  const flat = of.flatMap((part) => (part.is === is ? part.of : [part])).filter((part) => part.is !== neutral);
  if (flat.some((part) => part.is === decisive)) return { is: decisive };
  const [first] = flat;
  if (first === undefined) return { is: neutral };
  return flat.length === 1 ? first : { is, of: flat };
}
