import type { Row, Statement } from "../../../store/database.ts";
import { decodeExact } from "../tokens/exact-token.ts";
import type { Analysis } from "../tokens/field-analysis.ts";
import { fieldToken } from "../tokens/token.ts";
import type { SearchedField } from "./criterion.ts";
import { joined, raw, sql } from "./fragment.ts";
import { behind } from "./pattern.ts";
import { kindCondition, type Searched, type SearchPlan } from "./plan.ts";
import { transientCondition } from "./transient-condition.ts";

/** The values of a facet and how many hits have each. */
export type FacetCounts = ReadonlyMap<string, number>;

/** Fields with more different values are counted by looking at every hit. */
export const mostTerms = 200;

/** Whether the index has so few different values of a field that each can be counted on its own; one row `terms`. */
export function termsStatement(field: SearchedField): Statement {
  const { low, high } = termSpan(field);
  return sql`select count(*) as terms from
    (select 1 from search_index_token where term >= ${low} and term < ${high} limit ${mostTerms + 1})`;
}

/** Whether values of a field are tokens, so that they can be counted in the index. */
export function hasTerms(field: SearchedField): boolean {
  return field.store === "index" && (field.field.analysis === "exact" || field.field.analysis === "boolean");
}

function termSpan(field: SearchedField): { readonly low: string; readonly high: string } {
  if (field.store !== "index") throw new TypeError("A transient field has no tokens");
  const { key, analysis } = field.field;
  const low = analysis === "words" ? fieldToken.word(key, "") : fieldToken.exact(key, "");
  return { low, high: behind(low) };
}

/**
 * Counts each value of a field in the index: the cost is that of the field, not of the hits. What is more than one
 * expression of the index is found once, before.
 */
export function countByTerms(field: SearchedField, plan: SearchPlan, searched: Searched, limit: number): Statement {
  const { low, high } = termSpan(field);
  const terms = sql`(select term from search_index_token where term >= ${low} and term < ${high} limit ${limit}) v`;
  const { kinds, readable, visible } = searched;
  if (plan.match === undefined || visible !== undefined) {
    return sql`with hit (id) as materialized (select ${plan.id} from ${plan.from} where ${plan.where})
      select v.term as term, (
        select count(*) from search_index
        where search_index match ${quotedTerm} and +rowid in (select id from hit)
      ) as hits
      from ${terms}`;
  }
  const id = raw("f.rowid");
  const document = raw(readable === undefined ? "" : " cross join search_document d on d.id = f.rowid");
  const access = readable === undefined ? raw("1") : sql`d.access in (${readable})`;
  return sql`select v.term as term, (
      select count(*) from search_index f${document}
      where f.search_index match ${`(${plan.match}) AND `} || ${quotedTerm} and ${kindCondition(id, kinds)} and ${access}
    ) as hits
    from ${terms}`;
}

/** The value of a row as a string of the expression language. */
const quotedTerm = raw(`'"' || replace(v.term, '"', '""') || '"'`);

export function countsOfTerms(field: SearchedField, rows: readonly Row[]): FacetCounts {
  const { low } = termSpan(field);
  const isWord = field.store === "index" && field.field.analysis === "words";
  return new Map(
    rows.map((row) => {
      const term = String(row.term).slice(low.length);
      return [isWord ? term : decodeExact(term), Number(row.hits)];
    }),
  );
}

/**
 * Counts values of several fields by looking at every hit once: the cost is that of the hits. All combinations of values
 * come in one row, because a row for each would cost more than counting them.
 */
export function countByLooking(plan: SearchPlan, fields: readonly SearchedField[]): Statement {
  const columns = fields.map((field, index) => raw(`v.value -> '$."${keyOf(field)}"' as f${index}`));
  const groups = joined(
    fields.map((_, index) => raw(`f${index}`)),
    ", ",
    raw(""),
  );
  return sql`select json_group_array(json_array(${groups}, hits)) as combinations from (
      select ${joined(columns, ", ", raw(""))}, count(*) as hits
      from ${plan.from} cross join search_value v on v.id = ${plan.id}
      where ${plan.where} group by ${groups}
    )`;
}

function keyOf(field: SearchedField): string {
  if (field.store !== "index") throw new TypeError("A transient field has no value here");
  return field.field.key;
}

/** Values of each field as a list in JSON, or `null` for none; and how many hits have all of them. */
type Combination = readonly (string | number | null)[];

export function countsByLooking(fields: readonly SearchedField[], rows: readonly Row[]): readonly FacetCounts[] {
  const combinations = JSON.parse(String(rows[0]?.combinations ?? "[]")) as readonly Combination[];
  return fields.map((field, index) => {
    const lists = new Map<string, number>();
    for (const combination of combinations) {
      const values = combination[index];
      if (typeof values !== "string") continue;
      lists.set(values, (lists.get(values) ?? 0) + Number(combination[fields.length]));
    }
    const counts = new Map<string, number>();
    for (const [values, hits] of lists) {
      for (const value of listOf(values)) {
        const text = shownValue(field.field.analysis, value);
        counts.set(text, (counts.get(text) ?? 0) + hits);
      }
    }
    return counts;
  });
}

const wholeNumber = /(?<=[[,])-?\d{16,}(?=[\],])/g;

/** A JSON list of texts or numbers; whole numbers keep all digits, as texts. */
function listOf(json: string): readonly (string | number)[] {
  const safe = json.startsWith('["') ? json : json.replace(wholeNumber, '"$&"');
  return JSON.parse(safe) as readonly (string | number)[];
}

function shownValue(analysis: Analysis, value: string | number): string {
  return analysis === "date" ? new Date(Number(value)).toISOString() : String(value);
}

/** Counts the values of a transient field that the caller may see. */
export function countTransient(plan: SearchPlan, field: SearchedField): Statement {
  if (field.store !== "transient") throw new TypeError("A field in the index has no rows of its own");
  return sql`select t.value as value, count(*) as hits
    from ${plan.from} cross join search_transient t on t.id = ${plan.id}
      and ${transientCondition(field.field, { test: "any" })}
    where ${plan.where} group by t.value`;
}

export function countsOfTransient(field: SearchedField, rows: readonly Row[]): FacetCounts {
  return new Map(rows.map((row) => [shownValue(field.field.analysis, row.value as string | number), Number(row.hits)]));
}

/** The most frequent values first. */
export function topCounts(
  counts: FacetCounts,
  { minCount, maxResults }: { readonly minCount: number; readonly maxResults: number },
): readonly (readonly [value: string, hits: number])[] {
  return [...counts]
    .filter(([, hits]) => hits >= minCount)
    .sort(([a, hitsA], [b, hitsB]) => hitsB - hitsA || (a < b ? -1 : 1))
    .slice(0, maxResults);
}
