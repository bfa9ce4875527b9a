import type { Filter, InstanceOf, Plugin, PluginContext, PluginKind, Realm } from "../contract.ts";
import { instanceProblems } from "../instance-shape.ts";
import { pluginProblems } from "../plugin-shape.ts";
import { convertText, declaredProperties, isStandardSchema, unsetValue } from "../properties.ts";
import type { StandardSchema } from "../standard-schema.ts";
import { createTestContext } from "./context.ts";

/**
 * Properties as `security.ini` would set them: texts are converted as there, other values (an object for a reference, a
 * map) are handed on as they are.
 */
export type TestProperties = Readonly<Record<string, unknown>>;

/**
 * Makes a realm as the server does, properties checked.
 *
 * @throws Error that says what is wrong with the plugin, a property or the realm
 */
export async function createRealm(
  plugin: Plugin,
  properties: TestProperties = {},
  context: PluginContext = createTestContext(),
): Promise<Realm> {
  return createInstance("realm", plugin, properties, context);
}

/**
 * Makes a filter as the server does, properties checked.
 *
 * @throws Error that says what is wrong with the plugin, a property or the filter
 */
export async function createFilter(
  plugin: Plugin,
  properties: TestProperties = {},
  context: PluginContext = createTestContext(),
): Promise<Filter> {
  return createInstance("filter", plugin, properties, context);
}

/** Makes an instance of any kind as the server does. */
export async function createInstance<K extends PluginKind>(
  kind: K,
  plugin: Plugin,
  properties: TestProperties,
  context: PluginContext,
): Promise<InstanceOf[K]> {
  const wrong = pluginProblems(plugin);
  if (wrong.length > 0) throw new Error(`The plugin ${wrong.join(", and ")}`);
  if (plugin.kind !== kind) throw new Error(`The plugin is of kind ${plugin.kind}, not ${kind}`);
  const values = await readProperties(plugin, properties);
  const instance = await (plugin.create as (values: unknown, context: PluginContext) => unknown)(values, context);
  const faults = instanceProblems(kind, instance);
  if (faults.length > 0) throw new Error(`What create returns ${faults.join(", and ")}`);
  return instance as InstanceOf[K];
}

async function readProperties({ properties: schema }: Plugin, given: TestProperties): Promise<unknown> {
  if (schema !== undefined && isStandardSchema(schema)) return validated(schema, given);
  const declared = declaredProperties(schema) ?? new Map();
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const property = declared.get(name);
    if (property === undefined) throw new Error(`There is no property ${name}`);
    const converted = typeof value === "string" ? convertText(property, value) : { value };
    if ("fault" in converted) throw new Error(`Property ${name}: ${converted.fault}`);
    values[property.name] = converted.value;
  }
  for (const property of declared.values()) {
    if (Object.hasOwn(values, property.name)) continue;
    if (property.required) throw new Error(`Property ${property.name} must be set`);
    values[property.name] = unsetValue(property);
  }
  return values;
}

async function validated(schema: StandardSchema<unknown, unknown>, given: TestProperties): Promise<unknown> {
  const result = await schema["~standard"].validate(given);
  if (result.issues) throw new Error(`Properties: ${result.issues.map((issue) => issue.message).join(", ")}`);
  return result.value;
}
