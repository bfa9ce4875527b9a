import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Store } from "../../store/store.ts";
import { systemUser } from "../metadata/system-user.ts";
import type { RelatedIndex } from "../related-index-port.ts";
import { fileValues } from "./file-index.ts";
import { fileColumns, storedFile } from "./file-row.ts";

/** Files that are indexed anew in one change. */
const blockSize = 100;

const seen = `select json_group_array(json_array(id, state, size, hash, modified)) as seen from (
  select id, state, size, hash, modified from file where id > ?1 and id <= ?2 order by id)`;

/** Rebuilds the index of all files; see `Reindexer` of the search. */
export function fileReindexer(store: Store, index: RelatedIndex) {
  async function block(after: number): Promise<{ readonly last: number; readonly done: number } | undefined> {
    const rows = await store.query({
      sql: `select ${fileColumns} from file f where f.id > ? order by f.id limit ?`,
      args: [after, blockSize],
    });
    if (rows.length === 0) return undefined;
    const last = Number(rows.at(-1)?.id);
    const known = rows.map(({ id, state, size, hash, modified }) => [id, state, size, hash, modified]);
    const change = store.change({ userName: systemUser });
    change.require({ sql: `select (${seen}) = ?3`, args: [after, last, JSON.stringify(known)] }, raced);
    for (const row of rows) {
      const file = storedFile(row, []);
      index.entity(change, { kind: "file", serial: file.serial, fields: fileValues(file, store.ids.format) });
    }
    await change.commit();
    return { last, done: rows.length };
  }

  return {
    async total(): Promise<number> {
      const [row] = await store.query({ sql: "select count(*) as total from file" });
      return Number(row?.total);
    },
    next: (after: number) => repeatWhenRaced(() => block(after)),
  };
}
