import type { Store } from "../../../store/store.ts";
import { type EntityKind, entityKey, entityOf } from "../../entity.ts";
import type { MetadataEnvironment } from "../../metadata/metadata-environment.ts";
import { reindexEntities } from "../../metadata/reindex.ts";
import type { Reindexer } from "./reindex-requests.ts";

/** Entities that are indexed anew in one change. */
const blockSize = 100;

/** Rebuilds the index of all entities of a kind, from a table that has their serials. */
export function metadataReindexer(environment: MetadataEnvironment, kind: EntityKind, table: string): Reindexer {
  const { store } = environment;
  return {
    async total() {
      const [row] = await store.query({ sql: `select count(*) as total from ${table}` });
      return Number(row?.total ?? 0);
    },
    async next(after) {
      const rows = await store.query({
        sql: `select id from ${table} where id > ? order by id limit ?`,
        args: [after, blockSize],
      });
      const serials = rows.map((row) => Number(row.id));
      const last = serials.at(-1);
      if (last === undefined) return undefined;
      await reindexEntities(environment, () => store.change({ userName: "system" }), kind, serials);
      return { last, done: serials.length };
    },
  };
}

/**
 * Indexes entities anew that a change touched but could not hold; a slice of them.
 *
 * @returns whether there was anything to do
 */
export async function drainIndexQueue(environment: MetadataEnvironment): Promise<boolean> {
  const { store } = environment;
  const rows = await store.query({
    sql: "select id from search_queue where id & 7 between 1 and 4 order by id limit ?",
    args: [blockSize],
  });
  const waiting = rows.flatMap((row) => entityOf(Number(row.id)) ?? []);
  const [first] = waiting;
  if (first === undefined) return false;
  const serials = waiting.filter(({ kind }) => kind === first.kind).map(({ serial }) => serial);
  const ids = JSON.stringify(serials.map((serial) => entityKey(first.kind, serial)));
  // They leave the queue with the change that does what it asks for: what asks for it anew comes before or behind.
  const change = () => {
    const started = store.change({ userName: "system" });
    return started.add({ sql: "delete from search_queue where id in (select value from json_each(?))", args: [ids] });
  };
  await reindexEntities(environment, change, first.kind, serials);
  // Those that are gone meanwhile were not part of it.
  const gone = "id in (select value from json_each(?)) and id not in (select id from metadata)";
  const rest = store.change({ userName: "system" });
  await rest.add({ sql: `delete from search_queue where ${gone}`, args: [ids] }).commit();
  return true;
}

/** Works out anew who may find what. */
export function accessReindexer(
  store: Pick<Store, "query">,
  access: { rebuild(after: number, limit: number): Promise<number | undefined> },
): Reindexer {
  return {
    async total() {
      const [row] = await store.query({ sql: "select count(*) as total from access_set" });
      return Number(row?.total ?? 0);
    },
    async next(after) {
      const last = await access.rebuild(after, blockSize);
      return last === undefined ? undefined : { last, done: blockSize };
    },
  };
}

/** Of what is never indexed on its own. */
export const nothingToReindex: Reindexer = {
  total: () => Promise.resolve(0),
  next: () => Promise.resolve(undefined),
};
