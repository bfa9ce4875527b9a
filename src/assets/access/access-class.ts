import {
  type AppliedEntry,
  appliedEntries,
  type Containers,
  compareApplied,
  containersAbove,
  type Place,
} from "./effective-access.ts";

/** What one principal is given: principal, operation, grantor, grade. */
export type Reader = readonly [principal: number, operation: string, grantor: number, grade: number];

/** What comes of a placement: who may do what. Placements with the same outcome share one class. */
export interface AccessClass {
  /** The readers in JSON. */
  readonly key: string;
}

/** The bits of a grade below this are the permission; those above say how early the entry decides. */
const gradeStep = 8;

/**
 * The class of a placement. A grade is the rank of the entry in the order of decision, times 8, plus the permission; so
 * the highest grade among a subject's principals decides. Of entries that differ in nothing but their place in that
 * order, only the first is kept.
 */
export function accessClassOf(place: Place, containers: Containers): AccessClass {
  const deciding = new Map<string, AppliedEntry>();
  for (const applied of appliedEntries(place, containers)) {
    const { principal, operation, grantor } = applied.entry;
    const who = JSON.stringify([principal, operation, grantor]);
    if (!deciding.has(who)) deciding.set(who, applied);
  }
  const entries = [...deciding.values()];
  const ranks = ranksOf(entries);
  const readers = entries.map(({ entry, permission }, index): Reader => {
    return [entry.principal, entry.operation, entry.grantor, (ranks[index] ?? 0) * gradeStep + permission];
  });
  const texts = readers.map((reader) => JSON.stringify(reader)).sort();
  return { key: `[${texts.join(",")}]` };
}

/** Works out the classes of many placements below the same containers. */
export type ClassOf = (place: Place) => AccessClass;

/**
 * Makes what works out classes, and does so once for placements to which the same comes from the same distances: below one
 * collection with a hundred thousand others in it that is nearly all of them.
 */
export function classesUnder(containers: Containers): ClassOf {
  const known = new Map<string, AccessClass>();
  const passed = new Map<Place, string>();
  const passedBy = (place: Place) => {
    const text = passed.get(place) ?? JSON.stringify([place.kind, place.owner, place.grants]);
    passed.set(place, text);
    return text;
  };
  return (place) => {
    const parts = [passedBy(place)];
    for (const { distance, above } of containersAbove(place, containers)) parts.push(`${distance} ${passedBy(above)}`);
    const everything = parts.join("\n");
    const accessClass = known.get(everything) ?? accessClassOf(place, containers);
    known.set(everything, accessClass);
    return accessClass;
  };
}

/** Counted from the last up, so that a class does not tell from how far its entries come. */
function ranksOf(entries: readonly AppliedEntry[]): readonly number[] {
  const ranks: number[] = [];
  let rank = 1;
  for (let index = entries.length - 1; index >= 0; index--) {
    const [entry, behind] = [entries[index], entries[index + 1]];
    if (entry !== undefined && behind !== undefined && compareApplied(entry, behind) !== 0) rank += 1;
    ranks[index] = rank;
  }
  return ranks;
}
