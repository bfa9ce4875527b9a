import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-docs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The TypeScript blocks of a page, by the file name in their first line. */
async function blocksOf(page: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(root, "docs", page), "utf8");
  const blocks = text.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g);
  return new Map([...blocks].map(([, name = "", code = ""]) => [name, code]));
}

/** Loads the folder as an ext folder and runs what it has of tests, in a process of its own. */
const program = `
  import { readdir } from "node:fs/promises";
  import { loadExtPlugins } from ${JSON.stringify(new URL("../../src/plugin/loader.ts", import.meta.url).href)};
  import { fileExtModules } from ${JSON.stringify(new URL("../../src/runtime/ext-modules.ts", import.meta.url).href)};
  const folder = process.argv.at(-1);
  const modules = fileExtModules("node");
  const plugins = { ...modules, list: async (at) => (await modules.list(at)).filter(({ name }) => !name.includes(".test.")) };
  const { problems } = await loadExtPlugins(plugins, folder);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  for (const name of await readdir(folder)) if (name.includes(".test.")) await import("file://" + folder + "/" + name);
`;

describe.each(["writing-a-realm.md", "writing-a-filter.md"])("%s", (page) => {
  test("its plugins load from an ext folder as they stand, and its tests pass", async () => {
    const blocks = await blocksOf(page);
    expect(blocks.size).toBeGreaterThan(2);
    const ext = await mkdtemp(join(folder, "ext-"));
    for (const [name, code] of blocks) await writeFile(join(ext, name), code);
    const script = join(folder, `${page}.mts`);
    await writeFile(script, program);
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, ext], { cwd: root });
    expect(stdout).toMatch(/^# pass [1-9]/m);
    expect(stdout).toMatch(/^# fail 0/m);
  });

  test("every block of it is tried", async () => {
    const text = await readFile(join(root, "docs", page), "utf8");
    expect(text.match(/```ts/g)).toHaveLength((await blocksOf(page)).size);
  });
});
