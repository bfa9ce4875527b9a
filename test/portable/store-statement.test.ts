import { expect, test } from "vitest";
import { onlyReads } from "../../src/store/database.ts";
import { toStatement } from "../../src/store/query.ts";

test.each([
  ["select 1", true],
  ["  SELECT 1", true],
  ["values (1)", true],
  ["explain query plan select 1", true],
  ["with n as (select 1) select * from n", true],
  ["with n as (select 1) insert into t select * from n", false],
  ["WITH n AS (SELECT 1) DELETE FROM t", false],
  ["insert into t values (1) returning x", false],
  ["pragma user_version = 1", false],
  ["selection", false],
  ["-- select\ndelete from t", false],
])("tells what surely only reads: %s", (sql, reads) => {
  expect(onlyReads({ sql })).toBe(reads);
});

test("a parameter of a builder that SQL has no type for is refused, a truth value is 0 or 1", () => {
  const builder = (...params: unknown[]) => ({ toSQL: () => ({ sql: "select ?", params }) });
  expect(toStatement(builder(true, false, null, "a", 1, 2n))).toEqual({
    sql: "select ?",
    args: [1, 0, null, "a", 1, 2n],
  });
  for (const param of [undefined, new Date(0), { a: 1 }, Symbol("a")]) {
    expect(() => toStatement(builder(param))).toThrow(TypeError);
  }
});
