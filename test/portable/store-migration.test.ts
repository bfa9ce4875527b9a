import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { migrate, schemaState } from "../../src/store/migration.ts";
import type { Migration } from "../../src/store/migrations/declaration.ts";
import { migrations } from "../../src/store/migrations/index.ts";
import { makeDatabase } from "./database.ts";

async function emptyDatabase(instances = 1): Promise<Database[]> {
  const made = await makeDatabase();
  const databases = await Promise.all(Array.from({ length: instances }, () => made.open()));
  onTestFinished(async () => {
    for (const database of databases) await database.close();
    await made.remove();
  });
  return databases;
}

const people: Migration = {
  id: 1,
  name: "people",
  statements: [
    "create table person (id integer primary key, name text not null) strict",
    "insert into person (name) values ('a b')",
  ],
};
const nameParts: Migration = {
  id: 2,
  name: "name parts",
  async statements(database) {
    const { rows } = await database.query({ sql: "select id, name from person" });
    return [
      { sql: "alter table person add column family text" },
      ...rows.map(({ id, name }) => ({
        sql: "update person set family = ? where id = ?",
        args: [String(name).split(" ")[1] ?? null, id ?? null],
      })),
    ];
  },
};
const broken: Migration = {
  id: 3,
  name: "broken",
  statements: ["create table half (x integer) strict", "insert into nowhere values (1)"],
};

const tables = async (database: Database) =>
  (
    await database.query({
      sql: "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name",
    })
  ).rows
    .map(({ name }) => name)
    .filter((name) => !String(name).startsWith("libsql"));

describe("migrations", () => {
  test("bring an empty database to the present schema, and change nothing the second time", async () => {
    const [database] = (await emptyDatabase()) as [Database];
    expect(await schemaState(database)).toMatchObject({ current: 0, pending: migrations, unknown: [] });
    const newest = Math.max(...migrations.map(({ id }) => id));
    const report = await migrate(database);
    expect(report).toMatchObject({ from: 0, to: newest, dryRun: false });
    expect(report.steps.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id));
    expect(await migrate(database)).toEqual({ from: newest, to: newest, dryRun: false, steps: [] });
    expect(await schemaState(database)).toMatchObject({ current: newest, pending: [], unknown: [] });
  });

  test("are numbered once each", () => {
    expect(new Set(migrations.map(({ id }) => id)).size).toBe(migrations.length);
  });

  test("record when they were carried out", async () => {
    const [database] = (await emptyDatabase()) as [Database];
    await migrate(database, { migrations: [people], now: () => 42 });
    expect((await database.query({ sql: "select * from schema_migration" })).rows).toEqual([
      { id: 1, name: "people", applied_at: 42 },
    ]);
  });

  test("may compute their statements from the rows", async () => {
    const [database] = (await emptyDatabase()) as [Database];
    await migrate(database, { migrations: [people] });
    const report = await migrate(database, { migrations: [people, nameParts] });
    expect(report).toMatchObject({ from: 1, to: 2, steps: [{ id: 2, name: "name parts" }] });
    expect((await database.query({ sql: "select name, family from person" })).rows).toEqual([
      { name: "a b", family: "b" },
    ]);
  });

  test("a dry run lists the statements and writes nothing", async () => {
    const [database] = (await emptyDatabase()) as [Database];
    const report = await migrate(database, { dryRun: true, migrations: [people, nameParts] });
    expect(report).toEqual({
      from: 0,
      to: 2,
      dryRun: true,
      steps: [
        { id: 1, name: "people", statements: people.statements },
        { id: 2, name: "name parts" },
      ],
    });
    expect(await tables(database)).toEqual([]);
    await migrate(database, { migrations: [people] });
    const [step] = (await migrate(database, { dryRun: true, migrations: [people, nameParts] })).steps;
    expect(step?.statements).toEqual([
      "alter table person add column family text",
      "update person set family = ? where id = ?",
    ]);
  });

  test("one that fails leaves nothing of itself, and the earlier ones stay", async () => {
    const [database] = (await emptyDatabase()) as [Database];
    const all = [people, nameParts, broken];
    await expect(migrate(database, { migrations: all })).rejects.toThrow(
      "Migration 3 (broken) failed; nothing of it was written",
    );
    expect(await tables(database)).toEqual(["person", "schema_migration"]);
    expect(await schemaState(database, all)).toMatchObject({ current: 2, pending: [broken] });
  });

  test("a database of a newer program is refused with a sentence that says so", async () => {
    const [database] = (await emptyDatabase()) as [Database];
    await migrate(database, { migrations: [people, nameParts] });
    const sentence =
      "The database was made by a newer program: it has schema 2, this program knows up to 1. Start a Kinora that is at least as new";
    await expect(migrate(database, { migrations: [people] })).rejects.toMatchObject({
      code: "unavailable",
      message: sentence,
    });
    await expect(migrate(database, { migrations: [people], dryRun: true })).rejects.toThrow(sentence);
    expect(await schemaState(database, [people])).toMatchObject({ current: 2, newest: 1, unknown: [2] });
  });

  test("of instances that start together each is carried out once", async () => {
    const databases = await emptyDatabase(4);
    const reports = await Promise.all(
      databases.map((database) => migrate(database, { migrations: [people, nameParts] })),
    );
    const done = reports.flatMap(({ steps }) => steps.map(({ id }) => id)).sort();
    expect(done).toEqual([1, 2]);
    expect(reports.map(({ to }) => to)).toEqual([2, 2, 2, 2]);
    expect((await (databases[0] as Database).query({ sql: "select family from person" })).rows).toEqual([
      { family: "b" },
    ]);
  });
});
