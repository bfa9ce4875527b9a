import { expect, test } from "vitest";
import { builtInPlugins } from "../../plugins/built-in.ts";
import { pluginProblems } from "../../src/plugin/plugin-shape.ts";

test("every built-in plugin has the shape of a plugin and a sentence for the reference page", () => {
  for (const plugin of builtInPlugins) {
    expect(pluginProblems(plugin), plugin.names[0]).toEqual([]);
    expect(plugin.description, plugin.names[0]).toMatch(/^[A-Z].*[^.]$/);
    const properties = plugin.properties ?? {};
    for (const [name, declared] of Object.entries(properties)) {
      expect(declared, `${plugin.names[0]}.${name}`).toHaveProperty("description");
    }
  }
});

test("no two built-in plugins have the same name", () => {
  const names = builtInPlugins.flatMap((plugin) => plugin.names);
  expect(new Set(names).size).toBe(names.length);
});
