import type { Row, Statement } from "../store/database.ts";
import type { KeyValuePair } from "./documents/media-types.ts";

/** Pairs of simple metadata by the serial of their entity. */
export type PairsBySerial = ReadonlyMap<number, readonly KeyValuePair[]>;

/** The statement that reads the pairs of many entities of one kind. @param serials a select of their serials */
export function selectPairs(entity: string, serials: Statement): Statement {
  return {
    sql: `select entity_id, key, value from key_value where entity = ? and entity_id in (${serials.sql}) order by entity_id, key`,
    args: [entity, ...(serials.args ?? [])],
  };
}

/** The rows of {@link selectPairs}. */
export function pairsOf(rows: readonly Row[]): PairsBySerial {
  const found = new Map<number, KeyValuePair[]>();
  for (const { entity_id, key, value } of rows) {
    const pairs = found.get(Number(entity_id)) ?? [];
    pairs.push({ key: String(key), value: String(value) });
    found.set(Number(entity_id), pairs);
  }
  return found;
}
