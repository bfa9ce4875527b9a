import { fromEpoch } from "../../../documents/date-time.ts";
import type { MetadataFieldValue, MetadataGroupValue, MetadataValue } from "../../documents/metadata-document.ts";
import type { ChangeStamp, Container, Entry, FieldEntry, GroupEntry, ValueEntry } from "../model.ts";
import { deepestReference, isField, isGroup, type Referenced } from "../reference.ts";
import type { ProjectionContext } from "./projection-context.ts";

/** The attributes that all entries of one write share. */
interface StampAttributes {
  readonly user: string;
  readonly timestamp: string;
  readonly change: string;
}

/** Writes the entries of one entity, or of one that a reference leads to. */
export interface EntryProjection {
  readonly context: ProjectionContext;
  readonly uuid: (entry: number) => string;
  /** Where the entries are inherited from. */
  readonly origin?: string;
  /** The references that led here. */
  readonly path: readonly string[];
  readonly stamps: Map<ChangeStamp, StampAttributes>;
}

/** Whether what is shown stands in a group that the `group` selector names. */
type InGroup = boolean;

function stampOf(projection: EntryProjection, { change }: Entry): StampAttributes {
  let attributes = projection.stamps.get(change);
  if (attributes === undefined) {
    const { user, time, id } = change;
    attributes = { user, timestamp: fromEpoch(time), change: projection.context.changeId(id) };
    projection.stamps.set(change, attributes);
  }
  return attributes;
}

/** A value of the answer while it is put together; what it does not have is left out. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function entryAttributes(projection: EntryProjection, entry: Entry): Mutable<MetadataFieldValue> {
  const { user, timestamp, change } = stampOf(projection, entry);
  return { uuid: projection.uuid(entry.entry), user, timestamp, change };
}

function projectValue(projection: EntryProjection, value: ValueEntry): MetadataValue {
  const { user, timestamp, change } = stampOf(projection, value);
  const uuid = projection.uuid(value.entry);
  return value.language === undefined
    ? { uuid, user, timestamp, change, value: value.text }
    : { uuid, user, timestamp, change, lang: value.language, value: value.text };
}

function projectValues(projection: EntryProjection, values: readonly ValueEntry[]): readonly MetadataValue[] {
  const shown: MetadataValue[] = [];
  for (const value of values) shown.push(projectValue(projection, value));
  return shown;
}

/** The name to show a field by; `undefined` when it is not shown. */
export function shownName(context: ProjectionContext, name: string, inGroup: InGroup): string | undefined {
  const { field, group } = context.selection;
  if (field.excluded.has(name)) return undefined;
  const renamed = field.included?.get(name);
  if (renamed !== undefined) return renamed;
  return field.included === undefined && group.included === undefined ? name : inGroup ? name : undefined;
}

/** Whether a field that stands directly in a timespan belongs to a group that the `group` selector names. */
export function inNamedGroup(context: ProjectionContext, field: string): InGroup {
  const { included } = context.selection.group;
  if (included === undefined) return false;
  for (const group of included.keys()) if (context.definitions.isMember(group, field)) return true;
  return false;
}

/** A field as it is shown, with what the selection asks for of its definition: extra data, and the definition itself. */
export function withDefinition(
  context: ProjectionContext,
  name: string,
  shown: Mutable<MetadataFieldValue>,
): MetadataFieldValue {
  const { data, definition } = context.selection;
  if (data.length === 0 && !definition) return shown;
  const found = context.definitions.field(name);
  if (found === undefined) return shown;
  const extra = context.extraData?.(name);
  const pairs = data.flatMap((key) => {
    const value = extra?.get(key);
    return value === undefined ? [] : [{ key, value }];
  });
  if (pairs.length > 0) shown.data = pairs;
  const type = definition ? context.definitionDocument?.(found) : undefined;
  if (type !== undefined) shown.type = type;
  return shown;
}

/** What a reference leads to in the end, and how to write what stands there. */
interface Target<E> {
  /** What the reference names itself. */
  readonly named: Referenced;
  /** What gives the content, when references lead on to further ones. */
  readonly entry: E;
  readonly within: EntryProjection;
}

