import type { Store } from "../../store/store.ts";

/** The enumerations of all fields that have one, by the rows of the fields. */
export async function readEnumerations(
  store: Store,
): Promise<ReadonlyMap<number, readonly { readonly key: string; readonly value: string }[]>> {
  const rows = await store.query({ sql: "select id, enumeration from metadata_field where enumeration is not null" });
  return new Map(
    rows.map((row) => {
      const pairs = JSON.parse(String(row.enumeration)) as readonly (readonly [string, string])[];
      return [Number(row.id), pairs.map(([key, value]) => ({ key, value }))];
    }),
  );
}
