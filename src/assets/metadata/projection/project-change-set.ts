import { fromEpoch } from "../../../documents/date-time.ts";
import type {
  MetadataFieldValue,
  MetadataGroupValue,
  MetadataTimespan,
  MetadataValues,
} from "../../documents/metadata-document.ts";
import { type ChangeSet, isOwn } from "../change-set.ts";
import type { Container, Entry, TimespanEntry } from "../model.ts";
import { timeSpanKey } from "../time/time-span.ts";

/** What the document of a change set needs besides it. */
export interface ChangeSetProjection {
  readonly uuid: (entry: number) => string;
  readonly changeId: (serial: number) => string;
  readonly mayRead: (kind: "field" | "group", name: string) => boolean;
}

type Mode = "remove" | undefined;

/** The attributes of an entry: in full for what the set added or took, the UUID alone for what only holds it. */
function attributes(projection: ChangeSetProjection, changeSet: ChangeSet, entry: Entry, mode: Mode) {
  const uuid = projection.uuid(entry.entry);
  if (!isOwn(changeSet, entry)) return { uuid };
  const { user, time, id } = changeSet.stamp;
  const stamp = { uuid, user, timestamp: fromEpoch(time), change: projection.changeId(id) };
  return mode === undefined ? stamp : { ...stamp, mode };
}

function project(projection: ChangeSetProjection, changeSet: ChangeSet, container: Container, mode: Mode) {
  const field: MetadataFieldValue[] = [];
  for (const one of container.fields) {
    if (!projection.mayRead("field", one.name)) continue;
    field.push({
      ...attributes(projection, changeSet, one, mode),
      ...(one.track === undefined ? {} : { track: one.track }),
      name: one.name,
      ...(one.reference === undefined ? {} : { reference: one.reference }),
      ...(one.values.length === 0
        ? {}
        : {
            value: one.values.map((value) => ({
              ...attributes(projection, changeSet, value, mode),
              ...(value.language === undefined ? {} : { lang: value.language }),
              value: value.text,
            })),
          }),
    });
  }
  const group: MetadataGroupValue[] = [];
  for (const one of container.groups) {
    if (!projection.mayRead("group", one.name)) continue;
    const inner = project(projection, changeSet, one, mode);
    group.push({
      ...attributes(projection, changeSet, one, mode),
      name: one.name,
      ...(inner.field.length === 0 ? {} : { field: inner.field }),
      ...(inner.group.length === 0 ? {} : { group: inner.group }),
      ...(one.reference === undefined ? {} : { reference: one.reference }),
    });
  }
  return { field, group };
}

/** The document of a change set: what it added, and with `mode="remove"` what it took away. */
export function projectChangeSet(changeSet: ChangeSet, projection: ChangeSetProjection): MetadataValues {
  const timespans = new Map<
    string,
    { span: TimespanEntry["span"]; field: MetadataFieldValue[]; group: MetadataGroupValue[] }
  >();
  const place = (from: readonly TimespanEntry[], mode: Mode): void => {
    for (const timespan of from) {
      const { field, group } = project(projection, changeSet, timespan, mode);
      if (field.length === 0 && group.length === 0) continue;
      const key = timeSpanKey(timespan.span);
      const known = timespans.get(key) ?? { span: timespan.span, field: [], group: [] };
      timespans.set(key, known);
      for (const one of field) known.field.push(one);
      for (const one of group) known.group.push(one);
    }
  };
  place(changeSet.added, undefined);
  place(changeSet.gone, "remove");
  const shown = [...timespans.values()].map(({ span, field, group }): MetadataTimespan => {
    return { start: span.start.text, end: span.end.text, field, group };
  });
  return {
    ...(changeSet.masterGroups === undefined ? {} : { group: changeSet.masterGroups }),
    ...(shown.length === 0 ? {} : { timespan: shown }),
  };
}