/** Follows a reference as far as it leads; `undefined` when it leads nowhere, or to an entry of the other kind. */
function follow<E extends FieldEntry | GroupEntry>(
  projection: EntryProjection,
  reference: string | undefined,
  isKind: (entry: FieldEntry | GroupEntry) => entry is E,
): Target<E> | "cycle" | undefined {
  const { context } = projection;
  let { path } = projection;
  let named: Referenced | undefined;
  let next = reference;
  while (next !== undefined) {
    if (path.includes(next) || path.length >= deepestReference) return "cycle";
    path = [...path, next];
    const found: Referenced | undefined = context.references?.(next);
    if (found === undefined || !isKind(found.entry)) return undefined;
    named ??= found;
    next = found.entry.reference;
    if (next === undefined) {
      const within = { context, uuid: context.uuidsOf(found.entityKey), path, stamps: new Map() };
      return { named, entry: found.entry, within };
    }
  }
  return undefined;
}

function referencedAttributes({ id, uuid, type }: Referenced) {
  return { id, uuid, type };
}

function projectField(
  projection: EntryProjection,
  field: FieldEntry,
  inGroup: InGroup,
): MetadataFieldValue | undefined {
  const { context, origin } = projection;
  const { selection } = context;
  const name = shownName(context, field.name, inGroup);
  if (name === undefined || !context.mayRead("field", field.name)) return undefined;
  if (selection.track !== undefined && !selection.track(field.track)) return undefined;
  const found = field.reference === undefined ? undefined : follow(projection, field.reference, isField);
  const target = found === "cycle" ? undefined : found;
  const { language } = selection;
  const all = (target?.entry ?? field).values;
  const values = language === undefined ? all : all.filter((value) => language(value.language));
  if (values.length === 0 && field.reference === undefined) return undefined;
  const shown = entryAttributes(projection, field);
  shown.name = name;
  if (field.track !== undefined) shown.track = field.track;
  if (origin !== undefined) shown.inheritance = origin;
  if (target !== undefined) shown.referenced = referencedAttributes(target.named);
  if (values.length > 0) shown.value = projectValues(target?.within ?? projection, values);
  else shown.reference = field.reference;
  return withDefinition(context, field.name, shown);
}

function projectGroup(
  projection: EntryProjection,
  group: GroupEntry,
  withinNamed: InGroup,
): MetadataGroupValue | undefined {
  const { context, origin } = projection;
  const { selection } = context;
  const { included, excluded, withNested } = selection.group;
  if (excluded.has(group.name) || !context.mayRead("group", group.name)) return undefined;
  const named = included?.get(group.name);
  const inGroup = named !== undefined || withinNamed;
  const nested = withNested.has(group.name) || (withinNamed && named === undefined);
  const found = follow(projection, group.reference, isGroup);
  const target = found === "cycle" ? undefined : found;
  const inner = projectContainer(target?.within ?? projection, target?.entry ?? group, {
    fields: inGroup,
    groups: nested,
  });
  const isEmpty = inner.field.length === 0 && inner.group.length === 0;
  const filtered = selection.field.included !== undefined || included !== undefined;
  if (isEmpty && filtered && named === undefined) return undefined;
  return {
    ...entryAttributes(projection, group),
    ...(origin === undefined ? {} : { inheritance: origin }),
    ...(found === "cycle" ? { cycle: true } : {}),
    name: named ?? group.name,
    ...(target === undefined ? {} : { referenced: referencedAttributes(target.named) }),
    ...(inner.field.length === 0 ? {} : { field: inner.field }),
    ...(inner.group.length === 0 ? {} : { group: inner.group }),
    ...(target === undefined && group.reference !== undefined ? { reference: group.reference } : {}),
  };
}

/** The fields and groups of a container that are shown. */
export function projectContainer(
  projection: EntryProjection,
  container: Container,
  within: { readonly fields: InGroup | "direct"; readonly groups: InGroup },
): { field: MetadataFieldValue[]; group: MetadataGroupValue[] } {
  const field: MetadataFieldValue[] = [];
  for (const one of container.fields) {
    const inGroup = within.fields === "direct" ? inNamedGroup(projection.context, one.name) : within.fields;
    const shown = projectField(projection, one, inGroup);
    if (shown !== undefined) field.push(shown);
  }
  const group: MetadataGroupValue[] = [];
  for (const one of container.groups) {
    const shown = projectGroup(projection, one, within.groups);
    if (shown !== undefined) group.push(shown);
  }
  return { field, group };
}
