import { fromEpoch } from "../../documents/date-time.ts";
import type { RelatedValue } from "../related-index-port.ts";
import type { Component, Shape } from "./shape.ts";
import type { FormatId } from "./shape-fields.ts";

function componentValues({ kind, description }: Component): readonly RelatedValue[] {
  const { format, codec, resolution, channelCount, bitrate } = description;
  const values: (RelatedValue | undefined)[] = [
    { name: "component", type: "string-exact", text: kind },
    format === undefined ? undefined : { name: "format", type: "string-exact", text: format },
    codec === undefined ? undefined : { name: `${kind}Codec`, type: "string-exact", text: codec },
    resolution === undefined ? undefined : { name: "width", type: "integer", text: String(resolution.width) },
    resolution === undefined ? undefined : { name: "height", type: "integer", text: String(resolution.height) },
    channelCount === undefined ? undefined : { name: "channelCount", type: "integer", text: String(channelCount) },
    bitrate === undefined ? undefined : { name: "bitrate", type: "long", text: String(bitrate) },
  ];
  return values.filter((value) => value !== undefined);
}

/** The values that a shape is found by. */
export function shapeValues(shape: Shape, format: FormatId): readonly RelatedValue[] {
  return [
    { name: "id", type: "string-exact", text: format(shape.serial) },
    { name: "itemId", type: "string-exact", text: format(shape.item) },
    { name: "created", type: "date", text: fromEpoch(shape.created) },
    { name: "essenceVersion", type: "integer", text: String(shape.version) },
    { name: "placeholder", type: "boolean", text: String(shape.awaited) },
    ...shape.tags.map((text): RelatedValue => ({ name: "tag", type: "string-exact", text })),
    ...shape.mimeTypes.map((text): RelatedValue => ({ name: "mimeType", type: "string-exact", text })),
    ...shape.components.flatMap(componentValues),
  ];
}
