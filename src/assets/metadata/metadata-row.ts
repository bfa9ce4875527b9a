import type { Subject } from "../../plugin/contract.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { AccessOperation, Fragment } from "../access-port.ts";
import { type EntityKind, entityKey, entityOf } from "../entity.ts";
import { type CompactMetadata, fromCompact } from "./compact.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { Metadata } from "./model.ts";

/** Values by the names of transient fields. */
export type TransientValues = Readonly<Record<string, readonly string[]>>;

/** An entity's metadata as it was read. */
export interface MetadataRow {
  readonly key: number;
  readonly kind: EntityKind;
  readonly serial: number;
  /** How often the row was written. */
  readonly writes: number;
  readonly metadata: Metadata;
  readonly transient: TransientValues;
  /** What the caller may do with the entity. */
  readonly rank: number;
  /** How many other entities refer to it; only known when it is read for a write. */
  readonly referring?: number;
  /** Of a collection: its timespans are of the clock that the start time codes of items tell. */
  readonly absoluteTime?: boolean;
}

const everything: Fragment = { sql: "4", args: [] };
const ofMetadata: AccessOperation = { type: "METADATA" };

/**
 * What a subject may do with entities of a kind (or with their metadata, by default), as SQL; the service itself (no
 * subject) may do everything.
 */
export function rankFragment(
  { access }: Pick<MetadataEnvironment, "access">,
  subject: Subject | undefined,
  kind: EntityKind,
  operation: AccessOperation | "entity" = ofMetadata,
): Fragment | Promise<Fragment> {
  if (subject === undefined || kind === "global" || kind === "document") return everything;
  // A serial is what is left of the entity's key.
  return access.rank(subject, kind, "(m.id / 8)", operation === "entity" ? undefined : operation);
}

const ofCollections: Fragment = {
  sql: "coalesce((select absolute_time from collection where id = m.id / 8), 0)",
  args: [],
};

/**
 * The statement that reads the rows of some entities of one kind. What is read of an entity is one JSON text: a column
 * costs more to hand over than to write into it.
 *
 * @param further SQL expressions that give JSON, for what else is to be read of each entity
 */
export function selectRows(
  kind: EntityKind,
  serials: readonly number[],
  rank: Fragment,
  further: readonly Fragment[] = [],
): Statement {
  const [first] = serials;
  const one = serials.length === 1 && first !== undefined;
  const keys = one ? entityKey(kind, first) : JSON.stringify(serials.map((serial) => entityKey(kind, serial)));
  const parts = kind === "collection" ? [ofCollections, ...further] : further;
  const more = parts.map(({ sql }) => ` || ',' || ${sql}`).join("");
  return {
    sql: `select '[' || m.id || ',' || m.writes || ',' || coalesce(${rank.sql}, 0) || ',' || coalesce(m.transient, 'null')
      || ',' || m.body${more} || ']' as entity from metadata m where m.id ${one ? "= ?" : "in (select value from json_each(?))"}`,
    args: [...rank.args, ...parts.flatMap(({ args }) => args), keys],
  };
}

type ReadEntity = readonly [
  key: number,
  writes: number,
  rank: number,
  transient: TransientValues | null,
  body: CompactMetadata,
  ...further: unknown[],
];

const noValues: TransientValues = {};

/** The metadata in a row of {@link selectRows}, and what else was read. */
export function readEntity(row: Row): { readonly row: MetadataRow; readonly further: readonly unknown[] } {
  const [key, writes, rank, transient, body, ...parts] = JSON.parse(String(row.entity)) as ReadEntity;
  const entity = entityOf(key);
  if (entity === undefined) throw new Error(`The metadata row ${key} belongs to no kind of entity`);
  const { kind, serial } = entity;
  const metadata = fromCompact(body);
  const read: MetadataRow = { kind, serial, key, writes, rank, metadata, transient: transient ?? noValues };
  if (kind !== "collection") return { row: read, further: parts };
  const [absolute, ...further] = parts;
  return { row: absolute === 1 ? { ...read, absoluteTime: true } : read, further };
}

/**
 * Reads the metadata of entities of one kind, those that the subject may read, in the given order. One statement. Those
 * that do not exist are left out.
 */
export async function readRows(
  environment: Pick<MetadataEnvironment, "store" | "access">,
  subject: Subject | undefined,
  kind: EntityKind,
  serials: readonly number[],
): Promise<readonly MetadataRow[]> {
  if (serials.length === 0) return [];
  const fragment = rankFragment(environment, subject, kind);
  const rank = fragment instanceof Promise ? await fragment : fragment;
  const rows = await environment.store.query(selectRows(kind, serials, rank));
  const read: MetadataRow[] = [];
  for (const found of rows) {
    const { row } = readEntity(found);
    if (row.rank >= 1) read.push(row);
  }
  if (read.length < 2) return read;
  const bySerial = new Map(read.map((row) => [row.serial, row]));
  return serials.map((serial) => bySerial.get(serial)).filter((row) => row !== undefined);
}
