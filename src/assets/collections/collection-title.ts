import type { Metadata } from "../metadata/model.ts";
import { isGeneric } from "../metadata/time/time-span.ts";

/** The metadata field that is the name of a collection. */
export const titleField = "title";

/** The name of a collection: the first value of its untimed title. */
export function titleOf({ timespans }: Metadata): string | undefined {
  const generic = timespans.find(({ span }) => isGeneric(span));
  return generic?.fields.find(({ name }) => name === titleField)?.values[0]?.text;
}
