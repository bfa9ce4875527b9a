import type { SqlValue } from "../../../store/database.ts";
import { sortValueOf } from "../index/sort-value.ts";
import { dateOf } from "../tokens/ordered-date.ts";
import { numberOf } from "../tokens/ordered-number.ts";
import type { TransientField, ValueTest } from "./criterion.ts";
import { type Fragment, joined, raw, sql } from "./fragment.ts";
import { behind, globOf } from "./pattern.ts";

/**
 * What a row of `search_transient`, called `t` or by another name, must be for a field and a test of its value, of which
 * those count that the caller may see.
 */
export function transientCondition(field: TransientField, test: ValueTest, table = "t"): Fragment {
  const ofField = sql`${raw(table)}.field = (select id from search_transient_field where name = ${field.name})`;
  const column = raw(`${table}.value`);
  const conditions = [ofField, valueCondition(field, test, column), field.visible?.(column, test)];
  return joined(
    conditions.filter((condition) => condition !== undefined),
    " and ",
    raw("1"),
  );
}

function valueCondition(field: TransientField, test: ValueTest, column: Fragment): Fragment | undefined {
  switch (test.test) {
    case "any":
      return undefined;
    case "exact":
      return sql`${column} = ${sortValueOf(field, test.text) ?? null}`;
    case "beginning":
      return sql`${column} >= ${test.text} and ${column} < ${behind(test.text)}`;
    case "pattern":
      return sql`${column} glob ${globOf(test.pattern, (text) => text, "?")}`;
    case "between":
    case "ordered": {
      const { low, high } = test;
      const typed = (text: string) => (test.test === "between" ? text : orderedAsValue(field, text));
      const bounds: Fragment[] = [];
      if (low !== undefined) bounds.push(sql`${column} ${raw(low.inclusive ? ">=" : ">")} ${typed(low.value)}`);
      if (high !== undefined) bounds.push(sql`${column} ${raw(high.inclusive ? "<=" : "<")} ${typed(high.value)}`);
      return joined(bounds, " and ", raw("1"));
    }
  }
}

/** An ordered text as what the column holds. */
function orderedAsValue(field: TransientField, ordered: string): SqlValue {
  const text = field.analysis === "date" ? dateOf(ordered) : numberOf(ordered);
  return sortValueOf(field, text) ?? null;
}
