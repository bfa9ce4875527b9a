import { trim } from "../plugin/value-list.ts";
import { creationOrder } from "./creation-order.ts";
import type { IniEntry } from "./ini.ts";
import { interpolate } from "./interpolation.ts";
import { whyNotOffered } from "./not-offered.ts";
import { declarationOf, defineObject, type ObjectDefinition, secretProperty } from "./object-definition.ts";
import { type ObjectGraph, valueError } from "./object-graph.ts";
import { setEverywhere, setProperty } from "./set-property.ts";

/**
 * Reads the object graph of `[main]`: `name = Class` (or `name.class = Class`) defines an object, `name.property =
 * value` sets a property of an object defined above, `shiro.property = value` sets it on every object that is there so
 * far and has it.
 */
export async function readMain(entries: readonly IniEntry[], graph: ObjectGraph): Promise<void> {
  for (const entry of entries) {
    if (graph.problems.isFull()) return;
    await readStatement(entry, graph);
  }
  checkRequired(graph);
  checkCircles(graph);
}

async function readStatement(entry: IniEntry, graph: ObjectGraph): Promise<void> {
  const dot = entry.key.indexOf(".");
  const name = dot < 0 ? entry.key : trim(entry.key.slice(0, dot));
  const path = dot < 0 ? "class" : trim(entry.key.slice(dot + 1));
  const object = graph.objects.get(name);
  if (path !== "class") hideSecret(object, path, entry, graph);

  const { text, filled, faults } = await interpolate(entry.value, graph.lookUps);
  for (const { offset, message, fix } of faults) {
    graph.problems.error(entry.valueAt(offset), { code: "interpolation", message, fix });
  }
  if (filled) graph.secrets.add(text);
  if (faults.length > 0) {
    if (path === "class") graph.failed.add(name);
    else if (object !== undefined) graph.broken.add(object);
  } else if (path === "class") {
    define(name, text, entry, graph);
  } else if (name === "shiro") {
    setEverywhere(path, { text, filled }, entry, graph);
  } else if (object !== undefined) {
    setProperty(object, path, { text, filled }, entry, graph);
  } else if (!graph.failed.has(name)) {
    complainOfUnknown(name, entry, graph);
  }
}

/**
 * Keeps the value of a secret property out of every message. That of a property which does not exist is kept out of the
 * list of problems: it may be a misspelt secret.
 */
function hideSecret(object: ObjectDefinition | undefined, path: string, entry: IniEntry, graph: ObjectGraph): void {
  const name = path.replace(/\[.*$/s, "");
  const exists = object !== undefined && (object.declared === undefined || declarationOf(object, name) !== undefined);
  const secret = exists && secretProperty(object, name);
  if (secret || /password|secret|token/i.test(name)) graph.secrets.add(entry.value);
  if (exists && !secret) return;
  const first = entry.at.line;
  const last = entry.valueAt(entry.value.length - 1).line;
  for (let line = first; line <= last; line++) graph.problems.hide(line, line === first ? `${entry.key} = …` : "…");
}

function define(name: string, className: string, entry: IniEntry, graph: ObjectGraph): void {
  const { objects, problems, registry, suggest } = graph;
  const earlier = objects.get(name);
  if (earlier?.kind === "framework" || name === "shiro") {
    problems.error(entry.at, {
      code: "redefined-object",
      message: `${name} is a part of the framework itself`,
      fix: "Set its properties, or choose another name for your object",
    });
    return;
  }
  if (earlier !== undefined && (earlier.touched || !earlier.predefined)) {
    problems.error(entry.at, {
      code: "redefined-object",
      message: `The object ${name} was used before this line defines it`,
      fix: "Define an object once, above all lines that use it",
    });
    return;
  }
  const found = registry.find(className);
  // Deleted first, so that an object that takes a predefined one's name stands where its line stands.
  objects.delete(name);
  if ("kind" in found) {
    objects.set(name, defineObject(name, found, entry.at));
    return;
  }
  graph.failed.add(name);
  const refusal = className.startsWith("$") ? "Write the name of a plugin, not $name" : whyNotOffered(className);
  const nearest =
    found.code === "refused-class"
      ? undefined
      : (suggest(className, registry.names) ??
        suggest(className.slice(className.lastIndexOf(".") + 1), registry.names));
  valueError(graph, entry, {
    code: refusal === undefined ? found.code : "not-offered",
    message: `${found.message}: ${entry.value.slice(0, 100)}`,
    fix: refusal ?? (nearest === undefined ? found.fix : `Perhaps ${nearest} is meant`),
  });
}

function complainOfUnknown(name: string, entry: IniEntry, graph: ObjectGraph): void {
  const refusal = whyNotOffered(name);
  const nearest = graph.suggest(name, graph.objects.keys());
  graph.problems.error(entry.at, {
    code: refusal === undefined ? "unknown-object" : "not-offered",
    message: `No object named ${name.slice(0, 100)} is defined above this line`,
    fix: refusal ?? (nearest === undefined ? "Write above: name = ClassName" : `Perhaps ${nearest} is meant`),
  });
}

function checkRequired({ objects, problems }: ObjectGraph): void {
  for (const object of objects.values()) {
    if (object.predefined && !object.touched) continue;
    for (const property of new Set(object.declared?.values())) {
      if (!property.required || object.set.has(property.name)) continue;
      problems.error(object.at, {
        code: "missing-property",
        message: `The property ${property.name} of ${object.name} must be set`,
        fix: `Add: ${object.name}.${property.name} = value`,
      });
    }
  }
}

/** An object is made after those that it refers to, so that a circle of references cannot be made. */
function checkCircles({ objects, problems }: ObjectGraph): void {
  for (const circle of creationOrder(objects.values()).circles) {
    const [first] = circle;
    if (first === undefined) continue;
    const named = circle.length > 20 ? [...circle.slice(0, 10), ...circle.slice(-10)] : circle;
    problems.error([...first.set.values()].at(-1)?.at ?? first.at, {
      code: "reference-cycle",
      message: `Objects refer to each other in a circle: ${named.map(({ name }) => name).join(" → ")}`,
      fix: "Remove one of these references",
    });
  }
}
