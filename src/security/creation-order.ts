import { type ObjectDefinition, objectsIn } from "./object-definition.ts";

export interface CreationOrder {
  /** Objects in an order in which each stands behind all that it refers to. */
  readonly order: readonly ObjectDefinition[];
  /** Objects that refer to each other in a circle, the first of them again at the end; empty when there is none. */
  readonly circle: readonly ObjectDefinition[];
}

/** Orders objects by their references. Takes time linear in objects and references. */
export function creationOrder(objects: Iterable<ObjectDefinition>): CreationOrder {
  const waiting = new Map<ObjectDefinition, number>();
  const referrers = new Map<ObjectDefinition, ObjectDefinition[]>();
  for (const object of objects) {
    const referred = objectsIn(object);
    waiting.set(object, referred.length);
    for (const one of referred) {
      const known = referrers.get(one);
      if (known === undefined) referrers.set(one, [object]);
      else known.push(object);
    }
  }
  const order = [...waiting.keys()].filter((object) => waiting.get(object) === 0);
  for (const made of order) {
    for (const referrer of referrers.get(made) ?? []) {
      const left = (waiting.get(referrer) ?? 0) - 1;
      waiting.set(referrer, left);
      if (left === 0) order.push(referrer);
    }
  }
  const made = new Set(order);
  const stuck = [...waiting.keys()].find((object) => !made.has(object));
  return { order, circle: stuck === undefined ? [] : circleFrom(stuck, made) };
}

/** Every object that cannot be made refers to one that cannot be made: following these leads into a circle. */
function circleFrom(start: ObjectDefinition, made: ReadonlySet<ObjectDefinition>): readonly ObjectDefinition[] {
  const trail = new Set<ObjectDefinition>();
  let at: ObjectDefinition | undefined = start;
  while (at !== undefined && !trail.has(at)) {
    trail.add(at);
    at = objectsIn(at).find((object) => !made.has(object));
  }
  if (at === undefined) return [];
  const walked = [...trail];
  return [...walked.slice(walked.indexOf(at)), at];
}
