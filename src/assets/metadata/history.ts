/** The states of an entity's metadata, put together again out of its change sets. */
import { type ChangeSet, holder, isOwn } from "./change-set.ts";
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
  /** The entries of the fields by name and track, of which there is one each. */
  readonly entries: Map<string, number>;
  readonly groups: Map<number, GroupPlace>;
}

/**
 * A field. Without head no set has made it yet: its values are older than the set that is its newest, when what that set
 * replaced has been trimmed away. A place that never gets one has lost its maker, and goes with it.
 */
interface FieldPlace {
  head?: Omit<FieldEntry, "values">;
  readonly values: Map<number, ValueEntry>;
}

/** A group, or what is in it before it is made. */
interface GroupPlace extends Place {
  head?: Omit<GroupEntry, "fields" | "groups">;
}

interface TimespanPlace extends Place {
  readonly span: TimeSpan;
}

function emptyPlace(): Place {
  return { fields: new Map(), entries: new Map(), groups: new Map() };
}

function fieldAt({ fields }: Place, entry: number): FieldPlace {
  const known = fields.get(entry) ?? { values: new Map() };
  fields.set(entry, known);
  return known;
}

function groupAt({ groups }: Place, entry: number): GroupPlace {
  const known = groups.get(entry) ?? emptyPlace();
  groups.set(entry, known);
  return known;
}

/** Tells of a field that gave way to one that a set made in its place; it stands in what holds it. */
export type Displaced = (by: ChangeSet, field: TimespanEntry) => void;

/** What an addition to a place is part of. */
interface Addition {
  readonly changeSet: ChangeSet;
  /** A part of the place within all that is around it. */
  readonly around: (part: Container) => TimespanEntry;
  readonly displaced?: Displaced | undefined;
}

/**
 * Puts a field on a place that a set made. Another of the same name may be there, when the set that took that away has
 * been taken out of the history: the later one replaces it.
 */
function makeField(place: Place, { values: _, ...head }: FieldEntry, { changeSet, around, displaced }: Addition): void {
  fieldAt(place, head.entry).head = head;
  const key = `${head.name}\n${head.track ?? ""}`;
  const known = place.entries.get(key) ?? head.entry;
  place.entries.set(key, head.entry);
  const other = place.fields.get(known);
  if (known === head.entry || other?.head === undefined) return;
  place.fields.delete(known);
  const { stamp: change } = changeSet;
  const values = [...other.values.values()].map((value) => ({ ...value, change }));
  displaced?.(changeSet, around({ fields: [{ ...other.head, change, values }], groups: [] }));
}

function addTo(place: Place, added: Container, addition: Addition): void {
  const { changeSet, around } = addition;
  for (const field of added.fields) {
    if (isOwn(changeSet, field)) makeField(place, field, addition);
    const { values } = fieldAt(place, field.entry);
    for (const value of field.values) values.set(value.entry, value);
  }
  for (const group of added.groups) {
    const { fields, groups, ...head } = group;
    const known = groupAt(place, group.entry);
    if (isOwn(changeSet, group)) known.head = head;
    const within = (part: Container) => around({ fields: [], groups: [{ ...head, change: holder, ...part }] });
    addTo(known, { fields, groups }, { ...addition, around: within });
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
  const fields: FieldEntry[] = [];
  for (const { head, values } of place.fields.values()) {
    if (head !== undefined && (values.size > 0 || head.reference !== undefined)) {
      fields.push({ ...head, values: [...values.values()] });
    }
  }
  const groups: GroupEntry[] = [];
  for (const group of place.groups.values()) {
    if (group.head !== undefined) groups.push({ ...group.head, ...finish(group) });
  }
  return { fields, groups };
}

/**
 * The metadata that some change sets make, applied in the order of their writing. Linear in their sizes.
 *
 * @param nextEntry the entity's counter of entries, which history does not turn back
 * @param displaced is told of each field that gave way to a later one without a set that says so
 */
export function replay(changeSets: readonly ChangeSet[], nextEntry: number, displaced?: Displaced): Metadata {
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
      const around = (part: Container) => ({ span: added.span, ...part });
      addTo(place, added, { changeSet, around, displaced });
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
