import { KinoraError } from "../../../errors.ts";
import { referenceText, referenceTo } from "../../indexed-reference.ts";
import type {
  Criteria,
  SearchField,
  SearchFilter,
  SearchGroup,
  SearchText,
} from "../documents/item-search-document.ts";
import { referenceField } from "../index/own-fields.ts";
import type { IndexField } from "../tokens/field-analysis.ts";
import { type Boost, readBoost } from "./boost.ts";
import type { Criterion, DerivedField, RelatedKind, SearchedField, ValueTest } from "./criterion.ts";
import { readQueryText } from "./query-syntax.ts";
import { type CostMeter, searchLimits, tooCostly } from "./search-cost.ts";
import { readPlainText, type TextQuery } from "./text-syntax.ts";
import { readRange, readValue } from "./value-test.ts";

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

export interface CriteriaContext {
  /** Fields by kind; `self` for what is searched. */
  readonly fields: (kind: RelatedKind | "self") => SearchedFields;
  readonly kind: RelatedKind | "self";
  readonly meter: CostMeter;
  readonly now: number;
  /** Takes what counts more or less than the rest; absent where nothing counts. */
  readonly boosts?: Boost[] | undefined;
}

type Context = CriteriaContext & { readonly depth: number };

/**
 * Reads criteria that stand side by side: all of them must hold.
 *
 * @throws KinoraError `not-found` for a field that is not defined, `invalid-value` for a value that its field cannot
 *   have, `invalid-input` for a search beyond the limits
 */
export function readCriteria(criteria: Criteria, context: CriteriaContext): Criterion {
  return { is: "and", of: partsOf(criteria, { ...context, depth: 0 }) };
}

/** Reads a filter; without an operation all of it must hold. */
export function readFilter(filter: SearchFilter, context: CriteriaContext): Criterion {
  return combined(filter.operation ?? "AND", partsOf(filter, { ...context, depth: 0 }));
}

function combined(operation: "AND" | "OR" | "NOT", of: readonly Criterion[]): Criterion {
  if (of.length === 0) return { is: "all" };
  if (operation === "NOT") return { is: "not", of: { is: "or", of } };
  return { is: operation === "OR" ? "or" : "and", of };
}

function deeper(context: Context): Context {
  if (context.depth >= searchLimits.depth) throw tooCostly("depth");
  return { ...context, depth: context.depth + 1 };
}

/** What must not be, and what is not in the entity itself, says nothing of how well it fits. */
function uncounted({ boosts: _boosts, ...context }: Context): Context {
  return context;
}

function partsOf(criteria: Criteria, context: Context): readonly Criterion[] {
  const parts: Criterion[] = [];
  for (const text of criteria.text ?? []) parts.push(readText(text, context));
  for (const field of criteria.field ?? []) parts.push(readField(field, context));
  for (const group of criteria.group ?? []) parts.push(readGroup(group, context));
  for (const uuid of criteria.reference ?? []) parts.push(readReference(uuid, context));
  for (const operator of criteria.operator ?? []) {
    const inner = deeper(operator.operation === "NOT" ? uncounted(context) : context);
    parts.push(combined(operator.operation, partsOf(operator, inner)));
  }
  for (const kind of ["item", "shape", "file"] as const) {
    const related = criteria[kind];
    if (related !== undefined) parts.push(readRelated(kind, related, context));
  }
  return parts;
}

function readRelated(kind: RelatedKind, criteria: Criteria, context: Context): Criterion {
  const same = kind === context.kind;
  const inner = deeper(same ? context : { ...uncounted(context), kind });
  const of: Criterion = { is: "and", of: partsOf(criteria, inner) };
  return same ? of : { is: "related", kind, of };
}

function readReference(text: string, { meter, fields, kind }: Context): Criterion {
  meter.spend("clauses");
  const uuid = text.trim().toLowerCase();
  const referring = fields(kind).referring?.() ?? [];
  const refers = (test: ValueTest): Criterion => ({
    is: "value",
    field: { store: "index", field: referenceField },
    test,
  });
  if (referring === "all") return refers({ test: "beginning", text: referenceTo(uuid) });
  return { is: "or", of: referring.map((name) => refers({ test: "exact", text: referenceText(uuid, name) })) };
}

function readGroup(group: SearchGroup, context: Context): Criterion {
  context.meter.spend("clauses");
  if (context.fields(context.kind).hasGroup?.(group.name) === false) {
    throw new KinoraError("not-found", { type: "field-group", id: group.name });
  }
  const { operator, reference, ...rest } = group;
  const inner = deeper(uncounted(context));
  const criteria: Criteria = {
    ...rest,
    ...(operator === undefined ? {} : { operator: [operator] }),
    ...(reference === undefined ? {} : { reference: [reference] }),
  };
  const of = partsOf(criteria, inner);
  return { is: "group", name: group.name, of: { is: "and", of } };
}

