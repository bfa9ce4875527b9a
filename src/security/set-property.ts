import type { DeclaredProperty } from "../plugin/properties.ts";
import { trim } from "../plugin/value-list.ts";
import type { IniEntry } from "./ini.ts";
import { whyNotOffered } from "./not-offered.ts";
import { declarationOf, type ObjectDefinition } from "./object-definition.ts";
import type { ObjectGraph } from "./object-graph.ts";
import {
  expectation,
  type Faults,
  type Find,
  fault,
  literalOf,
  type ReadValue,
  readFreeValue,
  readValue,
  type WrittenValue,
} from "./property-value.ts";
import { perhaps } from "./suggest.ts";

/** Sets the property that a path names: `property`, `reference.property`, `map[key]`, `list[index]`. */
export function setProperty(
  object: ObjectDefinition,
  path: string,
  written: WrittenValue,
  entry: IniEntry,
  graph: ObjectGraph,
): void {
  const target = resolve(object, path, entry, graph);
  if (target === undefined) return;
  const { owner, property, name, key } = target;
  owner.touched = true;
  const value = key === undefined ? readWhole(property, written, graph) : readElement(target, key, written);
  if (value.kind === "faults") {
    graph.broken.add(owner);
    for (const { code, message, offset } of value.faults) {
      if (graph.problems.isFull()) break;
      graph.problems.error(entry.valueAt(offset), {
        code,
        message: `${message} (property ${name} of ${owner.name})`,
        fix: property === undefined ? "Correct the value" : expectation(property),
      });
    }
    return;
  }
  if (value.kind === "object") value.object.touched = true;
  if (value.kind === "objects") for (const one of value.objects) one.touched = true;
  owner.set.set(name, { at: entry.at, value });
}

/** `shiro.property = value`: sets it on every object above that has it. */
export function setEverywhere(path: string, written: WrittenValue, entry: IniEntry, graph: ObjectGraph): void {
  const owners = [...graph.objects.values()].filter((object) => object.declared?.has(path));
  for (const owner of owners) setProperty(owner, path, written, entry, graph);
  if (owners.length > 0) return;
  const refusal = whyNotOffered(path);
  graph.problems.error(entry.at, {
    code: refusal === undefined ? "unknown-property" : "not-offered",
    message: `None of the objects above this line has a property ${path.slice(0, 100)}`,
    fix: refusal ?? "Set the property on the object that is meant: name.property = value",
  });
}

interface Target {
  readonly owner: ObjectDefinition;
  /** `undefined` when only a Standard Schema knows it. */
  readonly property: DeclaredProperty | undefined;
  readonly name: string;
  readonly key: string | undefined;
}

/** Follows a path over references that are set, to the object and property that it names. */
function resolve(start: ObjectDefinition, whole: string, entry: IniEntry, graph: ObjectGraph): Target | undefined {
  let object = start;
  let path = whole;
  for (;;) {
    const bracket = path.endsWith("]") ? path.indexOf("[") : -1;
    const name = bracket < 0 ? path : trim(path.slice(0, bracket));
    const key = bracket < 0 ? undefined : trim(path.slice(bracket + 1, -1));
    const property = declarationOf(object, name);
    if (property !== undefined) return { owner: object, property, name: property.name, key };
    if (object.declared === undefined && name !== "") return { owner: object, property: undefined, name, key };

    const reference = referenceIn(object, path);
    if (reference === undefined) {
      complainOfUnknown(object, name, entry, graph);
      return undefined;
    }
    const value = object.set.get(reference.name)?.value;
    if (value?.kind !== "object") {
      graph.problems.error(entry.at, {
        code: "unknown-object",
        message: `The property ${reference.name} of ${object.name} is not set to an object above this line`,
        fix: "Set it above, or set the property on the object itself",
      });
      return undefined;
    }
    object = value.object;
    path = path.slice(reference.name.length + 1);
  }
}

/** The reference property that a longer path begins with. */
function referenceIn(object: ObjectDefinition, path: string): DeclaredProperty | undefined {
  for (const property of object.declared?.values() ?? []) {
    if (property.type === "reference" && path.startsWith(`${property.name}.`)) return property;
  }
  return undefined;
}

function complainOfUnknown(object: ObjectDefinition, name: string, entry: IniEntry, graph: ObjectGraph): void {
  const refusal = whyNotOffered(name);
  const nearest = graph.suggest(name, object.declared?.keys() ?? []);
  const known = [...new Set([...(object.declared?.values() ?? [])].map((property) => property.name))];
  graph.problems.error(entry.at, {
    code: refusal === undefined ? "unknown-property" : "not-offered",
    message: name === "" ? "The line names no property" : `${object.name} has no property ${name.slice(0, 100)}`,
    fix:
      refusal ??
      (nearest !== undefined
        ? `Perhaps ${nearest} is meant`
        : known.length === 0
          ? "Remove the line: the object has no properties"
          : `Its properties are ${known.join(", ")}`),
  });
}

function readWhole(property: DeclaredProperty | undefined, written: WrittenValue, graph: ObjectGraph): ReadValue {
  const find: Find = (name) => graph.objects.get(name) ?? complaintOf(name, graph);
  return property === undefined ? readFreeValue(written, find) : readValue(property, written, find);
}

/** What is wrong with a reference to nothing; nothing new when the definition of the object has failed. */
function complaintOf(name: string, { objects, failed, suggest }: ObjectGraph): Faults {
  if (failed.has(name)) return { kind: "faults", faults: [] };
  const hint = perhaps(suggest(name, objects.keys()));
  return fault("unknown-object", `No object named ${name.slice(0, 100)} is defined above this line${hint}`);
}

/** `map[key] = value`, or `list[index] = value` for an index that is there already. */
function readElement({ owner, property, name }: Target, key: string, written: WrittenValue): ReadValue {
  const literal = literalOf(written.filled)(written.text === '""' && !written.filled ? "" : written.text);
  if ("fault" in literal) return fault("bad-value", literal.fault);
  const before = owner.set.get(name)?.value;
  const plain = before?.kind === "plain" ? before.value : undefined;

  // The collection is this graph's own and grows in place: copies would make long files cost their length squared.
  if (property?.type === "map" || (property === undefined && !Array.isArray(plain))) {
    const map = plain instanceof Map ? plain : new Map<string, unknown>();
    return { kind: "plain", value: map.set(key, literal.value) };
  }
  if (property?.type !== "list" || !Array.isArray(plain)) {
    return fault("bad-value", "The property is neither a map nor a list with elements");
  }
  if (!/^\d+$/.test(key) || Number(key) >= plain.length) {
    return fault("bad-value", "The list has no such element");
  }
  plain[Number(key)] = literal.value;
  return { kind: "plain", value: plain };
}
