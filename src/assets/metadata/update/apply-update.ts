import type {
  MetadataFieldValue,
  MetadataGroupValue,
  MetadataTimespan,
  MetadataValues,
} from "../../documents/metadata-document.ts";
import type { Container, FieldEntry, MasterGroups, Metadata, TimespanEntry } from "../model.ts";
import { compareTimeSpans, type TimeSpan, timeSpanKey, timeSpanOf } from "../time/time-span.ts";
import { ownPart } from "./returned-inherited.ts";
import { definedGroup, permitted, type UpdateContext, type Updating } from "./update-context.ts";
import { updateContainer } from "./update-group.ts";

/** What stays of a timespan that is removed: fields of the system, and what the caller may not write. */
function withoutContent(timespan: TimespanEntry, updating: Updating): TimespanEntry {
  const mayGo = (field: FieldEntry) =>
    (updating.system || updating.field(field.name)?.system !== true) && permitted(updating, "field", field.name);
  const groupMayGo = (group: Container & { readonly name: string }): boolean =>
    permitted(updating, "group", group.name) && group.fields.every(mayGo) && group.groups.every(groupMayGo);
  const fields = timespan.fields.filter((field) => !mayGo(field));
  const groups = timespan.groups.filter((group) => !groupMayGo(group));
  const same = fields.length === timespan.fields.length && groups.length === timespan.groups.length;
  return same ? timespan : { ...timespan, fields, groups };
}

function isEmpty(container: Container): boolean {
  return container.fields.length === 0 && container.groups.length === 0;
}

/** What a document says of one timespan, wherever it says it. */
interface TimespanUpdate {
  readonly span: TimeSpan;
  /** An empty timespan stands in the document, in front of what is told here. */
  emptied: boolean;
  readonly field: MetadataFieldValue[];
  readonly group: MetadataGroupValue[];
}

/** What the document says of each timespan: elements for the same moments are one, however these are written. */
function wantedTimespans(update: readonly MetadataTimespan[]): ReadonlyMap<string, TimespanUpdate> {
  const wanted = new Map<string, TimespanUpdate>();
  for (const timespan of update) {
    const { field = [], group = [] } = timespan;
    const span = timeSpanOf(timespan);
    const key = timeSpanKey(span);
    const isRemoval = field.length === 0 && group.length === 0;
    const known = isRemoval ? undefined : wanted.get(key);
    const one = known ?? { span, emptied: isRemoval, field: [], group: [] };
    wanted.set(key, one);
    for (const each of field) one.field.push(each);
    for (const each of group) one.group.push(each);
  }
  return wanted;
}

function updateTimespan(before: TimespanEntry, key: string, wanted: TimespanUpdate, updating: Updating): TimespanEntry {
  const base = wanted.emptied ? withoutContent(before, updating) : before;
  return updateContainer(base, ownPart(wanted, updating.inherited?.(key)), updating);
}

function updateTimespans(
  existing: readonly TimespanEntry[],
  update: readonly MetadataTimespan[],
  updating: Updating,
): readonly TimespanEntry[] {
  if (update.length === 0) return existing;
  const byKey = new Map(existing.map((timespan) => [timeSpanKey(timespan.span), timespan]));
  let changed = false;
  let grown = false;
  for (const [key, wanted] of wantedTimespans(update)) {
    const before = byKey.get(key);
    const base = before ?? { span: wanted.span, fields: [], groups: [] };
    const after = updateTimespan(base, key, wanted, updating);
    if (after === base || (isEmpty(after) && before === undefined)) continue;
    changed = true;
    grown ||= before === undefined;
    if (isEmpty(after)) byKey.delete(key);
    else byKey.set(key, after);
  }
  if (!changed) return existing;
  const timespans = [...byKey.values()];
  return grown ? timespans.sort((a, b) => compareTimeSpans(a.span, b.span)) : timespans;
}

function updateMasterGroups(
  existing: MasterGroups | undefined,
  wanted: readonly string[] | undefined,
  updating: Updating,
): MasterGroups | undefined {
  if (wanted === undefined || wanted.length === 0) return existing;
  const names = [...new Set(wanted)];
  for (const name of names) {
    definedGroup(updating, name);
    if (!permitted(updating, "group", name)) return existing;
  }
  const same = existing?.names.length === names.length && names.every((name, index) => name === existing.names[index]);
  return same ? existing : { names, change: updating.stamp };
}

/**
 * The metadata after a document was put on it. What the document does not name stays; the rules are those of
 * {@link updateFields}, {@link updateContainer} and of values; a timespan of the document without fields and groups
 * takes the timespan away.
 *
 * Linear in the sizes of metadata and document. The same object when nothing changes.
 *
 * @throws KinoraError `not-found`, `invalid-value`, `invalid-input` or `forbidden`, naming the field or group
 */
export function applyUpdate(current: Metadata, update: MetadataValues, context: UpdateContext): Metadata {
  let nextEntry = current.nextEntry;
  const updating: Updating = { ...context, nextEntry: () => nextEntry++ };
  const timespans = updateTimespans(current.timespans, update.timespan ?? [], updating);
  const masterGroups = updateMasterGroups(current.masterGroups, update.group, updating);
  if (timespans === current.timespans && masterGroups === current.masterGroups) return current;
  return {
    timespans,
    nextEntry,
    last: context.stamp,
    ...(masterGroups === undefined ? {} : { masterGroups }),
  };
}
