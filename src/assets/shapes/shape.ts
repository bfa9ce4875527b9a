import type { AnyComponent } from "../documents/component-document.ts";
import type { KeyValuePair } from "../documents/media-types.ts";

/** Kinds of component, in the order of documents. */
export const componentKinds = ["container", "audio", "video", "binary", "descriptor", "subtitle"] as const;
export type ComponentKind = (typeof componentKinds)[number];

/** What is known of a component's media; which members there are depends on its kind. */
export type ComponentDescription = Omit<AnyComponent, "id" | "file" | "metadata">;

/** A part of a shape: a track, or the container of all. */
export interface Component {
  readonly serial: number;
  readonly kind: ComponentKind;
  /** Its file is still to come. */
  readonly awaited: boolean;
  readonly description: ComponentDescription;
  /** Serials of its files. */
  readonly files: readonly number[];
  readonly metadata: readonly KeyValuePair[];
}

/** One form of an item's media. */
export interface Shape {
  readonly serial: number;
  readonly item: number;
  /** In epoch milliseconds. */
  readonly created: number;
  /** Of the essence, from 0. */
  readonly version: number;
  /** When it came to its version; absent: when it was created. */
  readonly versioned?: number;
  readonly uuid?: string;
  /** A placeholder: some of its files are still to come. */
  readonly awaited: boolean;
  readonly tags: readonly string[];
  readonly mimeTypes: readonly string[];
  readonly components: readonly Component[];
  readonly metadata: readonly KeyValuePair[];
  /** Names that its files are to get, by the serial of the storage. */
  readonly filenames: Readonly<Record<string, string>>;
  /** How often its row was written; 0 for one that is new. */
  readonly writes: number;
}

/** Shapes whose files are all there. */
export function complete(shapes: readonly Shape[]): readonly Shape[] {
  return shapes.filter(({ awaited }) => !awaited);
}

/** The newest version of the essence among shapes; `undefined` when there is none. */
export function latestVersion(shapes: readonly Shape[]): number | undefined {
  return shapes.length === 0 ? undefined : Math.max(...shapes.map(({ version }) => version));
}

/** Serials of all files of a shape, each once. */
export function filesOf(shape: Shape): readonly number[] {
  return [...new Set(shape.components.flatMap(({ files }) => files))];
}
