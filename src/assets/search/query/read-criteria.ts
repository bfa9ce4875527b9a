import { KinoraError } from "../../../errors.ts";
import { referenceText, referenceTo } from "../../indexed-reference.ts";
import type { Criteria, SearchField, SearchFilter, SearchGroup } from "../documents/item-search-document.ts";
import { referenceField } from "../index/own-fields.ts";
import { readBoost } from "./boost.ts";
import { type CriteriaContext, uncounted } from "./criteria-context.ts";
import type { Criterion, RelatedKind, ValueTest } from "./criterion.ts";
import { readText, readWords } from "./read-text.ts";
import { searchLimits, tooCostly } from "./search-cost.ts";
import { readRange, readValue } from "./value-test.ts";

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
      add(readWords(value, found, context), by);
    } else {
      add(testing(readValue(tested, value, context.now)), by);
    }
  }
  for (const range of ranges) add(testing(readRange(tested, range, context.now)), weight);
  return { is: "or", of: either };
}
