import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { SimpleMetadata } from "./documents.ts";
import { checkText } from "./names.ts";
import { metadataOf } from "./user-reading.ts";

/**
 * Whose simple metadata is meant: keys and values of one entity, neither indexed nor versioned. Keys may contain `/`;
 * in a path that reads or deletes, `*` stands for any text and `?` for one character.
 */
export interface KeyValueOwner {
  /** Kind of entity, as the table names it: `user`, `group`, `storage` … */
  readonly entity: string;
  /** An SQL expression that gives the number of the entity's row, or null when it does not exist. */
  readonly row: { readonly sql: string; readonly args: readonly SqlValue[] };
  /** What is thrown when the entity does not exist. */
  readonly missing: KinoraError;
  /** Adds to a change what a write of the metadata brings about: an event of the entity. */
  readonly written?: (change: Change) => void;
}

/** Characters of the longest key and value, and pairs of one entity. */
export const longestKey = 255;
export const longestValue = 65_536;
export const mostPairs = 1000;

/** Reads all pairs in the order of their keys. @throws KinoraError `missing` */
export async function readKeyValues(store: Store, owner: KeyValueOwner): Promise<SimpleMetadata> {
  return metadataOf(await readPairs(store, owner, "true", [])) ?? {};
}

/**
 * Reads the one value that a key, or a pattern with wildcards, means.
 *
 * @throws KinoraError `missing`; `not-found` when no key matches, `invalid-input` when several do
 */
export async function readKeyValue(store: Store, owner: KeyValueOwner, key: string): Promise<string> {
  const pairs = await readPairs(store, owner, matches(key), [patternOf(key)]);
  if (pairs.length > 1) refuse(key, "Several keys match");
  if (!pairs[0]) throw new KinoraError("not-found", { type: "metadata", id: key });
  return String(pairs[0].value);
}

async function readPairs(store: Store, owner: KeyValueOwner, condition: string, args: readonly SqlValue[]) {
  const { sql, args: row } = owner.row;
  const [owners, pairs] = await store.readAll([
    { sql: `select ${sql} as id`, args: row },
    {
      sql: `select key, value from key_value where entity = ? and entity_id = ${sql} and ${condition} order by key`,
      args: [owner.entity, ...row, ...args],
    },
  ]);
  if (typeof owners?.[0]?.id !== "number") throw owner.missing;
  return pairs ?? [];
}

/**
 * Adds pairs to a change: those of the document replace present ones of the same key, others stay.
 *
 * @throws KinoraError `invalid-input` for illegal keys or values at once, by the commit for too many pairs; `missing`
 */
export function putKeyValues(change: Change, owner: KeyValueOwner, metadata: SimpleMetadata): void {
  const pairs = (metadata.field ?? []).map(({ key, value }) => {
    checkKey(key);
    checkText(value, key, longestValue);
    return [key, value];
  });
  const { sql, args } = owner.row;
  requireOwner(change, owner);
  owner.written?.(change);
  change.add({
    sql: `insert into key_value (entity, entity_id, key, value)
      select ?, ${sql}, value ->> 0, value ->> 1 from json_each(?) where true
      on conflict do update set value = excluded.value`,
    args: [owner.entity, ...args, JSON.stringify(pairs)],
  });
  change.require(
    {
      sql: `select count(*) <= ? from key_value where entity = ? and entity_id = ${sql}`,
      args: [mostPairs, owner.entity, ...args],
    },
    new KinoraError("invalid-input", { context: "metadata", explanation: `An entity has at most ${mostPairs} pairs` }),
  );
}

/** Adds the removal of all pairs, or of those that a key or pattern means, to a change. */
export function deleteKeyValues(change: Change, owner: KeyValueOwner, key?: string): void {
  const { sql, args } = owner.row;
  requireOwner(change, owner);
  owner.written?.(change);
  change.add({
    sql: `delete from key_value where entity = ? and entity_id = ${sql}${key === undefined ? "" : ` and ${matches(key)}`}`,
    args: [owner.entity, ...args, ...(key === undefined ? [] : [patternOf(key)])],
  });
}

function requireOwner(change: Change, owner: KeyValueOwner): void {
  change.require({ sql: `select ${owner.row.sql} is not null`, args: owner.row.args }, owner.missing);
}

function checkKey(key: string): void {
  checkText(key, "key", longestKey);
  if (/[*?\n\r\t]/.test(key)) refuse(key, "A key contains neither wildcards nor control characters");
  if (key.split("/").includes("")) refuse(key, "A key has text on both sides of each /");
}

function matches(key: string): string {
  return /[*?]/.test(key) ? "key glob ?" : "key = ?";
}

/** GLOB has character classes beside the two wildcards; they are no part of patterns here. */
function patternOf(key: string): string {
  return /[*?]/.test(key) ? key.replaceAll("[", "[[]") : key;
}

function refuse(value: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context: "metadata", value, explanation });
}
