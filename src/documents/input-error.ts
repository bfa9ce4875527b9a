import { KinoraError } from "../errors.ts";
import { nearestName } from "../nearest-name.ts";
import { inWords, type Place } from "../xml/xml-error.ts";
import type { Member, ObjectPlan } from "./plan.ts";

const shownLength = 100;

/** A text from the client in an error's sentence: short, and in quotes that show where it ends. */
export function shown(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}

/** 400 for a name that the type does not have, with the nearest one that it has. */
export function unknownName(
  what: "element" | "attribute" | "key",
  name: string,
  owner: string,
  known: Iterable<string>,
  place: Place,
): KinoraError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined || nearest === name ? "" : `; did you mean ${nearest}?`;
  return new KinoraError("unknown-element", {
    context: owner,
    explanation: `The ${what} ${shown(name)} is not known in ${owner}${hint} ${inWords(place)}`,
    value: name.slice(0, shownLength),
  });
}

/** 400 for a value that is not of its type. */
export function wrongValue(name: string, owner: string, expected: string, value: string, place: Place): KinoraError {
  return new KinoraError("invalid-value", {
    context: owner,
    explanation: `${name} in ${owner} must be ${expected}, not ${shown(value)} ${inWords(place)}`,
    value: value.slice(0, shownLength),
  });
}

/** 400 for a document whose parts do not fit together. */
export function wrongStructure(owner: string, problem: string, place: Place): KinoraError {
  return new KinoraError("invalid-input", { context: owner, explanation: `${problem} ${inWords(place)}` });
}

/** Checks what can be judged only when a value is complete: required members, list bounds, choices. */
export function checkComplete(
  plan: ObjectPlan,
  owner: string,
  value: Readonly<Record<string, unknown>>,
  place: () => Place,
): void {
  for (const { name } of plan.required) {
    if (value[name] === undefined) throw wrongStructure(owner, `${owner} must have ${name}`, place());
  }
  for (const member of plan.members) {
    if (member.maximum !== undefined || member.minimum > 1) checkCount(member, owner, value[member.name], place);
  }
  for (const group of plan.choices) {
    const given = group.filter(({ name }) => value[name] !== undefined).map(({ name }) => name);
    if (given.length > 1) {
      throw wrongStructure(owner, `${owner} may have only one of ${given.join(" and ")}`, place());
    }
    if (given.length === 0 && group[0]?.choice?.required === true) {
      const names = group.map(({ name }) => name).join(", ");
      throw wrongStructure(owner, `${owner} must have one of ${names}`, place());
    }
  }
}

function checkCount(member: Member, owner: string, value: unknown, place: () => Place): void {
  if (!Array.isArray(value)) return;
  const { name, minimum, maximum } = member;
  if (value.length >= minimum && value.length <= (maximum ?? value.length)) return;
  const rule = minimum === maximum ? `exactly ${minimum}` : `${minimum} to ${maximum ?? "any number of"}`;
  throw wrongStructure(owner, `${owner} must have ${rule} of ${name}, not ${value.length}`, place());
}
