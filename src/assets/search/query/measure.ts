import type { Row, Statement } from "../../../store/database.ts";
import { keysOf } from "./condition.ts";
import type { ConditionScope } from "./condition-scope.ts";
import type { Criterion } from "./criterion.ts";
import { sql } from "./fragment.ts";
import { comesInOrder, type Sizes } from "./plan.ts";

/** Up to here it is cheaper to list the keys once than to look at each candidate. */
const few = 20_000;
/** Up to here it is cheaper to look up each key than to go through what the index finds. */
const veryFew = 200;

/** Counts, each no further than matters, in one round trip. */
export async function measure(
  criterion: Criterion,
  scope: Omit<ConditionScope, "isFew">,
  readAll: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>,
): Promise<Sizes> {
  const leaves: Criterion[] = [];
  // A search that is nothing else begins there, whatever the size.
  if (!comesInOrder(criterion)) collect(criterion, leaves);
  const sizes = new Map<Criterion, number>();
  if (leaves.length > 0) {
    const asScope: ConditionScope = { ...scope, isFew: () => true };
    const counts = leaves.map(
      (leaf) => sql`select count(*) as size from (select 1 from (${keysOf(leaf, asScope)}) limit ${few + 1})`,
    );
    const results = await readAll(counts);
    for (const [index, leaf] of leaves.entries()) sizes.set(leaf, Number(results[index]?.[0]?.size ?? 0));
  }
  return {
    isFew: (leaf) => (sizes.get(leaf) ?? Number.POSITIVE_INFINITY) <= few,
    isVeryFew: (leaf) => (sizes.get(leaf) ?? Number.POSITIVE_INFINITY) <= veryFew,
  };
}

function collect(criterion: Criterion, leaves: Criterion[]): void {
  switch (criterion.is) {
    case "and":
    case "or":
      for (const part of criterion.of) collect(part, leaves);
      return;
    case "not":
      collect(criterion.of, leaves);
      return;
    case "keys":
      leaves.push(criterion);
      return;
    case "value":
      if (criterion.field.store === "transient") leaves.push(criterion);
      return;
    default:
      return;
  }
}
