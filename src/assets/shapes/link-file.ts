import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";

/** Refuses a file that is part of a component already. @throws KinoraError `conflict` */
export async function requireNewFile(store: Store, file: number): Promise<void> {
  const [used] = await store.query({ sql: "select shape from shape_file where file = ? limit 1", args: [file] });
  if (used === undefined) return;
  throw new KinoraError("conflict", {
    context: "file",
    id: store.ids.format(file),
    explanation: `The file belongs to the shape ${store.ids.format(Number(used.shape))} already; allowReimport=true lets it belong to another`,
  });
}
