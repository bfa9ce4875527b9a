import { KinoraError } from "../../errors.ts";
import type { Ids } from "../../store/ids.ts";
import { parseTimePoint } from "../metadata/time/time-code.ts";
import type { Component, ComponentDescription, ComponentKind, Shape } from "./shape.ts";
import { checkComponentCount } from "./shape-bounds.ts";

/** So many components of each kind whose files are to come. */
export interface AwaitedCounts {
  readonly container?: number | undefined;
  readonly audio?: number | undefined;
  readonly video?: number | undefined;
  readonly binary?: number | undefined;
}

/** Kinds of component that a placeholder can have from the start. */
export const awaitedKinds = ["container", "audio", "video", "binary"] as const satisfies readonly ComponentKind[];

/** What frames of so long a duration, `1@25`, tell of a video track. */
function videoDescription(frameDuration: string | undefined): ComponentDescription {
  if (frameDuration === undefined) return {};
  const { seconds } = parseTimePoint(frameDuration);
  const known = typeof seconds === "object" && seconds.numerator > 0n;
  if (!known || seconds.numerator > 0x7fffffffn || seconds.denominator > 0x7fffffffn) {
    throw new KinoraError("invalid-input", {
      context: "frameDuration",
      value: frameDuration,
      explanation: "The duration of a frame is a time code such as 1@25",
    });
  }
  const timeBase = { numerator: Number(seconds.numerator), denominator: Number(seconds.denominator) };
  return { timeBase, averageFrameRate: { numerator: timeBase.denominator, denominator: timeBase.numerator } };
}

/**
 * Components of a new placeholder.
 *
 * @param frameDuration time code of the duration of one frame, for the video tracks
 * @throws KinoraError `invalid-input` for a frame without duration, or more than one container
 */
export async function awaitedComponents(
  ids: Pick<Ids, "takeSerials">,
  counts: AwaitedCounts,
  frameDuration?: string,
): Promise<readonly Component[]> {
  if ((counts.container ?? 0) > 1) throw tooManyContainers();
  checkComponentCount(awaitedKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0));
  const video = videoDescription(frameDuration);
  const kinds = awaitedKinds.flatMap((kind) => Array.from({ length: counts[kind] ?? 0 }, () => kind));
  const serials = await ids.takeSerials("component", kinds.length);
  return kinds.map((kind, place) => awaited(serials[place] ?? 0, kind, kind === "video" ? video : {}));
}

/** A component whose file is to come. */
export function awaited(serial: number, kind: ComponentKind, description: ComponentDescription = {}): Component {
  return { serial, kind, awaited: true, description, files: [], metadata: [] };
}

export function tooManyContainers(): KinoraError {
  return new KinoraError("invalid-input", { context: "container", explanation: "A shape has at most one container" });
}

/** Where a file that is given to a placeholder goes. */
export interface Room {
  readonly shape: Shape;
  readonly component: Component;
}

/**
 * The component of a placeholder that still waits for a file of this kind.
 *
 * @param among shapes to look in, the first with room counts
 * @param index which of the waiting components of the kind, from 0. Default: the first
 * @throws KinoraError `invalid-input` when there is none, with the kind as `VIDEO_COMPONENT`
 */
export function roomFor(among: readonly Shape[], kind: ComponentKind, index = 0): Room {
  for (const shape of among) {
    const waiting = shape.components.filter((component) => component.awaited && component.kind === kind);
    const component = waiting[index];
    if (component !== undefined) return { shape, component };
  }
  throw new KinoraError("invalid-input", {
    context: "job",
    value: `${kind.toUpperCase()}_COMPONENT`,
    explanation: `The placeholder has no room for another component of the kind ${kind}`,
  });
}

/**
 * Brings the number of components of a placeholder that wait for files to the given counts. Kinds without a count, and
 * components with files, stay as they are.
 */
export async function withAwaited(
  ids: Pick<Ids, "takeSerials">,
  shape: Shape,
  counts: AwaitedCounts,
): Promise<readonly Component[]> {
  const kept = shape.components.filter(({ kind, awaited: waits }) => !waits || !(kind in counts));
  const wanted = Object.fromEntries(awaitedKinds.map((kind) => [kind, counts[kind]]));
  const hasContainer = kept.some(({ kind }) => kind === "container");
  if ((wanted.container ?? 0) > (hasContainer ? 0 : 1)) throw tooManyContainers();
  const present = awaitedKinds.flatMap((kind) => {
    const waiting = shape.components.filter((component) => component.awaited && component.kind === kind);
    const count = wanted[kind];
    return count === undefined ? [] : waiting.slice(0, count);
  });
  const missing: AwaitedCounts = Object.fromEntries(
    awaitedKinds.map((kind) => [kind, (wanted[kind] ?? 0) - present.filter((one) => one.kind === kind).length]),
  );
  return [...kept, ...present, ...(await awaitedComponents(ids, missing))];
}
