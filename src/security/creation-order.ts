import { type ObjectDefinition, objectsIn } from "./object-definition.ts";

export interface CreationOrder {
  /** Objects in an order in which each stands behind all that it refers to. */
  readonly order: readonly ObjectDefinition[];
  /** Objects that refer to each other in a circle, the first of them again at the end; each object in one circle. */
  readonly circles: readonly (readonly ObjectDefinition[])[];
}

/** A file has a few circles at most; beyond that the rest is not looked for. */
const mostCircles = 100;

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
  const settled = new Set<ObjectDefinition>();

  /** Settles these, and all that waits for nothing else. A set that grows while it is walked is walked to its end. */
  function settle(first: Iterable<ObjectDefinition>): readonly ObjectDefinition[] {
    const ready = new Set(first);
    for (const one of ready) settled.add(one);
    for (const one of ready) {
      for (const referrer of referrers.get(one) ?? []) {
        const left = (waiting.get(referrer) ?? 0) - 1;
        waiting.set(referrer, left);
        if (left > 0 || settled.has(referrer)) continue;
        settled.add(referrer);
        ready.add(referrer);
      }
    }
    return [...ready];
  }

  const order = settle([...waiting.keys()].filter((object) => waiting.get(object) === 0));
  const circles: (readonly ObjectDefinition[])[] = [];
  for (const object of waiting.keys()) {
    while (!settled.has(object) && circles.length < mostCircles) {
      const circle = circleFrom(object, settled);
      circles.push(circle);
      settle(circle);
    }
  }
  return { order, circles };
}

/** Every object that cannot be made refers to one that cannot be made: following these leads into a circle. */
function circleFrom(start: ObjectDefinition, made: ReadonlySet<ObjectDefinition>): readonly ObjectDefinition[] {
  const trail = new Set<ObjectDefinition>();
  let at: ObjectDefinition | undefined = start;
  while (at !== undefined && !trail.has(at)) {
    trail.add(at);
    at = objectsIn(at).find((object) => !made.has(object));
  }
  if (at === undefined) return [start];
  const walked = [...trail];
  return [...walked.slice(walked.indexOf(at)), at];
}
