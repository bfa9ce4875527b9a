import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { kinora, kinoraServe, testFolder } from "./cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What the runtime has loaded, as it says itself in a report of its coverage. */
interface Loaded {
  /** Files: parts of the bundle, and packages that are not bundled. */
  readonly files: readonly string[];
  /** Sources and packages in these files. */
  readonly modules: ReadonlySet<string>;
}

let loaded: Loaded;
beforeAll(async () => {
  const cwd = testFolder();
  // The first start makes the bundle, the database and the user admin: the one that is looked at finds all of it.
  await (await kinoraServe([], { cwd })).stop();
  const coverage = join(cwd, "coverage");
  const server = await kinoraServe([], { cwd, environment: { NODE_V8_COVERAGE: coverage } });
  await server.stop();
  const urls = readdirSync(coverage).flatMap((name) => {
    const report = JSON.parse(readFileSync(join(coverage, name), "utf8")) as { result: { url: string }[] };
    return report.result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  });
  const files = urls.map((url) => relative(root, fileURLToPath(url)));
  loaded = { files, modules: new Set(files.flatMap(modulesOf)) };
});

/** A part of the bundle has a comment with the path in front of each module. */
function modulesOf(file: string): readonly string[] {
  if (!file.startsWith(".cache")) return [file];
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map(([, path = ""]) => path);
}

const packagesOf = ({ modules }: Loaded) =>
  new Set([...modules].flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));

describe("a start of an instance that is there", () => {
  test("opens a few files, not one for each module", () => {
    expect(loaded.modules.size).toBeGreaterThan(300);
    expect(loaded.files.length).toBeLessThan(60);
  });

  test.each([
    ["the client of LDAP, before a security.ini names it", "ldapts"],
    ["the builder of queries, before a query is built", "drizzle-orm"],
    ["the loader of TypeScript, before there is a plugin", "tsx"],
    ["the bundler, once the bundle is made", "esbuild"],
  ])("does not load %s", (_, name) => {
    expect([...packagesOf(loaded)]).not.toContain(name);
  });

  test("loads no package but those of a running server", () => {
    const known = ["hono", "@hono/node-server", "saxes", "xmlchars", "jose", "@noble/hashes", "@logtape/logtape"];
    const database = ["@libsql/client", "@libsql/core", "libsql", "js-base64", "@neon-rs/load", "detect-libc"];
    const native = /^(?:@libsql|@node-rs)\//;
    const others = [...packagesOf(loaded)].filter((name) => !known.includes(name) && !database.includes(name));
    expect(others.filter((name) => !native.test(name))).toEqual([]);
  });

  test("loads no command but the one that runs, and no other runtime", () => {
    const modules = [...loaded.modules];
    expect(modules.filter((path) => /^src\/cli\/(?:check|doctor|init|migrate|user)/.test(path))).toEqual([]);
    expect(modules.filter((path) => /^src\/runtime\/(?:deno|worker|platform-worker)/.test(path))).toEqual([]);
  });
});

test("a command that needs no server loads none", async () => {
  const cwd = testFolder();
  const coverage = join(cwd, "coverage");
  await kinora(["--version"], { cwd, environment: { NODE_V8_COVERAGE: coverage } });
  const [report = ""] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, report), "utf8")) as { result: { url: string }[] };
  expect(result.filter(({ url }) => url.startsWith("file:")).length).toBeLessThan(12);
});