function readField(field: SearchField, context: Context): Criterion {
  if (field.target !== undefined && field.target !== context.kind) {
    const { target, ...same } = field;
    return readRelated(target, { field: [same] }, context);
  }
  const found = context.fields(context.kind).field(field.name);
  if (found === undefined) throw new KinoraError("not-found", { type: "metadata-field", id: field.name });
  const values = field.value ?? [];
  const ranges = field.range ?? [];
  const countsWords = found !== "hidden" && found.store === "index" && found.field.analysis === "words";
  // The words of a text are counted when it is read.
  const isExistence = values.length + ranges.length === 0;
  context.meter.spend("clauses", (isExistence ? 1 : 0) + (countsWords ? 0 : values.length) + ranges.length);
  if (found === "hidden") return { is: "none" };
  const { field: tested } = found;
  const testing = (test: ValueTest): Criterion =>
    found.store === "derived" ? { is: "keys", keys: found.keysFor(test) } : { is: "value", field: found, test };
  if (isExistence) return testing({ test: "any" });
  const either: Criterion[] = [];
  const weight = found.store === "index" ? (found.field.boost ?? 1) : 1;
  const add = (of: Criterion, by: number) => {
    either.push(of);
    if (by !== 1 && found.store === "index") context.boosts?.push({ by, of });
  };
  for (const value of values) {
    const by = weight * readBoost(value.boost ?? 1);
    if (found.store === "index" && tested.analysis === "words") {
      const query = textQuery(value.value ?? "", value.noescape === true, context);
      add(wordsCriterion(query, [found], context), by);
    } else {
      add(testing(readValue(tested, value, context.now)), by);
    }
  }
  for (const range of ranges) add(testing(readRange(tested, range, context.now)), weight);
  return { is: "or", of: either };
}

function readText(text: SearchText, context: Context): Criterion {
  const query = textQuery(text.value ?? "", text.noescape === true, context);
  const fields = context.fields(context.kind);
  const { visibleText } = fields;
  const of = wordsCriterion(
    query,
    visibleText?.map((field) => ({ store: "index", field })),
    context,
  );
  const by = readBoost(text.boost ?? 1);
  if (by !== 1) context.boosts?.push({ by, of });
  if (context.boosts === undefined) return of;
  for (const field of fields.boostedText?.() ?? []) {
    const inField = wordsCriterion(query, [{ store: "index", field }], uncounted(context));
    context.boosts.push({ by: 1 + by * ((field.boost ?? 1) - 1), of: inField });
  }
  return of;
}

function textQuery(text: string, noescape: boolean, { meter }: Context): TextQuery {
  if (noescape && text.length > searchLimits.queryText) throw tooCostly("queryText");
  const query = noescape ? readQueryText(text) : readPlainText(text);
  meter.spend("clauses", leavesOf(query));
  return query;
}

function leavesOf(query: TextQuery): number {
  if (query.is === "boosted") return leavesOf(query.of);
  if (query.is === "and" || query.is === "or") return query.of.reduce((sum, part) => sum + leavesOf(part), 0);
  if (query.is === "not") return leavesOf(query.of);
  return query.is === "phrase" ? query.words.length : 1;
}

type IndexedFieldOnly = Extract<SearchedField, { readonly store: "index" }>;

/** A text query as criteria on the full text, or on the words of one or several fields. */
function wordsCriterion(
  query: TextQuery,
  fields: readonly IndexedFieldOnly[] | undefined,
  context: Context,
): Criterion {
  const each = (part: TextQuery) => wordsCriterion(part, fields, context);
  switch (query.is) {
    case "nothing":
      return { is: "none" };
    case "and":
    case "or":
      return { is: query.is, of: query.of.map(each) };
    case "not":
      return { is: "not", of: wordsCriterion(query.of, fields, uncounted(context)) };
    case "boosted": {
      const of = each(query.of);
      context.boosts?.push({ by: query.by, of });
      return of;
    }
    case "any":
      if (fields === undefined) return { is: "all" };
      return { is: "or", of: fields.map((field) => ({ is: "value", field, test: { test: "any" } })) };
    default: {
      const { is: test, ...rest } = query;
      const one = (field: IndexField | undefined) => ({ is: "words", field, test: { test, ...rest } }) as Criterion;
      if (fields === undefined) return one(undefined);
      context.meter.spend("terms", fields.length);
      return { is: "or", of: fields.map(({ field }) => one(field)) };
    }
  }
}
