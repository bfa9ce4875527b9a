import { KinoraError } from "../../errors.ts";
import { checkText } from "../../identity/names.ts";
import type { AnyComponent } from "../documents/component-document.ts";
import type { FileDocumentValue } from "../documents/file-document.ts";
import type { ShapeValue } from "../documents/shape-document.ts";
import { readFiles } from "../files/read-files.ts";
import type { Component, ComponentDescription, ComponentKind } from "./shape.ts";
import { checkMimeType, checkTagName } from "./shape-bounds.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";

const longestUuid = 100;

function listed(document: ShapeValue): readonly (readonly [ComponentKind, AnyComponent])[] {
  const of = (kind: ComponentKind, components: readonly AnyComponent[] = []) =>
    components.map((component) => [kind, component] as const);
  return [
    ...of("container", document.containerComponent === undefined ? [] : [document.containerComponent]),
    ...of("audio", document.audioComponent),
    ...of("video", document.videoComponent),
    ...of("binary", document.binaryComponent),
    ...of("descriptor", document.descriptorComponent),
    ...of("subtitle", document.subtitleComponent),
  ];
}

/** Refuses fractions that are no numbers, wherever they stand. */
function checkFractions(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) return;
  if ("denominator" in value && value.denominator === 0) {
    throw new KinoraError("invalid-input", { context: path, value: "0", explanation: "A denominator is not 0" });
  }
  for (const [key, part] of Object.entries(value)) checkFractions(part, key);
}

/** The serials of files by the identifiers in a document. @throws KinoraError `not-found` for one that is not registered */
async function filesNamed(
  { ids, store }: ShapeEnvironment,
  components: readonly AnyComponent[],
): Promise<(component: AnyComponent) => readonly number[]> {
  const named = components.flatMap(({ file = [] }) => file.map(identifierOf));
  const serials = new Map(await Promise.all(named.map(async (id) => [id, await ids.resolve("File", id)] as const)));
  const known = await readFiles(store, [...new Set(serials.values())]);
  for (const [id, serial] of serials) {
    if (!known.has(serial)) throw new KinoraError("not-found", { type: "File", id });
  }
  return ({ file = [] }) => [...new Set(file.flatMap((one) => serials.get(identifierOf(one)) ?? []))];
}

function identifierOf({ id }: FileDocumentValue): string {
  if (id !== undefined) return id;
  throw new KinoraError("invalid-input", {
    context: "file",
    explanation: "A component names its files by id; register them first",
  });
}

/** What a document says of a new shape; its components have new serials. */
export interface ShapeContent {
  readonly tags: readonly string[];
  readonly mimeTypes: readonly string[];
  readonly uuid?: string;
  readonly components: readonly Component[];
  readonly metadata: Component["metadata"];
}

/**
 * Reads the content of a new shape. Ids in it are passed over, but for those of files, which must be registered.
 *
 * @throws KinoraError `invalid-input` for a tag, MIME type or file that cannot be; `not-found` for a file
 */
export async function shapeContent(environment: ShapeEnvironment, document: ShapeValue): Promise<ShapeContent> {
  const { tag = [], mimeType = [], uuid, metadata } = document;
  for (const name of tag) checkTagName(name);
  for (const type of mimeType) checkMimeType(type);
  if (uuid !== undefined) checkText(uuid, "uuid", longestUuid);
  const components = listed(document);
  const filesOf = await filesNamed(
    environment,
    components.map(([, component]) => component),
  );
  const serials = await environment.store.ids.takeSerials("component", components.length);
  return {
    tags: [...new Set(tag)],
    mimeTypes: [...new Set(mimeType)],
    metadata: metadata?.field ?? [],
    components: components.map(([kind, component], place): Component => {
      const { id: _id, file: _file, metadata: pairs = [], ...rest } = component;
      const description: ComponentDescription = rest;
      checkFractions(description, kind);
      const serial = serials[place] ?? 0;
      return { serial, kind, awaited: false, description, files: filesOf(component), metadata: pairs };
    }),
    ...(uuid === undefined ? {} : { uuid }),
  };
}
