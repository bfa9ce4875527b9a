import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database, SqlValue } from "../../src/store/database.ts";
import { makeInstances } from "./store-database.ts";

const database = async () => (await makeInstances()).database();
const echo = async (db: Database, value: SqlValue) =>
  (await db.query({ sql: "select ? as value", args: [value] })).rows[0]?.value;

describe("values", () => {
  const cases: readonly (readonly [string, SqlValue, SqlValue])[] = [
    ["null", null, null],
    ["an empty text", "", ""],
    ["a text beyond the basic plane", "\u{1F3AC} ümlaut", "\u{1F3AC} ümlaut"],
    ["zero", 0, 0],
    ["the largest safe integer", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ["the smallest safe integer", Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    ["an integer just too large for a number", 9_007_199_254_740_992n, 9_007_199_254_740_992n],
    ["the largest integer", 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
    ["the smallest integer", -9_223_372_036_854_775_808n, -9_223_372_036_854_775_808n],
    ["a small bigint, as a number", 7n, 7],
    ["a fraction", 0.1, 0.1],
    ["an empty blob", new Uint8Array(0), new Uint8Array(0)],
    ["a blob", new Uint8Array([0, 1, 255]), new Uint8Array([0, 1, 255])],
    ["a blob of an ArrayBuffer", new Uint8Array([7, 8]).buffer, new Uint8Array([7, 8])],
    ["a blob of a part of a buffer", new Uint8Array([1, 2, 3, 4]).subarray(1, 3), new Uint8Array([2, 3])],
  ];
  test.each(cases)("come back as they went in: %s", async (_, value, expected) => {
    const given = await echo(await database(), value);
    if (expected instanceof Uint8Array) expect(given).toBeInstanceOf(Uint8Array);
    expect(given).toEqual(expected);
  });

  test("texts come back as they went in, whatever is in them", async () => {
    const db = await database();
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
          { minLength: 1, maxLength: 5 },
        ),
        async (texts) => {
          const results = await db.batch(
            texts.map((text) => ({ sql: "select ? as value", args: [text] })),
            "read",
          );
          expect(results.map(({ rows }) => rows[0]?.value)).toEqual(texts);
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([
    [5, "integer"],
    [5n, "integer"],
    [5.5, "real"],
    ["5", "text"],
    [new Uint8Array([5]), "blob"],
    [null, "null"],
  ])("whole numbers are integers to the database, others are what they look like: %s", async (value, type) => {
    const db = await database();
    expect((await db.query({ sql: "select typeof(?) as type", args: [value] })).rows).toEqual([{ type }]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("a number that is none is refused: %s", async (value) => {
    await expect(echo(await database(), value)).rejects.toBeInstanceOf(RangeError);
  });
});

describe("results", () => {
  test("rows are plain objects by column name", async () => {
    const db = await database();
    const { rows } = await db.query({ sql: "select 1 as a, 'x' as b union all select 2, 'y'" });
    expect(rows).toStrictEqual([
      { a: 1, b: "x" },
      { a: 2, b: "y" },
    ]);
    expect(JSON.stringify(rows)).toBe('[{"a":1,"b":"x"},{"a":2,"b":"y"}]');
  });

  test("values keep columns of the same name apart", async () => {
    const db = await database();
    expect(await db.values({ sql: "select 1 as id, 2 as id, 3 as id" })).toEqual([[1, 2, 3]]);
  });

  test("rowsAffected counts what was written, also with returning", async () => {
    const db = await database();
    await db.query({ sql: "create table t (x integer) strict" });
    const results = await db.batch(
      [
        { sql: "insert into t values (1), (2), (3)" },
        { sql: "update t set x = x * 10 where x > 1 returning x" },
        { sql: "delete from t where x = 99" },
        { sql: "delete from t" },
      ],
      "write",
    );
    expect(results.map(({ rowsAffected }) => rowsAffected)).toEqual([3, 2, 0, 3]);
  });

  test("many rows arrive", async () => {
    const db = await database();
    const sql = "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) select i from n";
    expect((await db.query({ sql })).rows).toHaveLength(5000);
  });

  test("a batch of no statements is none", async () => {
    const db = await database();
    expect(await db.batch([], "write")).toEqual([]);
  });

  test("a batch that fails at its end leaves nothing of its start", async () => {
    const db = await database();
    await db.query({ sql: "create table t (x integer unique) strict" });
    const inserts = Array.from({ length: 500 }, (_, x) => ({ sql: "insert into t values (?)", args: [x] }));
    await expect(db.batch([...inserts, { sql: "insert into t values (0)" }], "write")).rejects.toMatchObject({
      kind: "unique",
      statementIndex: 500,
    });
    expect((await db.query({ sql: "select count(*) as n from t" })).rows).toEqual([{ n: 0 }]);
  });
});
