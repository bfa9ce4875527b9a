/**
 * How metadata is stored: one JSON text an entity. Entries are arrays, stamps are listed once, and what can be derived is
 * left out, so that a typical value costs its text, its field's name and about ten characters.
 *
 * ```
 * metadata   [version, nextEntry, last, stamps, timespans, masterNames?, masterStamp?, edited?]
 * stamp      [id, user, time, sequence, writtenOut]
 * timespan   [start, end, fields, groups?]
 * field      [name, entry, stamp, extras, ...values]     extras 0, or {t: track, r: reference}
 * value      text                                        entry = field's entry + place, stamp = field's stamp
 *          | [text, entry, stamp, language?]
 * group      [name, entry, stamp, fields, groups?, reference?]
 * ```
 */
import type { ChangeStamp, FieldEntry, GroupEntry, Metadata, TimespanEntry, ValueEntry } from "./model.ts";
import { parseTimeSpan } from "./time/time-span.ts";

const version = 1;

type CompactStamp = readonly [id: number, user: string, time: number, sequence: number, writtenOut: 0 | 1];
type CompactValue = string | readonly [text: string, entry: number, stamp: number, language?: string];
interface CompactExtras {
  readonly t?: string;
  readonly r?: string;
}
export type CompactField = readonly [
  name: string,
  entry: number,
  stamp: number,
  extras: 0 | CompactExtras,
  ...values: readonly CompactValue[],
];
export type CompactGroup = readonly [
  name: string,
  entry: number,
  stamp: number,
  fields: readonly CompactField[],
  groups?: readonly CompactGroup[] | 0,
  reference?: string,
];
export type CompactTimespan = readonly [
  start: string,
  end: string,
  fields: readonly CompactField[],
  groups?: readonly CompactGroup[],
];
/** The stored form, as JSON gives it. */
export type CompactMetadata = readonly [
  version: number,
  nextEntry: number,
  last: number,
  stamps: readonly CompactStamp[],
  timespans: readonly CompactTimespan[],
  masterNames?: readonly string[] | 0,
  masterStamp?: number,
  edited?: number,
];

/** Numbers the stamps of one text as they come; `-1` marks an entry that is there only for its place. */
export type StampNumber = (change: ChangeStamp) => number;

function encodeValue(value: ValueEntry, place: number, field: FieldEntry, numberOf: StampNumber): CompactValue {
  const { text, entry, change, language } = value;
  if (language !== undefined) return [text, entry, numberOf(change), language];
  if (entry === field.entry + place && change === field.change) return text;
  return [text, entry, numberOf(change)];
}

function encodeField(field: FieldEntry, numberOf: StampNumber): CompactField {
  const { name, entry, change, track, reference, values } = field;
  const extras =
    track === undefined && reference === undefined
      ? 0
      : { ...(track === undefined ? {} : { t: track }), ...(reference === undefined ? {} : { r: reference }) };
  return [
    name,
    entry,
    numberOf(change),
    extras,
    ...values.map((value, index) => encodeValue(value, index + 1, field, numberOf)),
  ];
}

function encodeGroup(group: GroupEntry, numberOf: StampNumber): CompactGroup {
  const { name, entry, change, fields, groups, reference } = group;
  const head = [name, entry, numberOf(change), fields.map((field) => encodeField(field, numberOf))] as const;
  if (groups.length === 0 && reference === undefined) return head;
  const inner = groups.length === 0 ? 0 : groups.map((child) => encodeGroup(child, numberOf));
  return reference === undefined ? [...head, inner] : [...head, inner, reference];
}

/** The compact form of timespans; `numberOf` says how stamps are written. */
export function encodeTimespans(
  timespans: readonly TimespanEntry[],
  numberOf: StampNumber,
): readonly CompactTimespan[] {
  return timespans.map(({ span, fields, groups }) => {
    const head = [span.start.text, span.end.text, fields.map((field) => encodeField(field, numberOf))] as const;
    return groups.length === 0 ? head : [...head, groups.map((group) => encodeGroup(group, numberOf))];
  });
}

