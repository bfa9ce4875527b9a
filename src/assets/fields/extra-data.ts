import type { Statement } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";

/** The key-value pairs of definitions, by the rows of fields or field groups. */
export type ExtraData = ReadonlyMap<number, readonly { readonly key: string; readonly value: string }[]>;

/** Which keys of extra data are asked for: `*` or `all` for every one. */
function statementOf(entity: "metadata-field" | "field-group", keys: readonly string[]): Statement {
  const every = keys.includes("*") || keys.includes("all");
  const condition = every ? "" : "and key in (select value from json_each(?))";
  return {
    sql: `select entity_id, key, value from key_value where entity = ? ${condition} order by entity_id, key`,
    args: every ? [entity] : [entity, JSON.stringify(keys)],
  };
}

/** Reads pairs of all fields, or of all field groups. Nothing is read when no key is asked for. */
export async function readExtraData(
  store: Store,
  entity: "metadata-field" | "field-group",
  keys: readonly string[],
): Promise<ExtraData> {
  const data = new Map<number, { key: string; value: string }[]>();
  if (keys.length === 0) return data;
  for (const row of await store.query(statementOf(entity, keys))) {
    const pair = { key: String(row.key), value: String(row.value) };
    const known = data.get(Number(row.entity_id));
    if (known === undefined) data.set(Number(row.entity_id), [pair]);
    else known.push(pair);
  }
  return data;
}
