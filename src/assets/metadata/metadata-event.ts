import type { Change } from "../../store/change.ts";
import type { Difference } from "./difference.ts";
import { kindNames, type MetadataEnvironment } from "./metadata-environment.ts";
import type { WrittenEntity } from "./metadata-write.ts";
import { type ChangeStamp, type Metadata, type PlacedValue, valuesOf } from "./model.ts";
import type { TimeSpan } from "./time/time-span.ts";

/** A value that a write added, changed or took away: what triggers select by. */
export interface TouchedValue {
  readonly field: string;
  /** Names of the groups around it, outermost first. */
  readonly groups: readonly string[];
  readonly span: TimeSpan;
  readonly track?: string;
  readonly language?: string;
  /** As it is now; absent when it is gone. */
  readonly text?: string;
}

/** What the event of a metadata write tells beyond its keys. */
export interface MetadataEventDetail {
  readonly kind: WrittenEntity["kind"];
  readonly touched: readonly TouchedValue[];
}

function touched({ field, groups, span, value }: PlacedValue, isGone: boolean): TouchedValue {
  return {
    field: field.name,
    groups: groups.map((group) => group.name),
    span,
    ...(field.track === undefined ? {} : { track: field.track }),
    ...(value.language === undefined ? {} : { language: value.language }),
    ...(isGone ? {} : { text: value.text }),
  };
}

/**
 * Records that metadata was written: the entity, the change set, and one key for each field that changed with the values
 * that it has now; a field that has none left has an empty text.
 */
export function recordWrite(
  { ids }: Pick<MetadataEnvironment, "ids">,
  change: Change,
  entity: WrittenEntity,
  changeSet: ChangeStamp,
  step: Pick<Difference, "added" | "removed">,
  after: Metadata,
): void {
  const { event, idKey } = kindNames[entity.kind];
  const id = ids.format(entity.serial);
  const names = new Set([...step.added, ...step.removed].map(({ field }) => field.name));
  const fields = new Map<string, string[]>([...names].map((name) => [name, []]));
  for (const { field, value } of valuesOf(after.timespans)) fields.get(field.name)?.push(value.text);
  const keys: Record<string, string | readonly string[]> = {};
  for (const [name, values] of fields) keys[name] = values.length > 1 ? values : (values[0] ?? "");
  const added = new Set(step.added.map(({ value }) => value.entry));
  const detail: MetadataEventDetail = {
    kind: entity.kind,
    touched: [
      ...step.added.map((value) => touched(value, false)),
      ...step.removed.filter(({ value }) => !added.has(value.entry)).map((value) => touched(value, true)),
    ],
  };
  change.record({
    entity: event,
    action: "MODIFY",
    entityId: id,
    // The identifiers go last: no field is called so but those of the service.
    keys: { ...keys, [idKey]: id, changeSetId: ids.format(changeSet.id) },
    detail,
  });
}
