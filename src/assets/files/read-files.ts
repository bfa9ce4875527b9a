import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import type { EntityIds } from "../entity-ids.ts";
import { pairsOf, selectPairs } from "../pairs.ts";
import { fileColumns, type StoredFile, storedFile } from "./file-row.ts";

/** Files by their serials; those that do not exist are left out. One round trip. */
export async function readFiles(
  store: Pick<Store, "readAll">,
  serials: readonly number[],
): Promise<ReadonlyMap<number, StoredFile>> {
  if (serials.length === 0) return new Map();
  const list = JSON.stringify(serials);
  const [rows = [], pairs = []] = await store.readAll([
    { sql: `select ${fileColumns} from file f where f.id in (select value from json_each(?))`, args: [list] },
    selectPairs("file", { sql: "select value from json_each(?)", args: [list] }),
  ]);
  const metadata = pairsOf(pairs);
  return new Map(rows.map((row) => [Number(row.id), storedFile(row, metadata.get(Number(row.id)) ?? [])]));
}

/** The file that an identifier names. @throws KinoraError `not-found` */
export async function requireFile(
  environment: { readonly store: Pick<Store, "readAll">; readonly ids: EntityIds },
  identifier: string,
): Promise<StoredFile> {
  const serial = await environment.ids.resolve("File", identifier);
  const file = (await readFiles(environment.store, [serial])).get(serial);
  if (file === undefined) throw new KinoraError("not-found", { type: "File", id: identifier });
  return file;
}
