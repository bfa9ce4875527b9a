import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Store } from "../../store/store.ts";
import { readStructure, sameStructure, storedSet } from "./read-containers.ts";
import { reclassify } from "./reclassify.ts";
import { addSweep } from "./write-sets.ts";

/** Works out the classes of some sets anew; see `Access.rebuild`. */
export async function rebuildSets(store: Store, after: number, limit: number): Promise<number | undefined> {
  return repeatWhenRaced(async () => {
    const rows = await store.query({
      sql: "select id, key, class from access_set where id > ? order by id limit ?",
      args: [after, limit],
    });
    const sets = rows.map(storedSet);
    const last = sets.at(-1);
    if (last === undefined) return undefined;
    const structure = await readStructure(
      store,
      [],
      sets.flatMap(({ placement }) => placement.parents),
    );
    const change = store.change({ userName: "system" });
    change.require(sameStructure(structure.version), raced);
    reclassify(change, sets, (key) => structure.containers.get(key));
    addSweep(
      change,
      [],
      sets.map((set) => set.class),
    );
    await change.commit();
    return last.id;
  });
}
