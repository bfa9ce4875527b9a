import { KinoraError } from "../../../errors.ts";
import { type Criterion, simplified } from "./criterion.ts";
import { type Fragment, joined, raw, sql } from "./fragment.ts";
import { isIndexed, type MatchScope, matchOf } from "./match.ts";
import { searchLimits, tooCostly } from "./search-cost.ts";

/** A criterion that counts more, or less, than others when hits are sorted by relevance. */
export interface Boost {
  readonly by: number;
  readonly of: Criterion;
}

const mostBoost = 1_000_000;

/** @throws KinoraError `invalid-input` for what is no weight */
export function readBoost(by: number): number {
  if (by >= 0 && by <= mostBoost) return by;
  throw new KinoraError("invalid-input", {
    context: "search",
    explanation: `A boost must be a number from 0 to ${mostBoost}`,
  });
}

/** Looks up what boosts speak of. Those with one weight become one: the rank of several is the sum of their ranks. */
export async function expandBoosts(
  boosts: readonly Boost[],
  expand: (criterion: Criterion) => Promise<Criterion>,
): Promise<readonly Boost[]> {
  const byWeight = new Map<number, Criterion[]>();
  for (const { by, of } of boosts) {
    const list = byWeight.get(by);
    if (list === undefined) byWeight.set(by, [of]);
    else list.push(of);
  }
  if (byWeight.size > searchLimits.boosts) throw tooCostly("boosts");
  const expanded: Boost[] = [];
  // What is boosted is in the search itself, where it counts once.
  for (const [by, of] of byWeight) expanded.push({ by: by - 1, of: await expand({ is: "or", of }) });
  return expanded;
}

/** How well an entity fits an expression of the index, times a weight. */
export interface Score {
  readonly match: string;
  readonly by: number;
}

/** What of a criterion can be scored: what the index has of it. */
export function scoreOf({ by, of }: Boost, scope: MatchScope): readonly Score[] {
  const indexed = simplified(indexedPart(of));
  if (by === 0 || indexed.is === "all" || indexed.is === "none" || indexed.is === "not") return [];
  // Written as the plan of the search writes it, so that what is the same is seen to be.
  return [{ by, match: matchOf({ is: "and", of: indexed.is === "and" ? indexed.of : [indexed] }, scope) }];
}

function indexedPart(criterion: Criterion): Criterion {
  if (isIndexed(criterion)) return criterion;
  if (criterion.is !== "and" && criterion.is !== "or") return { is: "none" };
  return { is: "or", of: criterion.of.map(indexedPart) };
}

/** What is scored: the table `f` of the index, as far as hits come from it by this expression alone, and its keys. */
export interface Scored {
  readonly id: Fragment;
  readonly match?: string | undefined;
}

/** Joins the scores of the hits. Each expression is gone through once, not for every hit. */
export function scoreTables(scores: readonly Score[], { id, match: scanned }: Scored): Fragment {
  const tables = scores.flatMap(({ match }, index) =>
    match === scanned
      ? []
      : sql`left join (
          select rowid as id, -rank as score from search_index where search_index match ${match}
        ) ${raw(`r${index}`)} on ${raw(`r${index}.id`)} = ${id}`,
  );
  return joined(tables, " ", raw(""));
}

/** The sum of the scores; 0 for what fits an empty search. The rank of the index is lower the better a hit fits. */
export function scoreColumn(scores: readonly Score[], { match: scanned }: Scored): Fragment {
  const parts = scores.map(({ match, by }, index) => {
    const score = raw(match === scanned ? "-f.rank" : `coalesce(r${index}.score, 0)`);
    return sql`${by} * ${score}`;
  });
  return parts.length === 0 ? raw("0") : sql`(${joined(parts, " + ", raw("0"))})`;
}