function decodeField(compact: CompactField, stamps: readonly ChangeStamp[]): FieldEntry {
  const [name, entry, stamp, extras] = compact;
  const change = stamps[stamp] as ChangeStamp;
  const values: ValueEntry[] = [];
  for (let index = 4; index < compact.length; index++) {
    const value = compact[index] as CompactValue;
    if (typeof value === "string") values.push({ text: value, entry: entry + index - 3, change });
    else {
      const [text, own, ownStamp, language] = value;
      const ownChange = stamps[ownStamp] as ChangeStamp;
      values.push(
        language === undefined
          ? { text, entry: own, change: ownChange }
          : { text, entry: own, change: ownChange, language },
      );
    }
  }
  if (extras === 0) return { name, entry, change, values };
  return {
    name,
    entry,
    change,
    values,
    ...(extras.t === undefined ? {} : { track: extras.t }),
    ...(extras.r === undefined ? {} : { reference: extras.r }),
  };
}

const none: readonly never[] = [];

function decodeGroup(compact: CompactGroup, stamps: readonly ChangeStamp[]): GroupEntry {
  const [name, entry, stamp, fields, groups, reference] = compact;
  const group = {
    name,
    entry,
    change: stamps[stamp] as ChangeStamp,
    fields: fields.map((field) => decodeField(field, stamps)),
    groups: groups === undefined || groups === 0 ? none : groups.map((child) => decodeGroup(child, stamps)),
  };
  return reference === undefined ? group : { ...group, reference };
}

/** Timespans of their compact form; a stamp's number is its place in `stamps`. */
export function decodeTimespans(
  compact: readonly CompactTimespan[],
  stamps: readonly ChangeStamp[],
): readonly TimespanEntry[] {
  return compact.map(([start, end, fields, groups]) => ({
    span: parseTimeSpan(start, end),
    fields: fields.map((field) => decodeField(field, stamps)),
    groups: groups === undefined ? none : groups.map((group) => decodeGroup(group, stamps)),
  }));
}

/**
 * Writes the current metadata of an entity.
 *
 * @param isWrittenOut whether a change set is written out behind the write; by default as its stamp says
 */
export function encodeMetadata(
  metadata: Metadata,
  isWrittenOut: (stamp: ChangeStamp) => boolean = (stamp) => stamp.writtenOut,
): string {
  const stamps: CompactStamp[] = [];
  const numbers = new Map<ChangeStamp, number>();
  const numberOf = (change: ChangeStamp): number => {
    let number = numbers.get(change);
    if (number === undefined) {
      number = stamps.length;
      numbers.set(change, number);
      stamps.push([change.id, change.user, change.time, change.sequence, isWrittenOut(change) ? 1 : 0]);
    }
    return number;
  };
  const timespans = encodeTimespans(metadata.timespans, numberOf);
  const last = metadata.last === undefined ? -1 : numberOf(metadata.last);
  const { masterGroups, edited } = metadata;
  const head = [version, metadata.nextEntry, last, stamps, timespans] as const;
  const master =
    masterGroups === undefined ? undefined : ([masterGroups.names, numberOf(masterGroups.change)] as const);
  const compact: CompactMetadata =
    edited === undefined ? [...head, ...(master ?? [])] : [...head, ...(master ?? ([0, -1] as const)), edited];
  return JSON.stringify(compact);
}

/** Reads what {@link encodeMetadata} wrote. */
export function decodeMetadata(text: string): Metadata {
  return fromCompact(JSON.parse(text) as CompactMetadata);
}

/** The metadata of its stored form. @throws Error when that is of a newer version; a defect of the upgrade. */
export function fromCompact(compact: CompactMetadata): Metadata {
  const [form, nextEntry, last, compactStamps, timespans, masterNames = 0, masterStamp, edited] = compact;
  if (form !== version) throw new Error(`Stored metadata of the unknown form ${form}`);
  const stamps: ChangeStamp[] = [];
  for (const [id, user, time, sequence, writtenOut] of compactStamps) {
    stamps.push({ id, user, time, sequence, writtenOut: writtenOut === 1 });
  }
  const metadata: { -readonly [K in keyof Metadata]: Metadata[K] } = {
    timespans: decodeTimespans(timespans, stamps),
    nextEntry,
  };
  const newest = stamps[last];
  if (newest !== undefined) metadata.last = newest;
  const masterChange = masterStamp === undefined ? undefined : stamps[masterStamp];
  if (masterNames !== 0 && masterChange !== undefined) {
    metadata.masterGroups = { names: masterNames, change: masterChange };
  }
  if (edited !== undefined) metadata.edited = edited;
  return metadata;
}
