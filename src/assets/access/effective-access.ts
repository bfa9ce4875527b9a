import type { AccessKind } from "../access-port.ts";
import { accessEntityOf, accessKinds } from "./access-entity.ts";
import type { Grant, Placement } from "./access-set.ts";
import { everything, reaches } from "./reach.ts";

/** What stands in the place of an entry when access is worked out: with `id` for lists of what applies. */
export interface Entry extends Grant {
  readonly id?: number;
}

/** A placement whose entries may have ids. */
export interface Place extends Placement {
  readonly grants: readonly Entry[];
}

/** The placements of collections and libraries by their keys; `undefined` for one that does not exist any more. */
export type Containers = (key: number) => Place | undefined;

/** An entry that applies to an entity, and how it comes there. */
export interface AppliedEntry {
  readonly entry: Entry;
  /** The permission that it gives here, 0 to 4: ownership of a container is ALL for what is in it. */
  readonly permission: number;
  /** The entry is that of the owner. */
  readonly owner: boolean;
  /** Steps up to where the entry is; 0 for the entity's own. */
  readonly distance: number;
  /** The collection or library that it comes from. */
  readonly container?: number;
}

const owns = 4;
const all = 3;

/**
 * Every entry that applies to the entities of a placement, the deciding ones first. For a user, of those that name the
 * user or one of the user's groups and are about the operation in question, the first decides, whatever it gives:
 *
 * 1. the entry of the entity's own owner;
 * 2. a higher priority;
 * 3. the entity's own entries, then those of the nearest container;
 * 4. entries for users before entries for groups;
 * 5. entries for the operation's field, tag or kind, then for the operation, then for everything;
 * 6. the higher permission.
 */
export function appliedEntries(place: Place, containers: Containers): readonly AppliedEntry[] {
  const kind = accessEntityOf(place.kind).kind;
  const applied = ofPlace(place, kind, 0);
  for (const { container, distance, above } of containersAbove(place, containers)) {
    applied.push(...ofPlace(above, kind, distance, container));
  }
  return applied.sort(compareApplied);
}

/** A collection or library from which access reaches an entity. */
export interface ContainerAbove {
  readonly container: number;
  /** Steps up to it, by the shortest way. */
  readonly distance: number;
  readonly above: Place;
}

/** The containers from which access reaches the entities of a placement, the nearest first. */
export function containersAbove(place: Placement, containers: Containers): readonly ContainerAbove[] {
  const found: ContainerAbove[] = [];
  const seen = new Set<number>();
  let level = place.parents;
  for (let distance = 1; level.length > 0; distance++) {
    const next: number[] = [];
    for (const container of level) {
      if (seen.has(container)) continue;
      seen.add(container);
      const above = containers(container);
      if (above === undefined) continue;
      found.push({ container, distance, above });
      next.push(...above.parents);
    }
    level = next;
  }
  return found;
}

function ofPlace(place: Place, kind: AccessKind, distance: number, container?: number): AppliedEntry[] {
  const from = container === undefined ? {} : { container };
  const applied: AppliedEntry[] = place.grants
    .filter(({ reach }) => reaches(reach, kind, distance))
    .map((entry) => ({ entry, permission: entry.permission, owner: false, distance, ...from }));
  if (place.owner !== 0 && passesOwnership(place, distance)) {
    const permission = distance === 0 ? owns : all;
    applied.push({ entry: ownersEntry(place.owner), permission, owner: true, distance, ...from });
  }
  return applied;
}

/** Who owns a collection may do everything but own with what is in it; what a library holds was merely found. */
function passesOwnership(place: Place, distance: number): boolean {
  return distance === 0 || place.kind === accessKinds.collection.number;
}

function ownersEntry(owner: number): Entry {
  return { principal: owner, permission: owns, reach: everything, priority: 0, operation: "", grantor: 0 };
}

/** Negative when `a` decides before `b`, 0 when it makes no difference which one is asked. */
export function compareApplied(a: AppliedEntry, b: AppliedEntry): number {
  return (
    Number(ownsItself(b)) - Number(ownsItself(a)) ||
    b.entry.priority - a.entry.priority ||
    a.distance - b.distance ||
    (a.entry.principal & 1) - (b.entry.principal & 1) ||
    exactness(b.entry.operation) - exactness(a.entry.operation) ||
    b.permission - a.permission
  );
}

function ownsItself({ owner, distance }: AppliedEntry): boolean {
  return owner && distance === 0;
}

function exactness(operation: string): number {
  return operation === "" ? 0 : operation.includes(" ") ? 2 : 1;
}
