import { KinoraError } from "../errors.ts";
import type { Database, Statement } from "./database.ts";
import { ConstraintError, DatabaseUnavailable } from "./faults.ts";
import type { Migration } from "./migrations/declaration.ts";
import { migrations as allMigrations } from "./migrations/index.ts";

export interface SchemaState {
  /** The highest migration that was carried out; 0 for an empty database. */
  readonly current: number;
  /** The highest migration that this program knows. */
  readonly newest: number;
  readonly pending: readonly Migration[];
  /** Numbers of migrations in the database that this program does not know: a newer program made them. */
  readonly unknown: readonly number[];
}

/** A migration that was, or in a dry run would be, carried out. */
export interface MigrationStep {
  readonly id: number;
  readonly name: string;
  /** Its statements; absent in a dry run when they are computed from rows that an earlier step makes. */
  readonly statements?: readonly string[];
}

export interface MigrationReport {
  readonly from: number;
  readonly to: number;
  readonly dryRun: boolean;
  readonly steps: readonly MigrationStep[];
}

export interface MigrateOptions {
  /** Only tell what would be done. Default `false`. */
  readonly dryRun?: boolean;
  readonly now?: () => number;
  /** Default: those of this program. */
  readonly migrations?: readonly Migration[];
}

/** Which migrations a database has and lacks. Two round trips at most; writes nothing. */
export async function schemaState(database: Database, migrations = allMigrations): Promise<SchemaState> {
  const tables = await database.query({
    sql: "select 1 from sqlite_schema where type = 'table' and name = 'schema_migration'",
  });
  const { rows } =
    tables.rows.length === 0
      ? { rows: [] }
      : await database.query({ sql: "select id from schema_migration order by id" });
  const done = new Set(rows.map((row) => Number(row.id)));
  const known = new Set(migrations.map((migration) => migration.id));
  return {
    current: Math.max(0, ...done),
    newest: Math.max(0, ...known),
    pending: migrations.filter((migration) => !done.has(migration.id)).toSorted((a, b) => a.id - b.id),
    unknown: [...done].filter((id) => !known.has(id)),
  };
}

/**
 * Brings a database to the schema of this program.
 *
 * The batch of each migration begins with the row that says it is done, and that row is the lock: of two instances
 * that start together one writes it, the other fails on its primary key, looks again and goes on behind.
 *
 * @throws KinoraError `unavailable` when a newer program made the database
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<MigrationReport> {
  const { dryRun = false, now = Date.now, migrations = allMigrations } = options;
  let state = await schemaState(database, migrations);
  const from = state.current;
  const steps: MigrationStep[] = [];
  while (state.pending.length > 0 || state.unknown.length > 0) {
    refuseNewer(state);
    if (dryRun) {
      for (const [index, migration] of state.pending.entries())
        steps.push(await planned(database, migration, index === 0));
      break;
    }
    const migration = state.pending[0] as Migration;
    const statements = await statementsOf(database, migration);
    if (await apply(database, migration, statements, now())) steps.push(step(migration, statements));
    state = await schemaState(database, migrations);
  }
  return { from, to: dryRun ? state.newest : state.current, dryRun, steps };
}

function refuseNewer(state: SchemaState): void {
  if (state.unknown.length === 0) return;
  throw new KinoraError("unavailable", {
    explanation:
      `The database was made by a newer program: it has schema ${state.current}, this program knows up to ` +
      `${state.newest}. Start a Kinora that is at least as new`,
  });
}

async function apply(
  database: Database,
  migration: Migration,
  statements: readonly Statement[],
  at: number,
): Promise<boolean> {
  try {
    await database.batch(
      [
        {
          sql: `create table if not exists schema_migration (
            id integer primary key,
            name text not null,
            applied_at integer not null
          ) strict`,
        },
        {
          sql: "insert into schema_migration (id, name, applied_at) values (?, ?, ?)",
          args: [migration.id, migration.name, at],
        },
        ...statements,
      ],
      "write",
    );
    return true;
  } catch (error) {
    if (error instanceof ConstraintError && error.constraint === "schema_migration.id") return false;
    if (error instanceof DatabaseUnavailable) throw error;
    throw new Error(`Migration ${migration.id} (${migration.name}) failed; nothing of it was written`, {
      cause: error,
    });
  }
}

async function planned(database: Database, migration: Migration, first: boolean): Promise<MigrationStep> {
  if (typeof migration.statements === "function" && !first) return { id: migration.id, name: migration.name };
  return step(migration, await statementsOf(database, migration));
}

function step(migration: Migration, statements: readonly Statement[]): MigrationStep {
  return { id: migration.id, name: migration.name, statements: statements.map(({ sql }) => sql) };
}

async function statementsOf(database: Database, migration: Migration): Promise<readonly Statement[]> {
  if (typeof migration.statements === "function") return migration.statements(database);
  return migration.statements.map((sql) => ({ sql }));
}
