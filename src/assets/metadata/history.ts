/** The states of an entity's metadata, put together again out of its change sets. */
import { type ChangeSet, isOwn } from "./change-set.ts";
import type {
  ChangeStamp,
  Container,
  FieldEntry,
  GroupEntry,
  MasterGroups,
  Metadata,
  TimespanEntry,
  ValueEntry,
} from "./model.ts";
import { compareTimeSpans, type TimeSpan, timeSpanKey } from "./time/time-span.ts";

/** A field, group or timespan while it is put together. */
interface Place {
  readonly fields: Map<number, FieldPlace>;
  readonly groups: Map<number, GroupPlace>;
}

interface FieldPlace {
  head: Omit<FieldEntry, "values">;
  readonly values: Map<number, ValueEntry>;
}

interface GroupPlace extends Place {
  head: Omit<GroupEntry, "fields" | "groups">;
}

interface TimespanPlace extends Place {
  readonly span: TimeSpan;
}

function emptyPlace(): Place {
  return { fields: new Map(), groups: new Map() };
}

/** Puts entries on a place: those that the set made, by number. What only holds others must be there already. */
function addTo(place: Place, added: Container, changeSet: ChangeSet): void {
  for (const field of added.fields) {
    const { values, ...head } = field;
    let known = place.fields.get(field.entry);
    if (isOwn(changeSet, field)) {
      known = known === undefined ? { head, values: new Map() } : Object.assign(known, { head });
      place.fields.set(field.entry, known);
    }
    for (const value of values) known?.values.set(value.entry, value);
  }
  for (const group of added.groups) {
    const { fields, groups, ...head } = group;
    let known = place.groups.get(group.entry);
    if (isOwn(changeSet, group)) {
      known = known === undefined ? { ...emptyPlace(), head } : Object.assign(known, { head });
      place.groups.set(group.entry, known);
    }
    if (known !== undefined) addTo(known, { fields, groups }, changeSet);
  }
}

function takeFrom(place: Place, gone: Container, changeSet: ChangeSet): void {
  for (const field of gone.fields) {
    if (isOwn(changeSet, field)) {
      place.fields.delete(field.entry);
      continue;
    }
    const known = place.fields.get(field.entry);
    for (const value of field.values) known?.values.delete(value.entry);
  }
  for (const group of gone.groups) {
    const known = place.groups.get(group.entry);
    if (known === undefined) continue;
    if (isOwn(changeSet, group)) place.groups.delete(group.entry);
    else takeFrom(known, group, changeSet);
  }
}

function finish(place: Place): Container {
  return {
    fields: [...place.fields.values()]
      .filter(({ head, values }) => values.size > 0 || head.reference !== undefined)
      .map(({ head, values }) => ({ ...head, values: [...values.values()] })),
    groups: [...place.groups.values()].map((group) => ({ ...group.head, ...finish(group) })),
  };
}

/**
 * The metadata that some change sets make, applied in the order of their writing. Linear in their sizes.
 *
 * @param nextEntry the entity's counter of entries, which history does not turn back
 */
export function replay(changeSets: readonly ChangeSet[], nextEntry: number): Metadata {
  const timespans = new Map<string, TimespanPlace>();
  let masterGroups: MasterGroups | undefined;
  let last: ChangeStamp | undefined;
  const ordered = changeSets.toSorted((a, b) => a.stamp.sequence - b.stamp.sequence);
  for (const changeSet of ordered) {
    for (const gone of changeSet.gone) {
      const place = timespans.get(timeSpanKey(gone.span));
      if (place !== undefined) takeFrom(place, gone, changeSet);
    }
    for (const added of changeSet.added) {
      const key = timeSpanKey(added.span);
      const known = timespans.get(key);
      const isNew = known === undefined || (known.fields.size === 0 && known.groups.size === 0);
      const place = isNew ? { span: added.span, ...emptyPlace() } : known;
      timespans.set(key, place);
      addTo(place, added, changeSet);
    }
    if (changeSet.masterGroups !== undefined) {
      masterGroups = { names: changeSet.masterGroups, change: changeSet.stamp };
    }
    last = changeSet.stamp;
  }
  return {
    timespans: [...timespans.values()]
      .map((place): TimespanEntry => ({ span: place.span, ...finish(place) }))
      .filter(({ fields, groups }) => fields.length > 0 || groups.length > 0)
      .sort((a, b) => compareTimeSpans(a.span, b.span)),
    nextEntry,
    ...(last === undefined ? {} : { last }),
    ...(masterGroups === undefined ? {} : { masterGroups }),
  };
}
