import { describe, expect, test } from "vitest";
import page from "../../docs/security-ini.md?raw";
import staticUsers from "../../examples/custom-realm/static-users.ts";
import { builtInPlugins } from "../../plugins/built-in.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { securityScene } from "./security-scene.ts";

/** The blocks of a language, in the order of the page. */
function blocks(language: string): readonly string[] {
  return [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
}

/** The rows of the table whose head begins so, as the texts of their cells. */
function table(head: string): readonly (readonly string[])[] {
  const lines = page.slice(page.indexOf(`| ${head}`)).split("\n");
  const rows = lines.slice(2, lines.indexOf(""));
  return rows.map((row) => row.slice(2, -2).split(/ ?(?<!\\)\| ?/));
}

const codes = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** What a whole file says, loaded with the plugins that come with the server and that of the example. */
function load(text: string) {
  return securityScene(text, {
    plugins: builtInPlugins,
    modules: [{ file: "static-users.ts", exports: { default: staticUsers } }],
    variables: (name) => (name === "ALICE_PASSWORD" ? "wonder" : undefined),
    readFile: (path) => Promise.resolve(path.startsWith("/run/secrets/") ? "builder\n" : undefined),
  });
}

/** A block as a file: lines for [main] alone are put into the default file. */
function whole(block: string): string {
  if (block.includes("[urls]")) return block;
  const lines = block.replace(/^\[main\]$/m, "");
  const realms = lines.includes("securityManager.realms") ? "" : "securityManager.realms = $serviceRealm\n";
  return defaultSecurityIni.replace("securityManager.realms = $serviceRealm\n", `${realms}${lines}\n`);
}

const told = (loaded: Awaited<ReturnType<typeof load>>["loaded"]) =>
  loaded.problems.map(({ severity, line, message }) => `${severity} ${line}: ${message}`);

describe("the page about security.ini", () => {
  test.each(blocks("ini").map((block, index) => [index, block] as const))(
    "block %i loads as it stands",
    async (_, block) => {
      const { loaded } = await load(whole(block));
      expect(told(loaded).filter((problem) => !problem.includes("no filter of the plugin"))).toEqual([]);
      expect(loaded.pipeline).toBeDefined();
    },
  );

  test("its first block is the built-in file", () => {
    expect(blocks("ini")[0]).toBe(defaultSecurityIni);
  });

  test("what it shows as refused is refused, for more than one reason", async () => {
    for (const block of blocks("ini refused")) {
      const { loaded } = await load(block);
      expect(loaded.problems.filter(({ severity }) => severity === "error").length).toBeGreaterThan(3);
    }
  });

  test.each(table("Pattern"))("the pattern %s fits what it says", async (pattern, fits, fitsNot) => {
    const [line] = codes(pattern);
    const { pipeline } = await securityScene(`[urls]\n${line} = anon\n`);
    const isFitted = (path: string) => pipeline().explain(path, "GET").chain !== undefined;
    for (const path of fits === "everything" ? ["/", "/a", "/a/b/"] : codes(fits))
      expect([path, isFitted(path)]).toEqual([path, true]);
    for (const path of codes(fitsNot)) expect([path, isFitted(path)]).toEqual([path, false]);
  });

  const refused = table("Written | What the reference").flatMap(([cell = ""]) => {
    if (cell === "no `[urls]`") return [""];
    if (cell === "`[urls]` twice") return ["[urls]\n/a = authcBasic\n[urls]\n/b = authcBasic"];
    if (cell.startsWith("a last line")) return ["[urls]\n/a = authcBasic, \\"];
    if (cell.startsWith("an unknown")) return ["[main]\nauthcBasic.nosuch = 1\n[urls]\n/a = authcBasic"];
    if (cell.includes(" and ")) return [`[urls]\n${codes(cell).join("\n")}`];
    return codes(cell).map((code) => {
      if (/^\[.*url/i.test(code)) return `${code}\n/a = authcBasic`;
      if (code.startsWith("[")) return `[urls]\n/** = authcBasic${code}`;
      return `[urls]\n${code.includes("=") ? code.replace("…", "authcBasic") : `/** = authcBasic, ${code}`}`;
    });
  });

  test.each(refused)("it says rightly that this is refused: %s", async (text) => {
    const { loaded } = await securityScene(`${text}\n`);
    expect(loaded.problems.some(({ severity }) => severity === "error")).toBe(true);
  });

  test("what it says of filters that nobody or somebody reaches is so", async () => {
    const filters = [
      "user",
      "roles[a, b]",
      "perms[item:read]",
      "rest[item]",
      "deny",
      "noAccess",
      "anon",
      "noSessionCreation",
    ];
    const shown = Object.fromEntries(
      table("Filter").flatMap(([cell, nobody, somebody]) => codes(cell).map((code) => [code, [nobody, somebody]])),
    );
    const lines = filters.map((filter, index) => `/${index} = authcBasic[permissive], ${filter}`).join("\n");
    const { send } = await securityScene(`[users]\nbob = x\n[urls]\n${lines}\n`);
    for (const [index, filter] of filters.entries()) {
      const [nobody = "", somebody = ""] = shown[filter] ?? [];
      const expected = (cell: string) => Number(/^\d{3}/.exec(cell)?.[0] ?? 200);
      expect([filter, (await send(`/${index}`)).status]).toEqual([filter, expected(nobody)]);
      expect([filter, (await send(`/${index}`, { basic: ["bob", "x"] })).status]).toEqual([filter, expected(somebody)]);
    }
  });
});
