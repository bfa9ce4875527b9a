import type { Plugin, PluginKind } from "../contract.ts";
import { pluginProblems } from "../plugin-shape.ts";
import { isStandardSchema } from "../properties.ts";
import type { Checks } from "./check.ts";
import type { TestProperties } from "./instance.ts";

/** A property that no plugin has. */
const unknownProperty = "aPropertyThatNobodyHas";

/** Looks at what a plugin declares of itself. */
export async function checkPluginShape(
  checks: Checks,
  kind: PluginKind,
  plugin: Plugin,
  properties: TestProperties,
): Promise<void> {
  await checks.run(`is a plugin of the kind ${kind}`, () => {
    const problems = pluginProblems(plugin);
    if (problems.length > 0) return `The plugin ${problems.join(", and ")}`;
    return plugin.kind === kind ? undefined : `Its kind is ${plugin.kind}`;
  });
  await checks.run("refuses a property that it does not have", async () => {
    const schema = plugin.properties;
    // In a table the server itself refuses what is not declared.
    if (schema === undefined || !isStandardSchema(schema)) return undefined;
    const read = new Set<PropertyKey>();
    const result = await schema["~standard"].validate(watched({ ...properties, [unknownProperty]: "x" }, read));
    // The server refuses what a schema has not looked at.
    return result.issues || !read.has(unknownProperty) ? undefined : "Its schema lets any property pass";
  });
}

/** The same object, noting the members that are read. */
function watched(object: object, read: Set<PropertyKey>): object {
  return new Proxy(object, {
    get(target, name, receiver) {
      read.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
}
