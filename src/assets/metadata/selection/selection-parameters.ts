import { isElementName } from "../../../documents/write-xml.ts";
import { KinoraError } from "../../../errors.ts";
import type { Parameter, ParameterValues } from "../../../http/parameters.ts";
import { booleanParameter, listParameter, textParameter } from "../../../http/parameters.ts";
import { type MetadataSelection, parseSelection } from "./metadata-selection.ts";

/** A list of names, in which the plus sign behind a name may have become a space on its way through a query. */
function groupListParameter(): Parameter<readonly string[]> {
  const list = listParameter();
  return { ...list, parse: (texts) => list.parse(texts.map((text) => text.replace(/ (?=[,:]|$)/g, "+"))) };
}

/** The parameters by which requests select metadata, for the `query` of routes. */
export const selectionParameters = {
  interval: listParameter(),
  field: listParameter(),
  group: groupListParameter(),
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

/** Refuses new names of fields that the terse form, in which names are elements and keys, has no place for. */
function requireTerseNames({ field }: MetadataSelection): void {
  for (const shown of field.included?.values() ?? []) {
    if (isElementName(shown) && shown !== "id") continue;
    throw new KinoraError("invalid-value", {
      context: "field",
      value: shown.slice(0, 200),
      explanation: `${JSON.stringify(shown.slice(0, 200))} cannot be the name of a field in the terse form`,
    });
  }
}

/** The selection that a request asks for. @throws KinoraError `invalid-value` naming the parameter, `not-found` */
export function selectionOf(query: SelectionQuery): MetadataSelection {
  requireNoProjection(query.projection);
  const selection = parseSelection({ ...query, sampleRate: query.sampleRate || query.samplerate || undefined });
  if (query.terse) requireTerseNames(selection);
  return selection;
}
