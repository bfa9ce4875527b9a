import { inVersion, versionChoice } from "./essence-versions.ts";
import type { Shape } from "./shape.ts";

/** Which shapes of an item a request wants. */
export interface ShapeSelection {
  /** `false`: those with media, `true`: placeholders, `all`: both. Default `false`. */
  readonly placeholder?: "false" | "true" | "all" | undefined;
  /** With one of these tags; empty for any. */
  readonly tag?: readonly string[] | undefined;
  /** `latest` (default), `all`, `latest-per-shapetag`, or the number of an essence version. */
  readonly version?: string | undefined;
}

/**
 * The shapes that a request wants. The latest version is that of those which are left of the other criteria but the tag.
 *
 * @throws KinoraError `invalid-input` for a version that is none
 */
export function selectShapes(
  shapes: readonly Shape[],
  { placeholder = "false", tag = [], version = "latest" }: ShapeSelection,
): readonly Shape[] {
  const present = placeholder === "all" ? shapes : shapes.filter(({ awaited }) => awaited === (placeholder === "true"));
  const found = inVersion(present, versionChoice(version));
  return tag.length === 0 ? found : found.filter(({ tags }) => tags.some((one) => tag.includes(one)));
}
