import type { Statement } from "./database.ts";

/** The check constraint that a guard's row breaks. */
export const guardConstraint = "guard_holds";

/**
 * A statement that fails, and with it its batch, unless `condition` (a select of one value) is true. When it holds
 * nothing is inserted, so the table of guards stays empty.
 */
export function guardStatement(condition: Statement): Statement {
  return {
    sql: `insert into guard (ok) select 0 where (\n${condition.sql}\n) is not true`,
    args: condition.args ?? [],
  };
}
