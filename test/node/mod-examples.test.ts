import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as exported from "../../src/mod.ts";
import { instanceProblems } from "../../src/plugin/instance-shape.ts";
import { pluginProblems } from "../../src/plugin/plugin-shape.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { testFolder } from "./cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the package, so that `kinora` is the package's own name there, as its `exports` say. */
const folder = join(root, ".cache", "examples");

/** The examples in the docstring of each exported value, by its name. */
function examplesOf(name: string): readonly string[] {
  const declaration = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport (?:async )?(?:function|class|const) ${name}\b`,
  );
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  for (const file of sources) {
    const docstring = declaration.exec(readFileSync(join(root, "src", file), "utf8"))?.[1];
    if (docstring === undefined) continue;
    return blocksOf(docstring.replace(/^ \* ?/gm, ""));
  }
  return [];
}

function blocksOf(text: string): readonly string[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
}

/** What a line prints, as its comment says. */
function promised(code: string): readonly string[] {
  return [...code.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map(([, said = ""]) => said);
}

const names = Object.keys(exported).sort();
const examples = names.flatMap((name) =>
  examplesOf(name).map((code, index) => ({ name, code, file: `${name}-${index}.ts` })),
);

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module in an empty working directory; gives the lines that it prints. */
function run(
  file: string,
): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly error: string }> {
  const tsx = join(root, "node_modules", "tsx", "dist", "loader.mjs");
  const child = spawn(process.execPath, ["--import", `file://${tsx}`, join(folder, file)], { cwd: testFolder() });
  let out = "";
  let error = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    error += text;
  });
  return new Promise((resolve) =>
    child.once("close", (code) => resolve({ code, error, lines: out.split("\n").filter((line) => line !== "") })),
  );
}

describe("every value that `kinora` exports", () => {
  test.each(names)("%s has an example", (name) => {
    expect(examples.filter((example) => example.name === name)).not.toEqual([]);
  });

  test.each(examples.filter(({ name }) => !name.startsWith("define")))(
    "$name: the example runs as it stands and prints what it says",
    async ({ file, code }) => {
      expect(await run(file)).toEqual({ code: 0, error: "", lines: promised(code) });
    },
  );

  test.each(examples.filter(({ name }) => name.startsWith("define")))(
    "$name: the example is a plugin that works",
    async ({ file }) => {
      const { default: plugin } = await import(/* @vite-ignore */ join(folder, file));
      expect(pluginProblems(plugin)).toEqual([]);
      const instance = await plugin.create({ users: new Map([["alice", "wonder"]]) }, createTestContext());
      expect(instanceProblems(plugin.kind, instance)).toEqual([]);
    },
  );
});

describe("the readme", () => {
  const blocks = blocksOf(readFileSync(join(root, "README.md"), "utf8")).filter((code) =>
    code.includes('from "kinora"'),
  );

  test("has a program of five lines that runs as it stands and prints what it says", async () => {
    expect(blocks).not.toEqual([]);
    for (const [index, code] of blocks.entries()) {
      const file = `readme-${index}.ts`;
      writeFileSync(join(folder, file), code);
      expect(
        code
          .trim()
          .split("\n")
          .filter((line) => line !== "").length,
      ).toBeLessThanOrEqual(5);
      const { code: exit, error, lines } = await run(file);
      expect({ exit, error, lines: lines.length }).toEqual({ exit: 0, error: "", lines: promised(code).length });
      for (const [at, line] of lines.entries()) expect(promised(code)[at]?.startsWith(line)).toBe(true);
    }
  });
});
