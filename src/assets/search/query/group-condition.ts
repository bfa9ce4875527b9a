import { groupToken, kindToken } from "../tokens/token.ts";
import type { ConditionScope } from "./condition-scope.ts";
import type { Criterion } from "./criterion.ts";
import { simplified } from "./criterion.ts";
import { type Fragment, joined, raw, sql } from "./fragment.ts";
import { groupedParts, isIndexed, matching, matchOf, quoted } from "./match.ts";
import { inSpan } from "./token-lookup.ts";

/**
 * A select of columns of the group instances of a name, or of one of several, in which a criterion holds; the instance is `g`.
 *
 * In the merged style an outermost instance holds everything within it, so that a group within a group means the same
 * instance; in the separate style it means an instance that stands directly in this one.
 */
export function groupInstances(
  name: string | readonly string[],
  of: Criterion,
  scope: ConditionScope,
  columns: Fragment,
): Fragment {
  const inner: ConditionScope = { ...scope, base: quoted(kindToken("group")) };
  const content = scope.groupStyle === "mergeToTopLevelGroup" ? simplified(merged(of)) : of;
  const parts = [named(name), ...(content.is === "and" ? content.of : [content])];
  const [indexed, ...others] = groupedParts("and", parts);
  const match = matchOf(indexed as Criterion, inner);
  const conditions = others.map((part) => instanceCondition(part, inner));
  return sql`select ${columns} from search_group_index x cross join search_group g on g.id = x.rowid
    where x.search_group_index match ${match} and ${joined(conditions, " and ", raw("1"))}`;
}

/**
 * The criteria of a search whose hits are group instances: a group among them is such an instance itself, or one that
 * stands in it. In the merged style that is so by itself.
 */
export function ofInstances(criterion: Criterion, style: ConditionScope["groupStyle"]): Criterion {
  if (style === "mergeToTopLevelGroup") return criterion;
  switch (criterion.is) {
    case "group":
      return { is: "or", of: [{ is: "and", of: [named(criterion.name), criterion.of] }, criterion] };
    case "and":
    case "or":
      return { ...criterion, of: criterion.of.map((one) => ofInstances(one, style)) };
    case "not":
      return { is: "not", of: ofInstances(criterion.of, style) };
    default:
      return criterion;
  }
}

function named(name: string | readonly string[]): Criterion {
  return { is: "tokens", tokens: typeof name === "string" ? [groupToken(name)] : name.map(groupToken) };
}

/** Groups within the criterion as names that the same instance has, too. */
function merged(criterion: Criterion): Criterion {
  switch (criterion.is) {
    case "group":
      return { is: "and", of: [named(criterion.name), merged(criterion.of)] };
    case "and":
    case "or":
      return { ...criterion, of: criterion.of.map(merged) };
    case "not":
      return { is: "not", of: merged(criterion.of) };
    default:
      return criterion;
  }
}

/** A criterion as a condition on the instance `g`. What has no place in a group never holds there. */
function instanceCondition(criterion: Criterion, scope: ConditionScope): Fragment {
  if (isIndexed(criterion)) return sql`+g.id in (${matching("search_group_index", matchOf(criterion, scope))})`;
  switch (criterion.is) {
    case "and":
    case "or": {
      const parts = groupedParts(criterion.is, criterion.of).map((part) => instanceCondition(part, scope));
      return sql`(${joined(parts, criterion.is === "and" ? " and " : " or ", raw("0"))})`;
    }
    case "not":
      return sql`not ${instanceCondition(criterion.of, scope)}`;
    case "group":
      return sql`(g.entity, g.entry) in (${groupInstances(criterion.name, criterion.of, scope, raw("g.entity, g.parent"))})`;
    case "span":
      return sql`+g.id in (select doc from search_group_index_place where ${inSpan("term", criterion.span)})`;
    default:
      return raw("0");
  }
}
