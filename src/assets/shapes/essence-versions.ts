import { KinoraError } from "../../errors.ts";
import type { Ids } from "../../store/ids.ts";
import { complete, latestVersion, type Shape } from "./shape.ts";

/** A version of an item's media. */
export interface EssenceVersion {
  readonly number: number;
  /** When the first of its shapes came to it, in epoch milliseconds. */
  readonly created: number;
  readonly shapes: readonly Shape[];
}

/** The versions of an item's media, the oldest first. Placeholders are no media. */
export function essenceVersions(shapes: readonly Shape[]): readonly EssenceVersion[] {
  const present = complete(shapes);
  const numbers = [...new Set(present.map(({ version }) => version))].sort((a, b) => a - b);
  return numbers.map((number) => {
    const own = present.filter(({ version }) => version === number);
    return { number, created: Math.min(...own.map(({ created, versioned = created }) => versioned)), shapes: own };
  });
}

/** One version. @throws KinoraError `not-found` */
export function requireVersion(shapes: readonly Shape[], number: number): EssenceVersion {
  const found = essenceVersions(shapes).find((version) => version.number === number);
  if (found !== undefined) return found;
  throw new KinoraError("not-found", { type: "essence-version", id: String(number) });
}

/** The number of the version that comes next. */
export function nextVersion(shapes: readonly Shape[]): number {
  return (latestVersion(shapes) ?? -1) + 1;
}

/** The shapes with one of them in another version. @throws KinoraError `invalid-input` for a version beyond the next */
export function withVersion(
  shapes: readonly Shape[],
  shape: Shape,
  { version, next }: { readonly version: number; readonly next: number },
  now: number,
): readonly Shape[] {
  if (version === shape.version) return shapes;
  if (version > next) {
    throw new KinoraError("invalid-input", {
      context: "version",
      value: String(version),
      explanation: `The next essence version of the item is ${next}`,
    });
  }
  return shapes.map((one) => (one === shape ? { ...shape, version, versioned: now } : one));
}

/** Copies of the shapes of a version, as another version; they have the same files. */
export async function copyVersion(
  ids: Pick<Ids, "takeSerials">,
  from: EssenceVersion,
  version: number,
  now: number,
): Promise<readonly Shape[]> {
  const serials = await ids.takeSerials("shape", from.shapes.length);
  return Promise.all(
    from.shapes.map(async (shape, place): Promise<Shape> => {
      const { versioned: _versioned, uuid: _uuid, ...rest } = shape;
      const components = await ids.takeSerials("component", shape.components.length);
      return {
        ...rest,
        serial: serials[place] ?? 0,
        created: now,
        version,
        writes: 0,
        components: shape.components.map((component, index) => ({ ...component, serial: components[index] ?? 0 })),
      };
    }),
  );
}

/** Which shapes of an item a request means by their versions. */
export type VersionChoice = "latest" | "all" | "latest-per-shapetag" | number;

/** Reads the parameter `version`. @throws KinoraError `invalid-input` */
export function versionChoice(text: string): VersionChoice {
  const word = text.toLowerCase();
  if (word === "latest" || word === "all" || word === "latest-per-shapetag") return word;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new KinoraError("invalid-input", {
    context: "version",
    value: text.slice(0, 100),
    explanation: "The parameter version must be latest, all, latest-per-shapetag or a number",
  });
}

/** The shapes of the versions that are meant. */
export function inVersion(shapes: readonly Shape[], choice: VersionChoice): readonly Shape[] {
  if (choice === "all") return shapes;
  if (choice === "latest-per-shapetag") {
    return shapes.filter(({ tags, version }) =>
      tags.some((tag) => latestVersion(shapes.filter((other) => other.tags.includes(tag))) === version),
    );
  }
  const number = choice === "latest" ? latestVersion(shapes) : choice;
  return shapes.filter(({ version }) => version === number);
}
