import type { AccountSections, Plugin, PluginContext } from "../plugin/contract.ts";
import { instanceProblems } from "../plugin/instance-shape.ts";
import { isStandardSchema, unsetValue } from "../plugin/properties.ts";
import type { StandardIssue, StandardSchema } from "../plugin/standard-schema.ts";
import { creationOrder } from "./creation-order.ts";
import {
  belongsToFramework,
  type ObjectDefinition,
  objectsIn,
  type PropertyValue,
  placeOf,
} from "./object-definition.ts";
import type { ObjectGraph } from "./object-graph.ts";
import type { Position } from "./problem.ts";
import { type Redact, reasonOf, redactLog } from "./redact.ts";

/** What plugins have made, by definition; an object that could not be made is missing. */
export type Instances = ReadonlyMap<ObjectDefinition, object>;

export interface MakeInstancesOptions {
  readonly context: (name: string) => PluginContext;
  readonly accounts: AccountSections;
  readonly redact: Redact;
  /** Milliseconds for all of them together. */
  readonly timeoutMs: number;
}

/**
 * Has the plugins make their objects, each after those that it refers to and otherwise all at once. What throws, does
 * not end in time or returns something else than its kind is an error that names object and plugin.
 */
export async function makeInstances(
  wanted: Iterable<ObjectDefinition>,
  graph: ObjectGraph,
  options: MakeInstancesOptions,
): Promise<Instances> {
  const needed = withReferences(wanted);
  const { order } = creationOrder(needed);
  const makings = new Map<ObjectDefinition, Promise<object | undefined>>();
  const running = new Set<ObjectDefinition>();
  const made = new Map<ObjectDefinition, object>();
  let ended = false;

  for (const object of order) {
    const { plugin } = object;
    if (plugin === undefined) continue;
    const making = async (): Promise<object | undefined> => {
      const parts = await Promise.all(objectsIn(object).map((part) => makings.get(part)));
      if (graph.broken.has(object) || parts.includes(undefined)) return undefined;
      running.add(object);
      const instance = await make(object, plugin, made, graph, options);
      running.delete(object);
      if (instance !== undefined && !ended) made.set(object, instance);
      return instance;
    };
    makings.set(object, making());
  }

  await withinTime(Promise.all(makings.values()), options.timeoutMs);
  ended = true;
  for (const object of running) {
    fail(
      object,
      graph,
      `did not finish within ${options.timeoutMs / 1000} s`,
      "Let create return, or do its work in start",
    );
  }
  return made;
}

function withReferences(wanted: Iterable<ObjectDefinition>): ReadonlySet<ObjectDefinition> {
  const needed = new Set(wanted);
  // A set that grows while it is walked is walked to its end.
  for (const object of needed) for (const part of objectsIn(object)) needed.add(part);
  return needed;
}

async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

async function make(
  object: ObjectDefinition,
  plugin: Plugin,
  made: Instances,
  graph: ObjectGraph,
  options: MakeInstancesOptions,
): Promise<object | undefined> {
  try {
    const properties = await propertiesFor(object, plugin, made, graph, options.redact);
    if (properties === undefined) return undefined;
    const instance: unknown = await plugin.create(properties as never, contextFor(object, plugin, options));
    const faults = instanceProblems(plugin.kind, instance);
    if (faults.length === 0) return instance as object;
    graph.problems.error(placeOf(object), {
      code: "plugin-shape",
      message: `What the plugin ${plugin.names[0]} made for ${object.name} ${faults.join(", ")}`,
      fix: "Correct the plugin; the contract is in kinora/plugin",
    });
  } catch (error) {
    const several = error instanceof AggregateError && error.errors.length > 0;
    for (const one of several ? error.errors : [error]) failCreation(object, graph, one, options.redact);
  }
  return undefined;
}

/** What an error of `create` says, where it names a property of the file at that line. */
function failCreation(object: ObjectDefinition, graph: ObjectGraph, error: unknown, redact: Redact): void {
  const { property, fix } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  const set = typeof property === "string" ? object.set.get(property) : undefined;
  const advice = typeof fix === "string" ? redact(fix) : "Correct the properties of the object, or the plugin";
  fail(object, graph, `failed: ${reasonOf(error, redact)}`, advice, set?.at);
}

function fail(object: ObjectDefinition, graph: ObjectGraph, how: string, fix: string, at?: Position): void {
  const message = `Making ${object.name} by the plugin ${object.plugin?.names[0]} ${how}`;
  graph.problems.error(at ?? placeOf(object), { code: "plugin-failed", message, fix });
}

function contextFor(object: ObjectDefinition, plugin: Plugin, options: MakeInstancesOptions): PluginContext {
  const context = options.context(object.name);
  const log = redactLog(context.log, options.redact);
  return plugin.sections ? { ...context, log, accounts: options.accounts } : { ...context, log };
}

/** The properties for `create`; `undefined` after reporting what a Standard Schema has found wrong. */
async function propertiesFor(
  object: ObjectDefinition,
  plugin: Plugin,
  made: Instances,
  graph: ObjectGraph,
  redact: Redact,
): Promise<unknown> {
  const { properties: schema } = plugin;
  if (schema !== undefined && isStandardSchema(schema)) return validated(object, schema, made, graph, redact);
  const properties: Record<string, unknown> = {};
  for (const property of new Set(object.declared?.values())) {
    if (belongsToFramework(object, property.name)) continue;
    const set = object.set.get(property.name);
    const value = set === undefined ? undefined : resolved(set.value, made);
    properties[property.name] = value === undefined ? unsetValue(property) : value;
  }
  return properties;
}

async function validated(
  object: ObjectDefinition,
  schema: StandardSchema<unknown, unknown>,
  made: Instances,
  graph: ObjectGraph,
  redact: Redact,
): Promise<unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, { value }] of object.set) {
    if (belongsToFramework(object, name)) continue;
    const plain = resolved(value, made);
    if (plain !== undefined) input[name] = plain instanceof Map ? Object.fromEntries(plain) : plain;
  }
  const read = new Set<PropertyKey>();
  const watched = new Proxy(input, {
    get: (target, name, receiver) => {
      read.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
  const result = await schema["~standard"].validate(watched);
  for (const issue of result.issues ?? []) {
    const name = nameIn(issue);
    graph.problems.error(object.set.get(name ?? "")?.at ?? object.at, {
      code: "bad-value",
      message: `${redact(issue.message)} (${name === undefined ? "" : `property ${name} of `}${object.name})`,
      fix: "Correct the value",
    });
  }
  // Schemas drop keys that they do not know, each in its own way; what none of them does is to read them.
  const ignored = Object.keys(input).filter((name) => !read.has(name));
  for (const name of ignored) {
    graph.problems.error(object.set.get(name)?.at ?? object.at, {
      code: "unknown-property",
      message: `${object.name} has no property ${name}`,
      fix: "Remove the line, or correct the name",
    });
  }
  if (result.issues !== undefined || ignored.length > 0) return undefined;
  return result.value === watched ? input : result.value;
}

function nameIn({ path }: StandardIssue): string | undefined {
  const first = path?.[0];
  if (first === undefined) return undefined;
  return String(typeof first === "object" ? first.key : first);
}

function resolved(value: PropertyValue, made: Instances): unknown {
  switch (value.kind) {
    case "plain":
      return value.value;
    case "object":
      return made.get(value.object);
    case "objects":
      return value.objects.map((object) => made.get(object));
  }
}
