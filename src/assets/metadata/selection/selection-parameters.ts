import { KinoraError } from "../../../errors.ts";
import type { ParameterValues } from "../../../http/parameters.ts";
import { booleanParameter, listParameter, textParameter } from "../../../http/parameters.ts";
import { type MetadataSelection, parseSelection } from "./metadata-selection.ts";

/** The parameters by which requests select metadata, for the `query` of routes. */
export const selectionParameters = {
  interval: listParameter(),
  field: listParameter(),
  group: listParameter(),
  language: listParameter(),
  track: listParameter(),
  /** Writes never leave a conflict, so there is none to resolve. */
  conflict: booleanParameter({ default: true }),
  terse: booleanParameter({ default: false }),
  defaultValue: booleanParameter({ default: false }),
  sampleRate: textParameter(),
  /** The older spelling. */
  samplerate: textParameter(),
  starttc: booleanParameter({ default: false }),
  include: listParameter(),
  includeValues: booleanParameter({ default: false }),
  includeTransientMetadata: booleanParameter({ default: true }),
  projection: textParameter(),
};

export type SelectionQuery = ParameterValues<typeof selectionParameters>;

/** Refuses a projection: none is defined. @throws KinoraError `not-found` */
export function requireNoProjection(projection: string | undefined): void {
  if (projection === undefined || projection === "" || projection === "default") return;
  throw new KinoraError("not-found", { type: "projection", id: projection });
}

/** The selection that a request asks for. @throws KinoraError `invalid-value` naming the parameter, `not-found` */
export function selectionOf(query: SelectionQuery): MetadataSelection {
  requireNoProjection(query.projection);
  return parseSelection({ ...query, sampleRate: query.sampleRate || query.samplerate || undefined });
}
