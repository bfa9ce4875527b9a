import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { fileExtModules } from "../../src/runtime/ext-modules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A folder outside of the project, with these files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "kinora-ext-")));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const list = async (folder: string) =>
  Object.fromEntries((await fileExtModules("deno").list(folder)).map(({ name, location }) => [name, location]));

test("a folder that is not there has no plugins; a file in its place is an error", async () => {
  expect(await list("/nowhere/at/all")).toEqual({});
  const folder = await folderWith({ file: "" });
  await expect(list(join(folder, "file"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("modules and folders with a package.json are plugins, everything else is not", async () => {
  const folder = await folderWith({
    "a.ts": "",
    "b.js": "",
    "c.mjs": "",
    "d.d.ts": "",
    "e.json": "",
    ".f.ts": "",
    "README.md": "",
    "parts/part.ts": "",
    "one/package.json": '{ "exports": "./index.ts" }',
    "two/package.json": '{ "exports": { ".": { "types": "./x.d.ts", "import": "./main.js" } } }',
    "three/package.json": '{ "main": "lib/main.js" }',
    "four/package.json": "{}",
    "five/package.json": "{",
    "six.ts/package.json": '{ "exports": "./index.ts" }',
  });
  const elsewhere = await folderWith({ "real.ts": "" });
  await symlink(join(elsewhere, "real.ts"), join(folder, "link.ts"));
  const at = (path: string) => ({ url: pathToFileURL(join(folder, path)).href });
  expect(await list(folder)).toEqual({
    "a.ts": at("a.ts"),
    "b.js": at("b.js"),
    "c.mjs": at("c.mjs"),
    "link.ts": { url: pathToFileURL(join(elsewhere, "real.ts")).href },
    one: at("one/index.ts"),
    two: at("two/main.js"),
    three: at("three/lib/main.js"),
    four: { problem: "Its package.json names no main module" },
    five: { problem: expect.stringContaining("Its package.json is not JSON") },
    "six.ts": at("six.ts/index.ts"),
  });
});

/** Plugins that come in every form, two of them named alike, and modules that are wrong. */
const files: Readonly<Record<string, string>> = {
  "typed.ts": `import { defineRealm, type Realm } from "kinora/plugin";
    export default defineRealm({ names: ["Typed"], create: (): Realm => ({ accepts: "password", authenticate: () => "not mine" }) });`,
  "plain.js": `export default { kind: "filter", names: ["Plain"], create: () => ({ handle: () => "next" }) };`,
  "parted.ts": `import { handle } from "./parts/handle.ts";
    export const parted = { kind: "filter", names: ["Parted"], create: () => ({ handle }) };`,
  "parts/handle.ts": "export const handle = (): string => 'next';",
  "waiting.mjs": "await new Promise((resolve) => setTimeout(resolve, 60_000));",
  "broken.ts": "export default {",
  "throwing.ts": "throw new TypeError('boom');",
  "lost.ts": "import 'a-package-that-is-not-there';",
  "pack/package.json": '{ "exports": "./index.ts" }',
  "pack/index.ts": `import { word } from "./word.ts";
    import { defineFilter } from "kinora/plugin";
    export default defineFilter({ names: [word], create: () => ({ handle: () => "next" }) });`,
  "pack/word.ts": "export const word = 'Packed';",
};

/** A package with a dependency in the form of old packages. */
const dependent: Readonly<Record<string, string>> = {
  "pack/word.ts": `export { word } from "dependency";`,
  "pack/node_modules/dependency/package.json": '{ "main": "index.js" }',
  "pack/node_modules/dependency/index.js": "exports.word = 'Packed';",
};

/** Loads a folder in a process of its own and prints what came of it. */
const program = `
  import { loadExtPlugins } from ${JSON.stringify(new URL("../../src/plugin/loader.ts", import.meta.url).href)};
  import { fileExtModules } from ${JSON.stringify(new URL("../../src/runtime/ext-modules.ts", import.meta.url).href)};
  import { defineFilter } from ${JSON.stringify(new URL("../../src/plugin/mod.ts", import.meta.url).href)};
  const [runtime, folder] = process.argv.slice(-2);
  const { modules, problems } = await loadExtPlugins(fileExtModules(runtime), folder, { timeoutMs: 3000 });
  const names = modules.flatMap(({ exports }) => Object.values(exports).map((plugin) => plugin.names[0]));
  console.log(JSON.stringify({ names, problems: problems.map(({ source, message }) => [source, message]) }));
  process.exit(0);
`;

interface Loaded {
  readonly names: readonly string[];
  readonly problems: readonly (readonly [string, string])[];
}

async function loadWith(command: string, args: readonly string[], runtime: string, folder: string): Promise<Loaded> {
  const script = join(await folderWith({ "load.mts": program }), "load.mts");
  const { stdout } = await promisify(execFile)(command, [...args, script, runtime, folder], { cwd: root });
  return JSON.parse(stdout);
}

function expectLoaded({ names, problems }: Loaded): void {
  expect(names).toEqual(["Packed", "Parted", "Plain", "Typed"]);
  expect(problems.map(([source]) => source)).toEqual(["./broken.ts", "./lost.ts", "./throwing.ts", "./waiting.mjs"]);
  const [broken, lost, throwing, waiting] = problems.map(([, message]) => message);
  expect(broken).toContain("broken.ts");
  expect(lost).toContain("a-package-that-is-not-there");
  expect(throwing).toContain("TypeError: boom");
  expect(waiting).toContain("3000 ms");
}

test("on Node plugins need no node_modules: they get the running server by its name", async () => {
  expectLoaded(await loadWith(process.execPath, ["--import", "tsx"], "node", await folderWith(files)));
});

test("on Node a package may have dependencies in its own node_modules", async () => {
  const folder = await folderWith({ ...files, ...dependent });
  expectLoaded(await loadWith(process.execPath, ["--import", "tsx"], "node", folder));
});

test("on Deno the import map of the project gives them the running server", async () => {
  const deno = join(root, "test/node_modules/.bin/deno");
  const args = ["run", "--allow-read", "--allow-env", "--config", join(root, "deno.json")];
  expectLoaded(await loadWith(deno, args, "deno", await folderWith(files)));
});
