import type { Change } from "../../store/change.ts";
import { type EntityKind, entityKey } from "../entity.ts";
import type { MetadataIndex } from "../index-port.ts";

/** Keeps fields of entities that other domains derive from what they have: `__collection`, `__shape_size`. */
export interface TransientFields {
  /** The field now has these values, in this order, on all these entities; none takes the field away. */
  set(change: Change, kind: EntityKind, serials: readonly number[], field: string, values: readonly string[]): void;
}

/** Writes transient fields into the rows of metadata, so that reading them costs nothing, and into the index. */
export function createTransientFields(index: MetadataIndex): TransientFields {
  return {
    set(change, kind, serials, field, values) {
      if (serials.length === 0) return;
      const keys = JSON.stringify(serials.map((serial) => entityKey(kind, serial)));
      const path = `$.${JSON.stringify(field)}`;
      const value =
        values.length === 0 ? "json_remove(transient, ?)" : "json_set(coalesce(transient, '{}'), ?, json(?))";
      change.add(
        {
          sql: `update metadata set writes = writes + 1, transient = ${value}
            where id in (select value from json_each(?))`,
          args: values.length === 0 ? [path, keys] : [path, JSON.stringify(values), keys],
        },
        { silent: true },
      );
      index.transient(change, kind, serials, field, values);
    },
  };
}
