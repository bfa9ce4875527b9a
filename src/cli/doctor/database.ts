import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { databaseUrl } from "../../service/instance-files.ts";
import type { Settings } from "../../settings.ts";
import type { Database } from "../../store/database.ts";
import { schemaState } from "../../store/migration.ts";
import { missingDatabaseFile, openDatabase } from "../open-database.ts";
import { doubt, type Finding, ok, wrong } from "./finding.ts";

/** Clocks further apart than this make short-lived tokens and leases unreliable. */
const mostSkewMs = 5000;

/** The database: reachable, writable, schema; and the clock beside the database's. Writes nothing that stays. */
export async function checkDatabase(settings: Settings): Promise<readonly Finding[]> {
  const missing = await missingDatabaseFile(settings);
  if (missing !== undefined) return [await newFile(missing)];
  const url = withoutSecrets(databaseUrl(settings));
  let database: Database;
  try {
    database = await openDatabase(settings);
  } catch (error) {
    return [unreachable(url, error)];
  }
  try {
    const started = Date.now();
    const { rows } = await database.query({ sql: "select cast(unixepoch('subsec') * 1000 as integer) as now" });
    const reachable = ok("Database", `${url} answers`);
    return [
      reachable,
      await writable(database),
      await schema(database),
      clock(database, Number(rows[0]?.now), started),
    ];
  } catch (error) {
    return [unreachable(url, error)];
  } finally {
    await database.close();
  }
}

/** The folder of a file that the first start will make. */
async function newFile(path: string): Promise<Finding> {
  let folder = dirname(path);
  for (;;) {
    const state = await access(folder, constants.W_OK).then(
      () => "writable" as const,
      (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? ("missing" as const) : ("refused" as const)),
    );
    if (state === "writable") return ok("Database", `${path} will be made by the first start`);
    if (state === "refused" || dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return wrong("Database", `${path} cannot be made in ${folder}`, "Let this user write there, or set databaseUrl");
}

function unreachable(url: string, error: unknown): Finding {
  const reason = error instanceof Error ? causes(error).join(": ") : String(error);
  return wrong("Database", `${url} cannot be used: ${reason}`, "Check databaseUrl, databaseAuthToken, and the server");
}

function causes(error: Error): readonly string[] {
  return error.cause instanceof Error ? [error.message, ...causes(error.cause)] : [error.message];
}

/** A table that is made and dropped again in one transaction. */
async function writable(database: Database): Promise<Finding> {
  const probe = "kinora_doctor_probe";
  try {
    await database.batch([{ sql: `create table ${probe} (x integer)` }, { sql: `drop table ${probe}` }], "write");
    return ok("Database writes", "A change can be written");
  } catch (error) {
    const reason = error instanceof Error ? causes(error).join(": ") : String(error);
    return wrong(
      "Database writes",
      `No change can be written: ${reason}`,
      "Check disk space, file rights or the token",
    );
  }
}

async function schema(database: Database): Promise<Finding> {
  const what = "Database schema";
  const { current, newest, pending, unknown } = await schemaState(database);
  if (unknown.length > 0) {
    return wrong(
      what,
      `${current} was made by a newer Kinora, this one knows ${newest}`,
      "Start a Kinora as new as that",
    );
  }
  if (pending.length === 0) return ok(what, `${current} is current`);
  return doubt(what, `${current}, this Kinora needs ${newest}`, "The next start migrates; kinora migrate does it now");
}

/** An embedded database has the clock of this machine; there only a clock that was never set shows. */
function clock(database: Database, theirs: number, started: number): Finding {
  const what = "Clock";
  const now = Date.now();
  if (now < Date.UTC(2024, 0, 1)) return wrong(what, `It is ${new Date(now).toISOString()} here`, "Set the clock");
  const skew = Math.max(0, started - theirs, theirs - now);
  if (database.kind === "embedded" || skew <= mostSkewMs) return ok(what, new Date(now).toISOString());
  return wrong(
    what,
    `The database server's clock is ${Math.round(skew / 1000)} s away from this machine's`,
    "Let both be set by a time server (NTP)",
  );
}

function withoutSecrets(url: string): string {
  return url.replace(/(\/\/)[^/@]*@/, "$1").replace(/\?.*$/, "");
}
