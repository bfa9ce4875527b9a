import type { Change } from "../../store/change.ts";
import { type AccessClass, classesUnder } from "./access-class.ts";
import type { Containers } from "./effective-access.ts";
import type { StoredSet } from "./read-containers.ts";
import { addClass, addReclassification } from "./write-sets.ts";

/** Adds that sets have the class which comes of their placement, with what containers pass on. */
export function reclassify(change: Change, sets: readonly StoredSet[], containers: Containers): void {
  const setsOf = new Map<string, { readonly accessClass: AccessClass; readonly ids: number[] }>();
  const classOf = classesUnder(containers);
  for (const { id, placement } of sets) {
    const accessClass = classOf(placement);
    const known = setsOf.get(accessClass.key);
    if (known === undefined) setsOf.set(accessClass.key, { accessClass, ids: [id] });
    else known.ids.push(id);
  }
  for (const { accessClass, ids } of setsOf.values()) {
    addClass(change, accessClass);
    addReclassification(change, ids, accessClass);
  }
}
