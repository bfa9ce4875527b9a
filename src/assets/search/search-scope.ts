import type { Row, Statement } from "../../store/database.ts";
import type { PartAccess } from "../access-port.ts";
import { kindNumbers, wordPrefixOf } from "./kinds.ts";
import type { ConditionScope, RelatedScope } from "./query/condition-scope.ts";
import type { SearchedFields } from "./query/criteria-context.ts";
import type { RelatedKind } from "./query/criterion.ts";
import type { WordPrefixes } from "./query/expand.ts";
import { raw, sql } from "./query/fragment.ts";
import { type Intervals, quoted } from "./query/match.ts";
import type { Searched } from "./query/plan.ts";
import type { CostMeter } from "./query/search-cost.ts";
import type { SearchKind, SearchKinds } from "./search-ports.ts";
import { kindToken } from "./tokens/token.ts";

/** What a search runs with. */
export interface SearchSurroundings {
  readonly readAll: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  readonly now: number;
  readonly kinds: SearchKinds;
  /** Fields of items and collections that the caller may search. */
  readonly fields: SearchedFields;
  readonly readable: Searched["readable"];
  /** What the caller may read of shapes; absent for administrators. */
  readonly shapes: PartAccess | undefined;
  readonly groupStyle: ConditionScope["groupStyle"];
}

/** The kind by which criteria on other kinds name this one. */
export function relatedKindOf(kind: SearchKind): RelatedKind | undefined {
  return kind === "item" || kind === "shape" || kind === "file" ? kind : undefined;
}

const noFields: SearchedFields = { field: () => "hidden" };

/** The fields of a kind that criteria may name. */
export function fieldsOf(
  kind: RelatedKind | "self",
  self: SearchKind,
  { kinds, fields }: SearchSurroundings,
): SearchedFields {
  const asked = kind === "self" ? self : kind;
  return asked === "shape" || asked === "file" ? (kinds.declared(asked)?.fields ?? noFields) : fields;
}

/** What full-text words begin with, in what is searched and in other kinds. */
export function wordPrefixes(self: SearchKind): WordPrefixes {
  return {
    self: wordPrefixOf(self),
    item: wordPrefixOf("item"),
    shape: wordPrefixOf("shape"),
    file: wordPrefixOf("file"),
  };
}

/** Which entities are searched, and for whom. */
export function searchedOf(kinds: readonly SearchKind[], surroundings: SearchSurroundings): Searched {
  const { shapes, readable } = surroundings;
  const declared = kinds.map((kind) => surroundings.kinds.declared(kind)).find((found) => found !== undefined);
  return {
    kinds: kinds.map((kind) => kindNumbers[kind]),
    readable,
    visible: declared && ((id) => (shapes === undefined ? raw("1") : declared.visible(id, shapes))),
  };
}

/**
 * That a caller may find an entity through which others are searched. Who has no grants that are for shapes alone may find
 * it whenever they may find the others.
 */
function visibleThrough(
  kind: RelatedKind,
  { kinds, shapes, readable }: SearchSurroundings,
): RelatedScope["visible"] | undefined {
  if (shapes === undefined || readable === undefined) return undefined;
  const declared = kinds.declared(kind);
  return (id) => {
    const visible =
      declared?.visible(id, shapes) ??
      sql`exists (select 1 from search_document va where va.id = ${id} and va.access in (${readable}))`;
    return sql`(not ${shapes.limited} or ${visible})`;
  };
}

/** How criteria on some kinds become SQL; criteria on other kinds lead on to theirs. */
export function scopeOf(
  kinds: readonly SearchKind[],
  intervals: Intervals,
  meter: CostMeter,
  surroundings: SearchSurroundings,
): Omit<ConditionScope, "isFew"> {
  const self = kinds[0] ?? "item";
  const isFew = () => true;
  return {
    base: kinds.map((kind) => quoted(kindToken(kind))).join(" OR "),
    wordPrefix: wordPrefixOf(self),
    intervals: isTimed(self) ? intervals : "all",
    meter,
    groupStyle: surroundings.groupStyle,
    related: (kind) => ({
      visible: visibleThrough(kind, surroundings),
      scope: { ...scopeOf([kind], intervals, meter, surroundings), isFew },
      keysOf: surroundings.kinds.linked(kind, relatedKindOf(self) ?? kind) ?? (() => raw("select null where 0")),
    }),
  };
}

function isTimed(kind: SearchKind): boolean {
  return kind !== "shape" && kind !== "file";
}
