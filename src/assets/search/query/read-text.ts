import type { SearchText } from "../documents/item-search-document.ts";
import type { IndexField } from "../tokens/field-analysis.ts";
import { readBoost } from "./boost.ts";
import { type CriteriaContext, uncounted } from "./criteria-context.ts";
import type { Criterion, SearchedField } from "./criterion.ts";
import { readQueryText } from "./query-syntax.ts";
import { searchLimits, tooCostly } from "./search-cost.ts";
import { readPlainText, type TextQuery } from "./text-syntax.ts";

/** Reads a text to look for in all fields with full text. @throws KinoraError as for criteria */
export function readText(text: SearchText, context: CriteriaContext): Criterion {
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

/** Reads a value of a field that is split into words. @throws KinoraError as for criteria */
export function readWords(
  { value = "", noescape }: SearchText,
  field: IndexedFieldOnly,
  context: CriteriaContext,
): Criterion {
  return wordsCriterion(textQuery(value, noescape === true, context), [field], context);
}

function textQuery(text: string, noescape: boolean, { meter }: CriteriaContext): TextQuery {
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
  context: CriteriaContext,
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
