import { fromEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { EssenceVersionDocument, EssenceVersionListDocument, ShapeDocument } from "../documents/shape-document.ts";
import type { Editor } from "../metadata/metadata-editing.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { editItemShapes } from "./edit-shapes.ts";
import { copyVersion, essenceVersions, nextVersion, requireVersion, withVersion } from "./essence-versions.ts";
import { findShape } from "./find-shape.ts";
import { everyShape, requireItemShapes } from "./read-shapes.ts";
import { complete, latestVersion } from "./shape.ts";
import { shapeDocument } from "./shape-documents.ts";
import {
  readsShapes,
  type ShapeRoutesDeps,
  shapePath,
  shapesOf,
  shapesPath,
  shownShape,
  writesShapes,
} from "./shape-routes-deps.ts";

function numberOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new KinoraError("invalid-input", {
    context: "version",
    value: text.slice(0, 100),
    explanation: "An essence version is a whole number from 0",
  });
}

/** Essence versions: list, read, delete, make an old one the newest, move shapes between them. */
export function versionRoutes(deps: ShapeRoutesDeps): RouteTable {
  const { environment, edit } = deps;
  const { ids, store } = environment;
  const route = routes();
  const versionsPath = `${shapesPath}/version` as const;
  const versionPath = `${versionsPath}/{version}` as const;

  route.get(
    versionsPath,
    { summary: "List the essence versions of an item", role: readsShapes, output: EssenceVersionListDocument },
    async (request) => {
      const { shapes, item } = await shapesOf(deps, request);
      const version = essenceVersions(shapes).map(({ number, created }) => ({
        id: number,
        uri: request.url(`/item/${ids.format(item)}/shape/version/${number}`),
        created: fromEpoch(created),
      }));
      return { version };
    },
  );

  async function shownVersion(subject: Subject, itemId: string, number: number) {
    const { shapes, files } = await requireItemShapes(environment, subject, itemId, "READ");
    const version = requireVersion(shapes, number);
    return {
      created: fromEpoch(version.created),
      shape: version.shapes.map((shape) => shapeDocument(shape, { format: ids.format, files })),
    };
  }

  route.get(
    versionPath,
    {
      summary: "Read an essence version with its shapes",
      role: readsShapes,
      output: EssenceVersionDocument,
      etag: true,
    },
    ({ params, subject }) => shownVersion(subject, params.itemId, numberOf(params.version)),
  );

  route.delete(
    versionPath,
    { summary: "Delete the shapes of an essence version", role: writesShapes, output: "none" },
    async (request) => {
      const number = numberOf(request.params.version);
      await editItemShapes(edit, editorOf(request), request.params.itemId, (items) => {
        const { shapes } = items;
        const after = shapes.filter(({ version }) => version !== number);
        if (after.length === shapes.length) {
          throw new KinoraError("not-found", { type: "essence-version", id: request.params.version });
        }
        return { after };
      });
    },
  );

  /** Copies a version (the latest when none is named) to the next one; answers its number. */
  async function copied(editor: Editor, itemId: string, named: number | undefined): Promise<number> {
    let made = 0;
    await editItemShapes(edit, editor, itemId, async (items) => {
      const { shapes } = items;
      const from = requireVersion(shapes, named ?? latestVersion(complete(shapes)) ?? 0);
      made = nextVersion(everyShape(items));
      return { after: [...shapes, ...(await copyVersion(store.ids, from, made, store.now()))] };
    });
    return made;
  }

  route.post(
    versionsPath,
    {
      summary: "Copy the newest essence version to the next one",
      role: writesShapes,
      output: EssenceVersionDocument,
    },
    async (request) => {
      const { itemId } = request.params;
      return shownVersion(request.subject, itemId, await copied(editorOf(request), itemId, undefined));
    },
  );

  route.post(
    versionPath,
    {
      summary: "Make an essence version the newest, by a copy of its shapes",
      role: writesShapes,
      output: EssenceVersionDocument,
    },
    async (request) => {
      const { itemId, version } = request.params;
      return shownVersion(request.subject, itemId, await copied(editorOf(request), itemId, numberOf(version)));
    },
  );

  /** Moves a shape to a version, the next when none is named. */
  async function moved(
    request: Parameters<typeof editorOf>[0] & {
      readonly params: { readonly itemId: string; readonly shapeId: string };
    },
    named: number | undefined,
  ) {
    const { itemId, shapeId } = request.params;
    let serial = 0;
    await editItemShapes(edit, editorOf(request), itemId, async (items) => {
      const shape = await findShape(ids, items, shapeId);
      serial = shape.serial;
      const next = nextVersion(everyShape(items));
      return { after: withVersion(items.shapes, shape, { version: named ?? next, next }, store.now()) };
    });
    return shownShape(deps, request.subject, itemId, serial);
  }

  route.post(
    `${shapePath}/version`,
    { summary: "Move a shape to a new essence version", role: writesShapes, output: ShapeDocument },
    (request) => moved(request, undefined),
  );

  route.put(
    `${shapePath}/version/{version}`,
    { summary: "Move a shape to an essence version", role: writesShapes, output: ShapeDocument },
    (request) => moved(request, numberOf(request.params.version)),
  );

  return route;
}
