import type { TimeCode } from "../documents/media-types.ts";
import { rational, toDecimal } from "../metadata/time/rational.ts";
import type { FilesBySerial } from "./read-shapes.ts";
import type { Component, Shape } from "./shape.ts";
import { type FieldValues, mainFile } from "./shape-fields.ts";

/** Places of seconds behind the point. */
const secondPlaces = 6;

function secondsOf({ samples, timeBase }: TimeCode): string {
  const { numerator, denominator } = timeBase;
  return toDecimal(rational(BigInt(samples) * BigInt(numerator), BigInt(denominator)), secondPlaces);
}

function timeCodeText({ samples, timeBase: { numerator, denominator } }: TimeCode): string {
  return `${samples}@${denominator}${numerator === 1 ? "" : `:${numerator}`}`;
}

/** `video`, `audio`, `image`, `data` or `none`: the MIME type decides, else which components there are. */
export function mediaTypeOf({ mimeTypes, components }: Pick<Shape, "mimeTypes" | "components">): string {
  const [main = ""] = (mimeTypes[0] ?? "").split("/");
  if (main === "image") return main;
  const kinds = new Set(components.map(({ kind }) => kind));
  if (kinds.has("video") || main === "video") return "video";
  if (kinds.has("audio") || main === "audio") return "audio";
  return components.length === 0 && mimeTypes.length === 0 ? "none" : "data";
}

function codecs(components: readonly Component[], kind: "audio" | "video"): readonly string[] {
  const found = components.filter((one) => one.kind === kind).flatMap(({ description }) => description.codec ?? []);
  return [...new Set(found)];
}

function durationOf(components: readonly Component[]): TimeCode | undefined {
  const container = components.find(({ kind }) => kind === "container");
  return (
    container?.description.duration ?? components.find(({ description }) => description.duration)?.description.duration
  );
}

function fileName(shape: Shape, files: FilesBySerial): string | undefined {
  const file = mainFile(shape, files);
  const name = (file?.path ?? file?.uri)
    ?.replace(/[?#].*$/, "")
    .split("/")
    .at(-1);
  return name === "" ? undefined : name;
}

/** The fields of an item that tell of its original media, as this shape gives them; all are there, some without value. */
export function mediaFieldsOf(shape: Shape | undefined, files: FilesBySerial): FieldValues {
  const { components = [], mimeTypes = [] } = shape ?? {};
  const duration = durationOf(components);
  const resolution = components.find(({ description }) => description.resolution)?.description.resolution;
  const one = (value: string | number | undefined): readonly string[] => (value === undefined ? [] : [String(value)]);
  return {
    mediaType: [mediaTypeOf({ components, mimeTypes })],
    mimeType: mimeTypes,
    originalFilename: one(shape === undefined ? undefined : fileName(shape, files)),
    originalFormat: one(components.find(({ kind }) => kind === "container")?.description.format),
    originalAudioCodec: codecs(components, "audio"),
    originalVideoCodec: codecs(components, "video"),
    originalWidth: one(resolution?.width),
    originalHeight: one(resolution?.height),
    durationSeconds: one(duration === undefined ? undefined : secondsOf(duration)),
    durationTimeCode: one(duration === undefined ? undefined : timeCodeText(duration)),
  };
}
