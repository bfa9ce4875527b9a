import type { MetadataFieldValue, MetadataTimespan, MetadataValues } from "../../documents/metadata-document.ts";
import { type ChangeStamp, type Metadata, revisionOf, type TimespanEntry } from "../model.ts";
import { convertTimePoint, shiftTimePoint, type TimePoint } from "../time/time-code.ts";
import { compareTimeSpans, generic, isGeneric, type TimeSpan, timeSpanKey } from "../time/time-span.ts";
import { inNamedGroup, projectContainer, shownName, withDefinition } from "./project-entries.ts";
import type { ProjectionContext } from "./projection-context.ts";

/** A timespan of the answer while it is put together. */
interface ShownTimespan {
  readonly span: TimeSpan;
  readonly field: MetadataFieldValue[];
  readonly group: NonNullable<MetadataTimespan["group"]>[number][];
}

function timePointText(context: ProjectionContext, point: TimePoint): string {
  const { sampleRate, fromStart } = context.selection;
  const offset = fromStart ? context.startSeconds : undefined;
  const moved =
    offset === undefined
      ? point
      : shiftTimePoint(point, { numerator: -offset.numerator, denominator: offset.denominator });
  return sampleRate === undefined ? moved.text : convertTimePoint(moved, sampleRate).text;
}

/** Fields of untimed metadata that are not stored in it: transient ones, and defaults. */
function unstoredFields(context: ProjectionContext, stored: readonly MetadataFieldValue[]): MetadataFieldValue[] {
  const { selection, definitions, transient = {} } = context;
  const fields: MetadataFieldValue[] = [];
  if (selection.transient) {
    for (const [name, values] of Object.entries(transient)) {
      const shown = shownName(context, name, false);
      if (shown !== undefined && values.length > 0) {
        fields.push({ name: shown, value: values.map((value) => ({ value })) });
      }
    }
  }
  if (selection.defaults) {
    const present = new Set(stored.map((field) => field.name));
    for (const { name, defaultValue } of definitions.fields) {
      if (defaultValue === undefined || !context.mayRead("field", name)) continue;
      const shown = shownName(context, name, inNamedGroup(context, name));
      if (shown === undefined || present.has(shown)) continue;
      fields.push(withDefinition(context, name, { name: shown, value: [{ value: defaultValue }] }));
    }
  }
  return fields;
}

/**
 * The document of an entity's metadata: what the selection and the access lists of fields show of it, with what it
 * inherits, with what its references lead to, and with its transient fields.
 */
export function projectMetadata(metadata: Metadata, context: ProjectionContext): MetadataValues {
  const { selection, uuidsOf, entityKey, changeId } = context;
  const shown: ShownTimespan[] = [];
  const byKey = new Map<string, ShownTimespan>();
  const timespanAt = (span: TimeSpan): ShownTimespan => {
    const key = timeSpanKey(span);
    let timespan = byKey.get(key);
    if (timespan === undefined) {
      timespan = { span, field: [], group: [] };
      byKey.set(key, timespan);
      shown.push(timespan);
    }
    return timespan;
  };
  const stamps = new Map<ChangeStamp, { user: string; timestamp: string; change: string }>();
  const place = (timespans: readonly TimespanEntry[], uuid: (entry: number) => string, origin?: string): void => {
    const projection = { context, uuid, path: [], stamps, ...(origin === undefined ? {} : { origin }) };
    for (const timespan of timespans) {
      if (selection.interval !== undefined && !selection.interval(timespan.span)) continue;
      const { field, group } = projectContainer(projection, timespan, { fields: "direct", groups: false });
      if (field.length === 0 && group.length === 0) continue;
      const at = timespanAt(timespan.span);
      for (const one of field) at.field.push(one);
      for (const one of group) at.group.push(one);
    }
  };
  place(metadata.timespans, uuidsOf(entityKey));
  for (const part of context.inherited ?? []) place(part.timespans, uuidsOf(part.entityKey), part.origin);
  if (selection.interval === undefined || selection.interval(generic)) {
    const stored = shown.find(({ span }) => isGeneric(span))?.field ?? [];
    for (const field of unstoredFields(context, stored)) timespanAt(generic).field.push(field);
  }
  shown.sort((a, b) => compareTimeSpans(a.span, b.span));
  const revision = revisionOf(metadata).map(({ id }) => changeId(id));
  return {
    ...(revision.length === 0 ? {} : { revision: revision.join(",") }),
    ...(metadata.masterGroups === undefined ? {} : { group: metadata.masterGroups.names }),
    ...(shown.length === 0
      ? {}
      : {
          timespan: shown.map(({ span, field, group }) => ({
            start: timePointText(context, span.start),
            end: timePointText(context, span.end),
            ...(field.length === 0 ? {} : { field }),
            ...(group.length === 0 ? {} : { group }),
          })),
        }),
  };
}
