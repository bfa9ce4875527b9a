import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import { systemUser } from "../metadata/system-user.ts";
import type { RelatedIndex } from "../related-index-port.ts";
import { readItemShapes } from "./read-shapes.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";
import { shapeValues } from "./shape-index.ts";
import { requireSameShapes } from "./write-shapes.ts";

/** Shapes that are indexed anew in one change. */
const blockSize = 100;

/** Rebuilds the index of all shapes; see `Reindexer` of the search. */
export function shapeReindexer({ store, access }: Pick<ShapeEnvironment, "store" | "access">, index: RelatedIndex) {
  return {
    async total(): Promise<number> {
      const [row] = await store.query({ sql: "select count(*) as total from shape" });
      return Number(row?.total);
    },
    async next(after: number): Promise<{ readonly last: number; readonly done: number } | undefined> {
      const rows = await store.query({
        sql: "select id, item from shape where id > ? order by id limit ?",
        args: [after, blockSize],
      });
      const serials = new Set(rows.map(({ id }) => Number(id)));
      const items = [...new Set(rows.map(({ item }) => Number(item)))];
      if (serials.size === 0) return undefined;
      await repeatWhenRaced(async () => {
        const change = store.change({ userName: systemUser });
        for (const { item, shapes } of await readItemShapes({ store, access }, undefined, items)) {
          requireSameShapes(change, item, shapes);
          for (const shape of shapes) {
            if (!serials.has(shape.serial)) continue;
            index.entity(change, { kind: "shape", serial: shape.serial, fields: shapeValues(shape, store.ids.format) });
          }
        }
        await change.commit();
      });
      return { last: Math.max(...serials), done: serials.size };
    },
  };
}
