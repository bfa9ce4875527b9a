import { KinoraError } from "../../errors.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { addKeyValueRoutes, type KeyValueCall } from "../../identity/key-value-routes.ts";
import type { KeyValueOwner } from "../../identity/key-values.ts";
import { findComponent, requireShape } from "./find-shape.ts";
import { recordShape } from "./shape-event.ts";
import { readsShapes, type ShapeRoutesDeps, shapePath, writesShapes } from "./shape-routes-deps.ts";

type Params = Readonly<Record<string, string>>;

/** Simple metadata of shapes and of components. A write is a modification of the shape. */
export function shapeMetadataRoutes({ environment }: ShapeRoutesDeps): RouteTable {
  const { ids, store } = environment;
  const route = routes();

  async function shapeOwner(params: Params, { subject, writes }: KeyValueCall) {
    const { shapeId = "" } = params;
    const { items, shape } = await requireShape(environment, subject, params, writes ? "WRITE" : "READ");
    const owner: KeyValueOwner = {
      entity: "shape",
      row: { sql: "(select id from shape where id = ?)", args: [shape.serial] },
      missing: new KinoraError("not-found", { type: "shape", id: shapeId }),
      written: (change) => recordShape(change, "MODIFY", ids.format(items.item), ids.format(shape.serial)),
    };
    return { shape, owner };
  }

  addKeyValueRoutes(route, store, {
    path: shapePath,
    entity: "a shape",
    read: readsShapes,
    write: writesShapes,
    setStatus: 204,
    owner: async (params, call) => (await shapeOwner(params, call)).owner,
  });

  addKeyValueRoutes(route, store, {
    path: `${shapePath}/component/{componentId}`,
    entity: "a component",
    read: readsShapes,
    write: writesShapes,
    setStatus: 204,
    owner: async (params, call) => {
      const { shape, owner } = await shapeOwner(params, call);
      const { componentId = "" } = params;
      const { serial } = await findComponent(ids, shape, componentId);
      return {
        ...owner,
        entity: "component",
        row: {
          sql: `(select c.value ->> 'i' from shape s, json_each(s.body, '$.c') c where s.id = ? and c.value ->> 'i' = ?)`,
          args: [shape.serial, serial],
        },
        missing: new KinoraError("not-found", { type: "component", id: componentId }),
      };
    },
  });

  return route;
}
