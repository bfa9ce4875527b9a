import type { Store } from "../../store/store.ts";
import { definitionsVersion, type StoredField } from "./read-definitions.ts";
import { systemFields } from "./system-fields.ts";

/**
 * Creates the fields of the service that are missing; answers their names. Of several instances that start at once,
 * one makes each field. Changes nothing when all are there.
 */
export async function ensureSystemFields(store: Store): Promise<readonly string[]> {
  const rows = await store.query({ sql: "select name from metadata_field" });
  const present = new Set(rows.map((row) => row.name));
  const missing = systemFields.filter((field) => !present.has(field.name));
  if (missing.length === 0) return [];
  const ids = await store.ids.takeSerials("metadata-field", missing.length);
  const change = store.change({ userName: "system" });
  for (const [index, { name, type, system }] of missing.entries()) {
    const noIndex = type.endsWith("-noindex");
    const stored: StoredField = {
      type,
      index: noIndex ? "noindex" : "index",
      fullText: !noIndex,
      inheritance: false,
      system,
    };
    change.add({
      sql: "insert or ignore into metadata_field (id, name, definition) values (?, ?, ?)",
      args: [ids[index] ?? null, name, JSON.stringify(stored)],
    });
  }
  store.versions.bump(change, definitionsVersion);
  await change.commit();
  return missing.map(({ name }) => name);
}
