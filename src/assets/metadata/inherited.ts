import type { Definitions } from "../fields/definitions.ts";
import type { FieldEntry, GroupEntry, Metadata, TimespanEntry } from "./model.ts";
import { countedFrom, startOf } from "./time/start-time.ts";
import { timeSpanKey } from "./time/time-span.ts";

/** Metadata of a collection, as it reaches what is in it. */
export interface InheritanceSource {
  /** How answers name it: `Collection/VX-6`, and `Collection` to those who may not find it. */
  readonly origin: string;
  readonly entityKey: number;
  readonly metadata: Metadata;
  /** Its timespans are of the clock that start time codes tell: items show them counted from their own start. */
  readonly absoluteTime?: boolean | undefined;
}

/** What an entity inherits from one source. */
export interface InheritedPart {
  readonly origin: string;
  readonly entityKey: number;
  readonly timespans: readonly TimespanEntry[];
}

function fieldPlace(span: string, field: FieldEntry): string {
  return `${span}\nfield\n${field.name}\n${field.track ?? ""}`;
}

function groupPlace(span: string, group: GroupEntry): string {
  return `${span}\ngroup\n${group.name}`;
}

/**
 * What an entity inherits: fields and groups whose definitions are inherited, each from the first source that has it,
 * and only where the entity has none of its own in the same timespan (and on the same track).
 */
export function inheritedParts(
  own: Metadata,
  sources: readonly InheritanceSource[],
  definitions: Pick<Definitions, "field" | "group">,
): readonly InheritedPart[] {
  const taken = new Set<string>();
  for (const timespan of own.timespans) {
    const span = timeSpanKey(timespan.span);
    for (const field of timespan.fields) taken.add(fieldPlace(span, field));
    for (const group of timespan.groups) taken.add(groupPlace(span, group));
  }
  const parts: InheritedPart[] = [];
  const start = sources.some(({ absoluteTime }) => absoluteTime) ? startOf(own) : undefined;
  for (const { origin, entityKey, metadata, absoluteTime } of sources) {
    const given: string[] = [];
    const timespans: TimespanEntry[] = [];
    for (const timespan of metadata.timespans) {
      const shown = absoluteTime && start !== undefined ? countedFrom(timespan.span, start) : timespan.span;
      const span = timeSpanKey(shown);
      const reaches = (inherited: boolean | undefined, place: string): boolean => {
        if (inherited !== true || taken.has(place)) return false;
        given.push(place);
        return true;
      };
      const fields = timespan.fields.filter((field) =>
        reaches(definitions.field(field.name)?.inheritance, fieldPlace(span, field)),
      );
      const groups = timespan.groups.filter((group) =>
        reaches(definitions.group(group.name)?.inheritance, groupPlace(span, group)),
      );
      if (fields.length > 0 || groups.length > 0) timespans.push({ span: shown, fields, groups });
    }
    for (const place of given) taken.add(place);
    if (timespans.length > 0) parts.push({ origin, entityKey, timespans });
  }
  return parts;
}
