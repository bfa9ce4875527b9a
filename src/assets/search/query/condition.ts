import type { ConditionScope, RelatedScope } from "./condition-scope.ts";
import type { Criterion } from "./criterion.ts";
import { type Fragment, joined, raw, sql } from "./fragment.ts";
import { groupInstances } from "./group-condition.ts";
import { groupedParts, isIndexed, matching, matchOf } from "./match.ts";
import { inSpan } from "./token-lookup.ts";
import { transientCondition } from "./transient-condition.ts";

/**
 * A criterion as a condition on a key. `id` is a column.
 *
 * The plus in front of it keeps the database from looking up keys in the full-text index one by one, which it would
 * do at an `or`, and there forget the expression that is searched for.
 */
export function conditionOf(criterion: Criterion, id: Fragment, scope: ConditionScope): Fragment {
  if (isIndexed(criterion)) return sql`+${id} in (${matching("search_index", matchOf(criterion, scope))})`;
  switch (criterion.is) {
    case "and":
    case "or": {
      const parts = groupedParts(criterion.is, criterion.of).map((part) => conditionOf(part, id, scope));
      return sql`(${joined(parts, criterion.is === "and" ? " and " : " or ", raw("0"))})`;
    }
    case "not":
      return sql`not ${conditionOf(criterion.of, id, scope)}`;
    case "value":
      if (criterion.field.store === "transient") return transientKeys(criterion, id, scope);
      break;
    case "keys":
      if (criterion.keys.contains !== undefined && !scope.isFew(criterion)) return criterion.keys.contains(id);
  }
  return sql`+${id} in (${keysOf(criterion, scope)})`;
}

type TransientCriterion = Extract<Criterion, { readonly is: "value" }>;

function transientKeys(criterion: TransientCriterion, id: Fragment, scope: ConditionScope): Fragment {
  if (scope.isFew(criterion)) return sql`+${id} in (${keysOf(criterion, scope)})`;
  const { field, test } = criterion;
  if (field.store !== "transient") throw new TypeError("Only a transient field has rows of its own");
  return sql`exists (select 1 from search_transient t where t.id = ${id} and ${transientCondition(field.field, test)})`;
}

/** A select of the keys that a criterion which is not in the index stands for. A key may come more than once. */
export function keysOf(criterion: Criterion, scope: ConditionScope): Fragment {
  switch (criterion.is) {
    case "value":
      if (criterion.field.store === "transient") {
        const condition = transientCondition(criterion.field.field, criterion.test);
        return sql`select t.id from search_transient t where ${condition}`;
      }
      break;
    case "span": {
      return sql`select doc from search_index_place where ${inSpan("term", criterion.span)}`;
    }
    case "group":
      return groupInstances(criterion.name, criterion.of, scope, raw("g.entity"));
    case "related": {
      return relatedKeys(criterion.of, scope.related(criterion.kind));
    }
    case "keys":
      return criterion.keys.select;
  }
  throw new TypeError(`A criterion of the kind ${criterion.is} has no keys of its own`);
}

/** A select of the keys that belong to entities of another kind for which a criterion holds. */
function relatedKeys(criterion: Criterion, { scope, keysOf: from, visible }: RelatedScope): Fragment {
  const id = raw("r.rowid");
  const isSeen = visible === undefined ? raw("") : sql` and ${visible(id)}`;
  if (!isIndexed(criterion)) {
    const condition = conditionOf(criterion, id, scope);
    return from(
      sql`select r.rowid from search_index r where r.search_index match ${scope.base} and ${condition}${isSeen}`,
    );
  }
  const expression = matchOf(criterion, scope);
  if (visible === undefined) return from(matching("search_index", expression));
  return from(sql`select r.rowid from search_index r where r.search_index match ${expression}${isSeen}`);
}
