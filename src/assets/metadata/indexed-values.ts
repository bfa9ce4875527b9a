import type { Definitions } from "../fields/definitions.ts";
import type { IndexedGroup, IndexedValue } from "../index-port.ts";
import { referenceIn, referenceText } from "../indexed-reference.ts";
import type { InheritedPart } from "./inherited.ts";
import type { Container, FieldEntry, GroupEntry, Metadata, PlacedValue, TimespanEntry } from "./model.ts";
import { deepestReference, isField, isGroup, type ReferenceLookup } from "./reference.ts";
import { isGeneric, type TimeSpan } from "./time/time-span.ts";

/** What an entity shows beside its own values. */
export interface Shown {
  readonly inherited?: readonly InheritedPart[];
  readonly references?: ReferenceLookup;
}

/** Entries of one entity that can be told apart where another entity shows them. */
const foreignEntries = 2 ** 20;

/** Numbers of entries as the index takes them: own ones as they are, others below zero. */
type EntryNumbers = (entry: number) => number;

const own: EntryNumbers = (entry) => entry;

function foreign(entityKey: number): EntryNumbers {
  return (entry) => -(entityKey * foreignEntries + (entry % foreignEntries));
}

/** A group instance around a value, under the number that the index knows it by. */
type GroupPath = readonly IndexedGroup[];

/** Adds the values of some timespans to what the index is given. */
interface Collecting {
  readonly definitions: Definitions;
  readonly references?: ReferenceLookup;
  readonly origin?: string;
  readonly into: IndexedValue[];
}

/** The entry that a reference leads to in the end. */
function follow<E extends FieldEntry | GroupEntry>(
  { references }: Collecting,
  entry: E,
  isKind: (entry: FieldEntry | GroupEntry) => entry is E,
): { readonly entry: E; readonly numbers: EntryNumbers } | undefined {
  let { reference } = entry;
  for (let depth = 0; depth < deepestReference && reference !== undefined; depth++) {
    const found = references?.(reference);
    if (found === undefined || !isKind(found.entry)) return undefined;
    if (found.entry.reference === undefined) return { entry: found.entry, numbers: foreign(found.entityKey) };
    reference = found.entry.reference;
  }
  return undefined;
}

/** That a field or group refers to another is indexed with it, whether or not there is something that it leads to. */
function collectReference(
  { into, origin }: Collecting,
  { name, reference, entry }: FieldEntry | GroupEntry,
  span: TimeSpan,
  groups: GroupPath,
  numbers: EntryNumbers,
) {
  if (reference === undefined) return;
  into.push({
    entry: numbers(entry),
    field: referenceIn(name),
    text: referenceText(reference, name),
    groups,
    ...(isGeneric(span) ? {} : { span }),
    ...(origin === undefined ? {} : { inherited: origin }),
  });
}

function collectField(
  collecting: Collecting,
  field: FieldEntry,
  span: TimeSpan,
  groups: GroupPath,
  numbers: EntryNumbers,
) {
  const definition = collecting.definitions.field(field.name);
  if (definition === undefined) return;
  collectReference(collecting, field, span, groups, numbers);
  const target = field.reference === undefined ? undefined : follow(collecting, field, isField);
  const numberOf = target?.numbers ?? numbers;
  for (const { entry, text, language } of (target?.entry ?? field).values) {
    collecting.into.push({
      entry: numberOf(entry),
      field: definition,
      text,
      groups,
      ...(language === undefined ? {} : { language }),
      ...(field.track === undefined ? {} : { track: field.track }),
      ...(isGeneric(span) ? {} : { span }),
      ...(collecting.origin === undefined ? {} : { inherited: collecting.origin }),
    });
  }
}

function collectContainer(
  collecting: Collecting,
  container: Container,
  span: TimeSpan,
  groups: GroupPath,
  numbers: EntryNumbers,
): void {
  for (const field of container.fields) collectField(collecting, field, span, groups, numbers);
  if (groups.length > mostGroups) return;
  for (const group of container.groups) {
    const path = [...groups, { name: group.name, entry: numbers(group.entry) }];
    collectReference(collecting, group, span, path, numbers);
    const target = group.reference === undefined ? undefined : follow(collecting, group, isGroup);
    collectContainer(collecting, target?.entry ?? group, span, path, target?.numbers ?? numbers);
  }
}

/** Groups around a value; more can only come from references that lead in a circle. */
const mostGroups = 64 + deepestReference;

function collect(collecting: Collecting, timespans: readonly TimespanEntry[], numbers: EntryNumbers): void {
  for (const timespan of timespans) collectContainer(collecting, timespan, timespan.span, [], numbers);
}

/** Everything that an entity has and shows, as the index takes it; values of fields that are not defined are left out. */
export function indexedValues(
  definitions: Definitions,
  metadata: Metadata,
  shown: Shown = {},
): readonly IndexedValue[] {
  const into: IndexedValue[] = [];
  const { inherited = [], references } = shown;
  const base = { definitions, into, ...(references === undefined ? {} : { references }) };
  collect(base, metadata.timespans, own);
  for (const { origin, entityKey, timespans } of inherited) {
    collect({ ...base, origin }, timespans, foreign(entityKey));
  }
  return into;
}

/** Own values as the index takes them, without what references lead to. */
export function indexedPlaced(definitions: Definitions, values: readonly PlacedValue[]): readonly IndexedValue[] {
  const into: IndexedValue[] = [];
  for (const { span, groups, field, value } of values) {
    const path = groups.map(({ name, entry }) => ({ name, entry }));
    collectField({ definitions, into }, { ...field, values: [value] }, span, path, own);
  }
  return into;
}

/** What of two lists of values is in one alone. */
export function valueDifference(
  before: readonly IndexedValue[],
  after: readonly IndexedValue[],
): { readonly added: readonly IndexedValue[]; readonly removed: readonly IndexedValue[] } {
  const keyOf = ({ entry, text, language, span }: IndexedValue) =>
    `${entry}\n${language ?? ""}\n${span === undefined ? "" : `${span.start.text} ${span.end.text}`}\n${text}`;
  const [earlier, later] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  return {
    added: after.filter((value) => !earlier.has(keyOf(value))),
    removed: before.filter((value) => !later.has(keyOf(value))),
  };
}
