import { booleanParameter, intParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { ShapeDocument } from "../documents/shape-document.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { type ComponentParams, componentPath } from "./component-routes.ts";
import { withCopy, withReplaced } from "./copy-component.ts";
import { findComponent, findShape, replacing, withComponents } from "./find-shape.ts";
import type { Component, Shape } from "./shape.ts";
import { type ShapeRoutesDeps, shownShape, writesShapes } from "./shape-routes-deps.ts";

/** Copies and moves of components to other shapes, of the same item or another. */
export function transferRoutes(deps: ShapeRoutesDeps): RouteTable {
  const route = routes();
  const { environment } = deps;
  const query = { index: intParameter({ minimum: 0 }), keepMetadata: booleanParameter({ default: false }) };
  for (const way of ["copy", "move"] as const) {
    const path = `${componentPath}/${way}/item/{targetId}/shape/{targetShapeId}` as const;
    const verb = way === "copy" ? "Copy" : "Move";
    route.post(
      path,
      { summary: `${verb} a component to another shape`, role: writesShapes, query, output: ShapeDocument },
      async (request) => {
        const serial = await environment.store.ids.nextSerial("component");
        return transfer(deps, request, paramsOf(request), way === "move", (shape, component) =>
          withCopy(shape, component, { ...request.query, serial }),
        );
      },
    );
    route.post(
      `${path}/component/{targetComponentId}`,
      {
        summary: `${verb} a component to the place of a component of another shape`,
        role: writesShapes,
        query,
        output: ShapeDocument,
      },
      (request) => {
        const params = paramsOf(request);
        return transfer(deps, request, params, way === "move", async (shape, component) =>
          withReplaced(shape, await findComponent(environment.ids, shape, params.targetComponentId ?? ""), component),
        );
      },
    );
  }
  return route;
}

interface TransferParams extends ComponentParams {
  readonly targetId: string;
  readonly targetShapeId: string;
  readonly targetComponentId?: string;
}

/** The names in a path that is put together are not in its type. */
function paramsOf(request: { readonly params: unknown }): TransferParams {
  return request.params as TransferParams;
}

/** Brings a component into another shape, of the same item or another; answers that shape. */
async function transfer(
  deps: ShapeRoutesDeps,
  request: Pick<AnyRouteRequest, "change"> & { readonly subject: Subject },
  params: TransferParams,
  moves: boolean,
  receive: (shape: Shape, component: Component) => Shape | Promise<Shape>,
) {
  const { edit, environment } = deps;
  const { ids } = environment;
  const same = (await ids.resolve("Item", params.itemId)) === (await ids.resolve("Item", params.targetId));
  let received = 0;
  await edit(editorOf(request), same ? [params.itemId] : [params.itemId, params.targetId], async (items) => {
    const [source, target = source] = items;
    if (source === undefined || target === undefined) return [];
    const from = await findShape(ids, source, params.shapeId);
    const component = await findComponent(ids, from, params.componentId);
    const left = moves
      ? withComponents(
          from,
          from.components.filter((one) => one !== component),
        )
      : from;
    const remaining = moves ? replacing(source.shapes, left) : source.shapes;
    const among = same ? { ...target, shapes: remaining } : target;
    const to = await findShape(ids, among, params.targetShapeId);
    received = to.serial;
    const after = replacing(among.shapes, await receive(to, component));
    return same ? [{ after }] : [{ after: remaining }, { after }];
  });
  return shownShape(deps, request.subject, params.targetId, received);
}
