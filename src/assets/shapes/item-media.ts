import { parseBoolean } from "../../documents/scalar.ts";
import { type UriFilter, urisOf } from "../files/file-documents.ts";
import type { ContentLoader } from "../items/item-content.ts";
import { type ItemShapes, readItemShapes } from "./read-shapes.ts";
import { type ShapeView, shapeDocument } from "./shape-documents.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";
import { type ShapeSelection, selectShapes } from "./shape-selection.ts";

/** A request's parameters, whether its route declares them or not. */
type Parameter = (name: string) => string | undefined;

function listOf(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function selectionOf(parameter: Parameter, placeholder: ShapeSelection["placeholder"]): ShapeSelection {
  return { placeholder, tag: listOf(parameter("tag")), version: parameter("version") };
}

function uriFilter(parameter: Parameter): UriFilter {
  return { scheme: parameter("scheme") };
}

/** `content=shape`: the shapes of items, by `tag` and `version`; placeholders with `includePlaceholder=true`. */
export function shapesOfItems(environment: ShapeEnvironment): ContentLoader {
  return async ({ subject, items, parameter }) => {
    const includePlaceholder = parseBoolean(parameter("includePlaceholder") ?? "") ?? false;
    const selection = selectionOf(parameter, includePlaceholder ? "all" : "false");
    const found = await readItemShapes(environment, subject, items);
    return new Map(
      found.map(({ item, shapes, files }) => {
        const view: ShapeView = {
          format: environment.ids.format,
          files,
          includePlaceholder,
          uris: uriFilter(parameter),
        };
        return [item, { shape: selectShapes(shapes, selection).map((shape) => shapeDocument(shape, view)) }];
      }),
    );
  };
}

/** The addresses of the media of an item: of files that are complete, unless `closedFiles=false`. */
export function mediaUris({ shapes, files }: ItemShapes, parameter: Parameter): readonly string[] {
  const closed = parseBoolean(parameter("closedFiles") ?? "") ?? true;
  const formats = new Set(listOf(parameter("type") ?? parameter("uriType")).map((format) => format.toLowerCase()));
  const uris = selectShapes(shapes, selectionOf(parameter, "false"))
    .flatMap(({ components }) => components)
    .filter(({ description }) => formats.size === 0 || hasFormat(description.format, formats))
    .flatMap((component) => component.files)
    .flatMap((serial) => files.get(serial) ?? [])
    .filter(({ state }) => !closed || state === "CLOSED")
    .flatMap((file) => urisOf(file, uriFilter(parameter)));
  return [...new Set(uris)];
}

/** A container is often of several formats at once: `mov,mp4,m4a`. */
function hasFormat(format: string | undefined, wanted: ReadonlySet<string>): boolean {
  return (format ?? "").split(",").some((one) => wanted.has(one.trim().toLowerCase()));
}

/** `content=uri`: the addresses of the media of items. */
export function urisOfItems(environment: ShapeEnvironment): ContentLoader {
  return async ({ subject, items, parameter }) => {
    const found = await readItemShapes(environment, subject, items);
    return new Map(found.map((item) => [item.item, { files: { uri: mediaUris(item, parameter) } }]));
  };
}
