import { KinoraError } from "../../errors.ts";
import type { AccessKind } from "../access-port.ts";

/** `appliesTo` of an entry, as documents have it. `recursive` absent: true. */
export interface AppliesTo {
  readonly value?: string | undefined;
  readonly recursive?: boolean | undefined;
}

/**
 * To what an entry applies, as bits: 1 the entity itself; 2, 8, 32 the items, collections and libraries directly in it;
 * 4, 16, 64 those further down.
 */
export type Reach = number;

const self = 1;
const direct: Readonly<Record<AccessKind, number>> = { item: 2, collection: 8, library: 32 };
const deep: Readonly<Record<AccessKind, number>> = { item: 4, collection: 16, library: 64 };
const kinds: readonly AccessKind[] = ["item", "collection", "library"];

/** The entity itself and everything in it. */
export const everything: Reach = 127;

/** Whether an entry applies to an entity of a kind, so many steps below the entity that has the entry. */
export function reaches(reach: Reach, kind: AccessKind, distance: number): boolean {
  if (distance === 0) return (reach & self) !== 0;
  return (reach & (distance === 1 ? direct : deep)[kind]) !== 0;
}

/** Whether an entry applies to anything but the entity itself. */
export function reachesFurther(reach: Reach): boolean {
  return (reach & ~self) !== 0;
}

/**
 * The reach that a document asks for: that of `appliesTo`, else of the older `recursive`; without both everything.
 *
 * @throws KinoraError `invalid-input` for an unknown word
 */
export function reachOf(appliesTo: readonly AppliesTo[] | undefined, recursive: boolean | undefined): Reach {
  if (appliesTo === undefined || appliesTo.length === 0) return recursive === false ? self : everything;
  let reach = 0;
  for (const { value, recursive: further = true } of appliesTo) reach |= reachOfWord(value ?? "", further);
  return reach;
}

function reachOfWord(word: string, further: boolean): Reach {
  if (word === "self") return self;
  if (word === "all") return kinds.reduce((reach, kind) => reach | reachOfWord(kind, further), self);
  const kind = kinds.find((one) => one === word);
  if (kind !== undefined) return direct[kind] | (further ? deep[kind] : 0);
  throw new KinoraError("invalid-input", {
    context: "appliesTo",
    value: word.slice(0, 100),
    explanation: "appliesTo is one of self, item, collection, library, all",
  });
}

/** A reach as documents show it. */
export function appliesToOf(reach: Reach): readonly AppliesTo[] {
  if (reach === everything) return [{ value: "all" }];
  const parts: AppliesTo[] = (reach & self) === 0 ? [] : [{ value: "self" }];
  for (const kind of kinds) {
    if ((reach & direct[kind]) !== 0) parts.push({ value: kind, recursive: (reach & deep[kind]) !== 0 });
  }
  return parts;
}
