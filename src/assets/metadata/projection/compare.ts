import type {
  MetadataFieldValue,
  MetadataGroupValue,
  MetadataTimespan,
  MetadataValue,
  MetadataValues,
} from "../../documents/metadata-document.ts";

type Mode = "add" | "remove";

/** Two lists paired by key: what is in one alone, and what is in both. */
function pair<T>(before: readonly T[], after: readonly T[], keyOf: (one: T) => string) {
  const left = new Map<string, T[]>();
  for (const one of before) {
    const same = left.get(keyOf(one));
    if (same === undefined) left.set(keyOf(one), [one]);
    else same.push(one);
  }
  const added: T[] = [];
  const both: (readonly [T, T])[] = [];
  for (const one of after) {
    const other = left.get(keyOf(one))?.shift();
    if (other === undefined) added.push(one);
    else both.push([other, one]);
  }
  return { added, both, removed: [...left.values()].flat() };
}

function flagged<T extends { readonly mode?: Mode | undefined }>(entries: readonly T[], mode: Mode): T[] {
  return entries.map((entry) => ({ ...entry, mode }));
}

interface Level {
  readonly field?: readonly MetadataFieldValue[] | undefined;
  readonly group?: readonly MetadataGroupValue[] | undefined;
}

function compareFields(before: Level, after: Level, valueKey: (value: MetadataValue) => string): MetadataFieldValue[] {
  const keyOf = ({ name = "", track = "" }: MetadataFieldValue) => `${name}\n${track}`;
  const { added, both, removed } = pair(before.field ?? [], after.field ?? [], keyOf);
  const changed = both.flatMap(([earlier, later]) => {
    const values = pair(earlier.value ?? [], later.value ?? [], valueKey);
    const value = [...flagged(values.removed, "remove"), ...flagged(values.added, "add")];
    return value.length === 0 && earlier.reference === later.reference ? [] : [{ ...later, value }];
  });
  return [...changed, ...flagged(removed, "remove"), ...flagged(added, "add")];
}

function compareGroups(before: Level, after: Level, valueKey: (value: MetadataValue) => string): MetadataGroupValue[] {
  const { added, both, removed } = pair(before.group ?? [], after.group ?? [], ({ uuid = "" }) => uuid);
  const changed = both.flatMap(([earlier, later]): MetadataGroupValue[] => {
    const field = compareFields(earlier, later, valueKey);
    const group = compareGroups(earlier, later, valueKey);
    if (field.length === 0 && group.length === 0 && earlier.reference === later.reference) return [];
    return [{ ...later, field, group }];
  });
  return [...changed, ...flagged(removed, "remove"), ...flagged(added, "add")];
}

/**
 * What lies between two documents of one entity: entries of `after` alone with `mode="add"`, of `before` alone with
 * `mode="remove"`, inside the groups that both have.
 *
 * @param byUuid values are the same by UUID and text; by default by language and text
 */
export function compareMetadata(before: MetadataValues, after: MetadataValues, byUuid: boolean): MetadataValues {
  const valueKey = ({ uuid = "", lang = "", value = "" }: MetadataValue) => `${byUuid ? uuid : ""}\n${lang}\n${value}`;
  const spanOf = ({ start = "", end = "" }: MetadataTimespan) => `${start}\n${end}`;
  const { added, both, removed } = pair(before.timespan ?? [], after.timespan ?? [], spanOf);
  const between = (earlier: MetadataTimespan | undefined, later: MetadataTimespan | undefined): MetadataTimespan => ({
    start: (later ?? earlier)?.start,
    end: (later ?? earlier)?.end,
    field: compareFields(earlier ?? {}, later ?? {}, valueKey),
    group: compareGroups(earlier ?? {}, later ?? {}, valueKey),
  });
  const timespan = [
    ...both.map(([earlier, later]) => between(earlier, later)),
    ...removed.map((earlier) => between(earlier, undefined)),
    ...added.map((later) => between(undefined, later)),
  ].filter(({ field = [], group = [] }) => field.length > 0 || group.length > 0);
  return {
    ...(after.revision === undefined ? {} : { revision: after.revision }),
    ...(timespan.length === 0 ? {} : { timespan }),
  };
}
