import { describe, expect, test } from "vitest";
import { type ExtEntry, type ExtModules, loadExtPlugins } from "../../src/plugin/loader.ts";
import type { Plugin } from "../../src/plugin/mod.ts";
import { createRegistry } from "../../src/plugin/registry.ts";

const filter = (...names: [string, ...string[]]): Plugin => ({
  kind: "filter",
  names,
  create: () => ({ handle: () => "next" }),
});

/** An ext folder whose modules are these namespaces, or what a function gives for importing them. */
function folderOf(modules: Readonly<Record<string, unknown>>): ExtModules {
  return {
    list: () => Promise.resolve(Object.keys(modules).map((name): ExtEntry => ({ name, location: { url: name } }))),
    async import(url) {
      const module = modules[url];
      return typeof module === "function" ? module() : module;
    },
  };
}

const load = (modules: Readonly<Record<string, unknown>>) =>
  loadExtPlugins(folderOf(modules), "ext", { timeoutMs: 20 });
const messagesOf = async (modules: Readonly<Record<string, unknown>>) =>
  (await load(modules)).problems.map(({ source, message }) => `${source}: ${message}`);

describe("what a module may export", () => {
  const a = filter("A");
  const b = filter("B");
  test.each([
    ["one plugin by default", { default: a }, { default: a }],
    ["one plugin by name", { a }, { a }],
    ["plugins beside other things", { a, helper: () => 1, version: "1", nothing: null }, { a }],
    ["an array by default", { default: [a, b] }, { A: a, B: b }],
    ["an array by name", { all: [a, b] }, { A: a, B: b }],
    ["the same plugin twice", { default: a, a }, { default: a, a }],
    ["an array of other things beside a plugin", { default: a, words: ["x"] }, { default: a }],
  ])("%s", async (_, namespace, exports) => {
    expect(await load({ "x.ts": namespace })).toEqual({ modules: [{ file: "x.ts", exports }], problems: [] });
  });

  test("a plugin may be an object of a class", async () => {
    class Own {
      readonly kind = "filter";
      readonly names: [string] = ["Own"];
      create() {
        return { handle: () => "next" };
      }
    }
    expect((await load({ "x.ts": { default: new Own() } })).problems).toEqual([]);
  });

  test("security.ini finds plugins by name, by file and by export", async () => {
    const { modules } = await load({ "one.ts": { default: a }, "two.ts": { b, c: filter("C") } });
    const registry = createRegistry([], modules);
    expect(registry.find("A")).toBe(a);
    expect(registry.find("./one.ts")).toBe(a);
    expect(registry.find("./two.ts#b")).toBe(b);
    expect(registry.find("./two.ts")).toMatchObject({ code: "unknown-class" });
  });
});

describe("what is wrong with a module is said with its name", () => {
  const never = () => new Promise(() => {});
  const trap = Object.defineProperty({}, "names", {
    get() {
      throw new Error("boom");
    },
  });
  test.each<[string, unknown, string | RegExp]>([
    [
      "throws",
      () => Promise.reject(new TypeError("boom\nsecond line")),
      "cannot be loaded: TypeError: boom second line",
    ],
    ["throws something else", () => Promise.reject("text"), "cannot be loaded: text"],
    [
      "throws a long text in colour",
      () => Promise.reject(new Error(`\u001b[31m${"x".repeat(400)}`)),
      /Error: x{293}…$/,
    ],
    ["never finishes", never, "The module has not finished loading after 20 ms"],
    ["exports nothing", {}, "The module exports no plugin"],
    ["exports no plugin", { helper: () => 1 }, "The module exports no plugin"],
    ["exports a function", { default: () => 1 }, "Its default export is a function, not a plugin object"],
    ["exports a class by default", { default: class {} }, "Its default export is a function, not a plugin object"],
    ["exports null", { default: null }, "Its default export is null, not a plugin object"],
    ["exports an empty array", { default: [] }, "The module exports no plugin"],
    ["exports an array of other things", { default: [1] }, "Its default export, element 0, is a number, not a plugin"],
    [
      "misspells the kind",
      { default: { ...filter("A"), kind: "fliter" } },
      'the kind "fliter", perhaps "filter" is meant',
    ],
    [
      "has no kind",
      { default: { names: ["A"], create() {} } },
      "Its default export has no kind, which is one of realm",
    ],
    ["has no names", { a: { kind: "filter", create() {} } }, "Its export a has no names"],
    ["has an empty name", { a: { ...filter("A"), names: [""] } }, 'Its export a has the name ""'],
    ["has a name that INI cannot have", { a: { ...filter("A"), names: ["a b"] } }, 'Its export a has the name "a b"'],
    ["has no create", { a: { kind: "filter", names: ["A"] } }, "Its export a has no create function"],
    [
      "misspells a type",
      { a: { ...filter("A"), properties: { p: "strng" } } },
      'declares the property p with the type "strng"',
    ],
    ["has wrong properties", { a: { ...filter("A"), properties: 1 } }, "has properties that are a number"],
    [
      "has half a schema",
      { a: { ...filter("A"), properties: { "~standard": { version: 1 } } } },
      "not a Standard Schema of version 1",
    ],
    ["throws when looked at", { default: trap }, "Its exports cannot be read: boom"],
    ["has two plugins of one name", { a: filter("A"), b: filter("A") }, "has the name of another of its plugins"],
    ["has two of one name in an array", { default: [filter("A"), filter("A")] }, "Two of its plugins have the name A"],
  ])("%s", async (_, namespace, expected) => {
    const messages = await messagesOf({ "bad.ts": namespace, "good.ts": { default: filter("Good") } });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^\.\/bad\.ts: /);
    expect(messages[0]).toMatch(expected);
  });

  test("all of them in one run, the good modules loaded all the same", async () => {
    const { modules, problems } = await load({ "c.ts": {}, "a.ts": never, "b.ts": { default: filter("B") } });
    expect(problems.map(({ source }) => source)).toEqual(["./a.ts", "./c.ts"]);
    expect(problems.every(({ fix }) => fix !== "")).toBe(true);
    expect(modules.map(({ file }) => file)).toContain("b.ts");
  });

  test("a name that another module or the service itself has", async () => {
    const builtIn = [filter("authcBasic", "com.acme.Basic")];
    const modules = { "a.ts": { default: filter("X", "com.acme.Basic") }, "b.ts": { default: filter("X") } };
    const { problems } = await loadExtPlugins(folderOf(modules), "ext", { builtIn });
    expect(problems.map(({ source, message }) => `${source}: ${message}`)).toEqual([
      "./a.ts: Its plugin com.acme.Basic has the name of a plugin of Kinora itself",
      "./b.ts: Its plugin X has the name of a plugin of ./a.ts",
    ]);
  });

  test("a folder that names no main module", async () => {
    const list = () =>
      Promise.resolve([{ name: "pkg", location: { problem: "Its package.json names no main module" } }]);
    const { problems } = await loadExtPlugins({ ...folderOf({}), list }, "ext");
    expect(problems).toMatchObject([{ source: "./pkg", message: "Its package.json names no main module" }]);
  });
});
