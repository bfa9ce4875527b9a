import { fromEpoch } from "../../documents/date-time.ts";
import type { StoredFile } from "../files/file-row.ts";
import type { FilesBySerial } from "./read-shapes.ts";
import { complete, filesOf, latestVersion, type Shape } from "./shape.ts";

/** Values by the name of a field. */
export type FieldValues = Readonly<Record<string, readonly string[]>>;

/** Writes an id: `VX-12`. */
export type FormatId = (serial: number) => string;

/** The tags of all shapes of an item, each once, as the field `shapeTag` holds them. */
export function tagsOf(shapes: readonly Shape[]): readonly string[] {
  return [...new Set(shapes.flatMap(({ tags }) => tags))];
}

function counted(name: string, values: Iterable<string>, suffix: "_size" | "_count"): Record<string, string[]> {
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? {} : { [name]: distinct, [`${name}${suffix}`]: [String(distinct.length)] };
}

function storagesOf(shapes: readonly Shape[], files: FilesBySerial, format: FormatId): readonly string[] {
  return shapes
    .flatMap(filesOf)
    .flatMap((serial) => files.get(serial)?.storage ?? [])
    .map(format);
}

/** The file that stands for a shape: that of its container, else of its first component with one. */
export function mainFile(shape: Shape, files: FilesBySerial): StoredFile | undefined {
  const components = [...shape.components].sort(
    (a, b) => Number(b.kind === "container") - Number(a.kind === "container"),
  );
  const serial = components.flatMap((component) => component.files)[0];
  return serial === undefined ? undefined : files.get(serial);
}

/** The transient fields that an item has of its shapes; those without a value are left out. */
export function transientFieldsOf(shapes: readonly Shape[], files: FilesBySerial, format: FormatId): FieldValues {
  const present = complete(shapes);
  const latest = latestVersion(present);
  const fields: Record<string, readonly string[]> = {
    __shape_size: [String(present.length)],
    __placeholder_shape_size: [String(shapes.length - present.length)],
  };
  if (latest === undefined) return fields;
  fields.__shape = present.map(({ serial }) => format(serial));
  fields.__shape_last_added = [fromEpoch(Math.max(...present.map(({ created }) => created)))];
  const versions = present.map(({ version }) => version).sort((a, b) => a - b);
  Object.assign(fields, counted("__version", versions.map(String), "_count"));
  Object.assign(fields, counted("__storage", storagesOf(present, files, format), "_size"));
  for (const tag of tagsOf(present)) {
    const tagged = present.filter(({ tags }) => tags.includes(tag));
    Object.assign(fields, counted(`__storage_${tag}`, storagesOf(tagged, files, format), "_size"));
    const hashes = tagged
      .filter(({ version }) => version === latest)
      .flatMap((shape) => mainFile(shape, files)?.hash ?? []);
    if (hashes.length > 0) fields[`__shapetag_${tag}_hash`] = [...new Set(hashes)];
  }
  return fields;
}

function same(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** The fields that differ, with their new values; none for one that is gone. */
export function changedFields(before: FieldValues, after: FieldValues): FieldValues {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !same(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? []]));
}
