import { positionStep } from "./member.ts";

/** Where something is put: before or behind another member, else behind all. */
export interface Place {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The order of members while it is being edited. Every step costs the same, however many there are. */
export interface MemberOrder {
  has(key: number): boolean;
  /** Puts a member to its place; one that is there already goes there. The place must be among the members. */
  put(key: number, place: Place): void;
  remove(key: number): void;
  /** The positions of the members that are new or lie otherwise. */
  positions(): ReadonlyMap<number, number>;
}

/** Stands before the first and behind the last; no key is 0. */
const ends = 0;

/** Begins with members in their order. */
export function memberOrder(members: readonly { readonly key: number; readonly position: number }[]): MemberOrder {
  const next = new Map<number, number>();
  const previous = new Map<number, number>();
  const positions = new Map(members.map(({ key, position }) => [key, position]));
  const placed = new Set<number>();
  link(ends, ends);
  for (const { key } of members) insert(key, ends);

  function link(a: number, b: number): void {
    next.set(a, b);
    previous.set(b, a);
  }

  /** Puts a node before another. */
  function insert(key: number, behind: number): void {
    link(previous.get(behind) ?? ends, key);
    link(key, behind);
  }

  function remove(key: number): void {
    const [before, behind] = [previous.get(key), next.get(key)];
    if (before === undefined || behind === undefined) return;
    link(before, behind);
    next.delete(key);
    previous.delete(key);
    placed.delete(key);
  }

  return {
    has: (key) => next.has(key),
    remove,
    put(key, { before, after }) {
      if (before === key || after === key) return;
      remove(key);
      insert(key, before ?? (after === undefined ? ends : (next.get(after) ?? ends)));
      placed.add(key);
    },
    positions() {
      const order: number[] = [];
      for (let node = next.get(ends) ?? ends; node !== ends; node = next.get(node) ?? ends) order.push(node);
      return newPositions(order, (key) => (placed.has(key) ? undefined : positions.get(key)));
    },
  };
}

/**
 * Positions for those that have none yet, between those that have; when there is no room left somewhere, new positions
 * for all.
 *
 * @param fixed the position of a member that stays where it is
 */
export function newPositions(
  order: readonly number[],
  fixed: (key: number) => number | undefined,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let low: number | undefined;
  let run: number[] = [];
  for (const key of [...order, undefined]) {
    const high = key === undefined ? undefined : fixed(key);
    if (key !== undefined && high === undefined) {
      run.push(key);
      continue;
    }
    if (low !== undefined && high !== undefined && high - low <= run.length) return evenly(order);
    const [first, step] = spread(low, high, run.length);
    for (const [index, one] of run.entries()) found.set(one, first + step * index);
    run = [];
    low = high;
  }
  return found;
}

/** Where the first of so many goes, and how far apart they lie. */
function spread(low: number | undefined, high: number | undefined, count: number): readonly [number, number] {
  if (low !== undefined && high !== undefined) {
    const step = Math.floor((high - low) / (count + 1));
    return [low + step, step];
  }
  if (high !== undefined) return [high - positionStep * count, positionStep];
  return [(low ?? 0) + positionStep, positionStep];
}

function evenly(order: readonly number[]): ReadonlyMap<number, number> {
  return new Map(order.map((key, index) => [key, (index + 1) * positionStep]));
}
