import { URIListDocument, uriLines } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import { booleanParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { addKeyValueRoutes } from "../../identity/key-value-routes.ts";
import { decodeUtf8 } from "../../xml/decode.ts";
import { TranscodePresetDocument } from "../documents/transcode-preset-document.ts";
import { requireShape } from "./find-shape.ts";
import type { ShapeRoutesDeps } from "./shape-routes-deps.ts";
import { deleteTag, listTags, putPreset, putScript, readPreset, readScript, tagOwner } from "./shape-tags.ts";

const reads = "_shape_tag_read";
const writes = "_shape_tag_write";

/** Shape tags and how media of them is made. */
export function shapeTagRoutes({ environment }: ShapeRoutesDeps): RouteTable {
  const { store } = environment;
  const route = routes();
  const path = "/shape-tag/{tagName}" as const;

  route.get(
    "/shape-tag",
    {
      summary: "List the shape tags",
      role: reads,
      query: { url: booleanParameter({ default: false }) },
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => {
      const names = await listTags(store);
      if (!request.query.url) return { uri: names };
      return { uri: names.map((name) => request.url(`/shape-tag/${encodeURIComponent(name)}`)) };
    },
  );

  route.get(
    path,
    { summary: "Read the preset of a shape tag", role: reads, output: TranscodePresetDocument, etag: true },
    ({ params }) => readPreset(store, params.tagName),
  );

  route.put(
    path,
    {
      summary: "Define a shape tag, or change its preset",
      role: writes,
      input: TranscodePresetDocument,
      inputOptional: true,
      output: "none",
    },
    (request) => putPreset(request.change(), request.params.tagName, request.body ?? {}),
  );

  route.delete(path, { summary: "Delete a shape tag that no shape has", role: writes, output: "none" }, (request) =>
    deleteTag(request.change(), request.params.tagName),
  );

  route.get(
    `${path}/script`,
    { summary: "Read the script of a preset", role: reads, output: "bytes" },
    async ({ params }) =>
      new Response(await readScript(store, params.tagName), {
        headers: { "content-type": "application/javascript; charset=utf-8", "x-content-type-options": "nosniff" },
      }),
  );

  route.put(
    `${path}/script`,
    { summary: "Set the script of a preset", role: writes, input: "bytes", output: "none" },
    (request) => {
      const script = decodeUtf8(request.body, "invalid-input");
      return putScript(request.change(), request.params.tagName, script);
    },
  );

  route.delete(
    `${path}/script`,
    { summary: "Remove the script of a preset", role: writes, output: "none" },
    (request) => putScript(request.change(), request.params.tagName, null),
  );

  route.get(
    `${path}/item/{itemId}/shape/{shapeId}`,
    {
      summary: "Read the preset of a shape tag as it would be used for a shape",
      role: reads,
      query: { job: textParameter() },
      output: TranscodePresetDocument,
    },
    async ({ params, subject }) => {
      const preset = await readPreset(store, params.tagName);
      await requireShape(environment, subject, params, "READ");
      if (preset.script === undefined) return preset;
      throw new KinoraError("not-yet-implemented", { explanation: "Scripts of presets are kept but not run" });
    },
  );

  addKeyValueRoutes(route, store, {
    path,
    entity: "a shape tag",
    read: reads,
    write: writes,
    setStatus: 204,
    owner: ({ tagName = "" }) => tagOwner(tagName),
  });

  return route;
}
