import type { MetadataFieldValue, MetadataGroupValue } from "../../documents/metadata-document.ts";
import type { Container, FieldEntry, GroupEntry } from "../model.ts";
import { referenceOf } from "./update-context.ts";

interface Level {
  readonly field?: readonly MetadataFieldValue[] | undefined;
  readonly group?: readonly MetadataGroupValue[] | undefined;
}

function isReturned(one: MetadataFieldValue | MetadataGroupValue): boolean {
  return one.inheritance !== undefined && one.mode === undefined;
}

function placeOf({
  name = "",
  track = "",
}: {
  readonly name?: string | undefined;
  readonly track?: string | undefined;
}) {
  return `${name}\n${track}`;
}

function saysField(field: MetadataFieldValue, entry: FieldEntry | undefined): boolean {
  if (entry?.reference !== undefined) return referenceOf(field) === entry.reference;
  const { value: values = [] } = field;
  return (
    entry?.values.length === values.length &&
    entry.values.every(({ text, language = "" }, index) => {
      const { value = "", lang = "" } = values[index] ?? {};
      return value === text && lang === language;
    })
  );
}

function saysGroup(group: MetadataGroupValue, entry: GroupEntry): boolean {
  if (group.name !== entry.name) return false;
  return entry.reference === undefined ? saysNothingElse(group, entry) : referenceOf(group) === entry.reference;
}

/** Whether groups of a document are some of the instances, in their order: what the caller may not read is missing. */
function areAmong(groups: readonly MetadataGroupValue[], entries: readonly GroupEntry[]): boolean {
  let next = 0;
  for (const entry of entries) {
    const group = groups[next];
    if (group !== undefined && saysGroup(group, entry)) next += 1;
  }
  return next === groups.length;
}

/** Whether all that a document says is what the entries say. */
function saysNothingElse({ field: fields = [], group: groups = [] }: Level, entries: Container): boolean {
  const known = new Map(entries.fields.map((field) => [placeOf(field), field]));
  return fields.every((field) => saysField(field, known.get(placeOf(field)))) && areAmong(groups, entries.groups);
}

/** A group that was shown as inherited, as one of the entity's own: the UUIDs in it are those of the collection. */
function asOwn(group: MetadataGroupValue): MetadataGroupValue {
  const { group: inner, ...rest } = group;
  return { ...rest, uuid: undefined, mode: "add", ...(inner === undefined ? {} : { group: inner.map(asOwn) }) };
}

function byName<G extends { readonly name?: string | undefined }>(groups: readonly G[]): ReadonlyMap<string, G[]> {
  const named = new Map<string, G[]>();
  for (const group of groups) {
    const same = named.get(group.name ?? "");
    if (same === undefined) named.set(group.name ?? "", [group]);
    else same.push(group);
  }
  return named;
}

/** The names of groups that a document gives back otherwise than they are inherited. */
function changedNames(groups: readonly MetadataGroupValue[], inherited: Container): ReadonlySet<string> {
  const known = byName(inherited.groups);
  const changed = new Set<string>();
  for (const [name, same] of byName(groups.filter(isReturned))) {
    if (!areAmong(same, known.get(name) ?? [])) changed.add(name);
  }
  return changed;
}

/**
 * What a document says of a timespan of the entity itself: without the fields and groups that an answer showed as
 * inherited, and that come back as they were. A field that comes back otherwise is one of the entity's own from then
 * on, and so are all inherited groups of a name when one of them does.
 *
 * @param inherited what the entity inherits there; `undefined` when the document says of nothing that it is inherited
 */
export function ownPart<L extends Level>(update: L, inherited: Container | undefined): L {
  if (inherited === undefined) return update;
  const { field: fields = [], group: groups = [] } = update;
  const known = new Map(inherited.fields.map((field) => [placeOf(field), field]));
  const changed = changedNames(groups, inherited);
  return {
    ...update,
    field: fields.filter((field) => !isReturned(field) || !saysField(field, known.get(placeOf(field)))),
    group: groups.flatMap((group) => {
      if (!isReturned(group)) return [group];
      return changed.has(group.name ?? "") ? [asOwn(group)] : [];
    }),
  };
}
