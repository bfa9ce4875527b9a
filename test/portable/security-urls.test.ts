import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInPlugins } from "../../plugins/built-in.ts";
import { defineFilter } from "../../src/plugin/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { compilePattern, matchesPath, segmentsOf } from "../../src/security/path-pattern.ts";
import { optionalPlugins, type SceneOptions, securityScene } from "./security-scene.ts";

/** The problems of some lines of `[urls]`, as `severity line:column code: message. fix`. */
async function told(urls: string, main = "", options: SceneOptions = {}): Promise<readonly string[]> {
  const { loaded } = await securityScene(`[urls]\n${urls}\n[main]\n${main}`, options);
  return loaded.problems.map(
    ({ severity, line, column, code, message, fix }) => `${severity} ${line}:${column} ${code}: ${message}. ${fix}`,
  );
}

describe("each trap that would let requests in is a start-up error", () => {
  test.each([
    ["/** = authcBasic[permissive", "error 2:17 bad-chain: The bracket [ is never closed"],
    ["/** = authcBasic[*]", "error 2:7 bad-words"],
    ["/** = authcBasic[foo]", "error 2:7 bad-words"],
    ["/** = authcBasic[POST PUT]", "error 2:7 bad-words"],
    ["/** = authcBasic[,]", "error 2:7 bad-words"],
    ["/** = authcBasic[Permissive]", "error 2:7 bad-words"],
    ["/** = authcBasic]", "error 2:17 bad-chain: This ] closes no bracket"],
    ["/** = authcBasic[permissive] roles[a]", "error 2:30 bad-chain: Something stands behind"],
    ["/** = authcBasic[a][b]", "bad-chain"],
    ["/** = [permissive]", "error 2:7 bad-chain: There are brackets without a filter's name"],
    ["/** = authcBasic,", "error 2:18 bad-chain: A filter's name is missing"],
    ["/** = anon,, authcBasic", "bad-chain"],
    ["** = authcBasic", "error 2:1 bad-pattern: A pattern without a leading slash matches no request. Write /**"],
    ['"/x" = authcBasic', "error 2:1 bad-pattern: A pattern in quotes"],
    ["/a%20b = authcBasic", "error 2:1 bad-pattern: Patterns are compared with decoded paths"],
    ["/a;b/** = authcBasic", "error 2:1 bad-pattern: Matrix parameters are cut"],
    ["/a/../b = authcBasic", "error 2:1 bad-pattern: Requests with dot segments are refused"],
    ["/. = authcBasic", "bad-pattern"],
    ["/a\u0007b = authcBasic", "bad-pattern"],
    ["/** = roles", "error 2:7 bad-words"],
    ["/** = roles[]", "bad-words"],
    ["/** = roles[ ]", "bad-words"],
    ["/** = perms", "bad-words"],
    ["/** = rest[]", "bad-words"],
    ["/** = perms[:]", "bad-words"],
    ["/** = anon[x]", "bad-words"],
    ["/** = authc", "error 2:7 not-offered: There is no filter named authc. Form login is not offered"],
    ["/** = anon, logout", "error 2:13 not-offered"],
    ["/** = Anon", "unknown-filter: There is no filter named Anon. Perhaps anon is meant"],
    ["/** = authcBasik", "Perhaps authcBasic is meant"],
    ["/** = authcBasic anon", "Divide filters by commas"],
    ["/** = authcBasic # ours", "A comment stands on a line of its own"],
    ['/** = "authcBasic"', "Write filters without quotes"],
    ["/** = iniRealm", "iniRealm is a realm, not a filter"],
    ["/a = anon\n/A = authcBasic", "error 3:1 same-pattern: The pattern matches the same paths as the one in line 2"],
    ["/a = anon\n/a/ = authcBasic", "error 3:1 same-pattern"],
    ["/a = anon\n/API/a = authcBasic", "error 3:1 same-pattern"],
    ["/API/** = anon\n/** = authcBasic", "error 3:1 same-pattern"],
    ["/a//b = anon\n/a/b = authcBasic", "error 3:1 same-pattern"],
  ])("%s", async (urls, problem) => {
    const main = "[users]\na = b";
    expect((await told(urls, main)).join("\n")).toContain(problem);
  });

  test("the places of all mistakes of one chain, also behind a continuation", async () => {
    expect(await told("/** = Anon, \\\n   roles, \\\n   authcBasic[x]")).toEqual([
      expect.stringContaining("error 2:7 unknown-filter"),
      expect.stringContaining("error 3:4 bad-words"),
      expect.stringContaining("error 4:4 bad-words"),
    ]);
  });

  test("an error of a filter's own check is an error of the chain", async () => {
    const picky = defineFilter({
      names: ["Picky"],
      predefined: "picky",
      create: () => ({
        handle: () => "next",
        checkWords: (words) => {
          if (words.length === 0) throw new Error("no words");
          return words.map((word) => `${word} is wrong`);
        },
      }),
    });
    const options = { plugins: [...optionalPlugins, picky] };
    expect(await told("/** = picky, picky[a,b]", "", options)).toEqual([
      expect.stringContaining("error 2:7 bad-words: The filter failed to check its words: no words (picky)"),
      expect.stringContaining("error 2:14 bad-words: a is wrong (picky)"),
      expect.stringContaining("error 2:14 bad-words: b is wrong (picky)"),
    ]);
  });
});

describe("what is allowed and seldom meant is a warning", () => {
  test.each([
    ["/** = authcBasic[POST]", "", "warning 2:7 bad-words: Only POST requests are authenticated"],
    ["/** = anon\n/a = authcBasic", "", "warning 3:1 unreachable-chain"],
    ["/a = anon\n/a = authcBasic", "", "warning 3:1 repeated-key"],
    ["/** = authcBasic", "authcBasic.enabled = false", "warning 4:1 disabled-filter"],
  ])("%s", async (urls, main, problem) => {
    const problems = await told(urls, main);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});

describe("the service realm and the token filter", () => {
  const service = { plugins: builtInPlugins };
  const realm = "r = DefaultServiceRealm";
  const filter = "t = com.service.security.auth.TokenAuthenticationFilter";

  test.each([
    ["/** = t, authcBasic", `${realm}\n${filter}`, []],
    ["/** = tokenAuth[permissive], authcBasic", realm, []],
    ["/** = t", filter, ["error 1:1 essential-missing: The realms have none of the plugin DefaultServiceRealm"]],
    [
      "/** = t",
      `${realm}\n${filter}\ni = IniRealm\nsecurityManager.realms = $i`,
      ["error 7:1 essential-missing: The realms have none of the plugin DefaultServiceRealm"],
    ],
    ["/** = authcBasic", realm, ["error 1:1 essential-missing: There is no filter of the plugin tokenAuth"]],
    ["/a = anon\n/** = t", `${realm}\n${filter}`, ["warning 2:1 essential-missing"]],
    ["/** = authcBasic", `${realm}\n${filter}`, ["warning 2:1 essential-missing"]],
  ])("%s with %j", async (urls, main, expected) => {
    const problems = await told(urls, main, service);
    expect(problems).toEqual(expected.map((problem) => expect.stringContaining(problem)));
  });

  test("are not called missing when their definition is misspelt", async () => {
    const problems = await told("/** = t", `r = DefaultServiceRelm\n${filter}`, service);
    expect(problems).toEqual([expect.stringContaining("unknown-class")]);
  });
});

describe("chains", () => {
  test("the first line that matches decides, with and without the prefix", async () => {
    const { pipeline } = await securityScene(
      "[urls]\n/item/special = anon\n/API/item/** = user\n/user/*/key = port\n/item = ssl\n/** = deny\n",
    );
    const lineOf = (target: string) => pipeline().explain(target, "GET").chain?.line;
    const lines = ["/item/special", "/API/item/special", "/ITEM/Special", "/item/VX-1", "/item", "/user/a/key", "/x"];
    expect(lines.map(lineOf)).toEqual([2, 2, 2, 3, 3, 4, 6]);
    expect(lines.map((target) => lineOf(`/API${target}`))).toEqual([2, 2, 2, 3, 3, 4, 6]);
  });

  test("letter case counts when filterChainResolver.caseInsensitive is false", async () => {
    const { send } = await securityScene("[main]\nfilterChainResolver.caseInsensitive = false\n[urls]\n/a = anon\n");
    expect((await send("/a")).status).toBe(200);
    await expect(send("/A")).rejects.toMatchObject({ code: "no-chain" });
  });

  test("a segment with an encoded slash is one segment", async () => {
    const { send } = await securityScene("[urls]\n/a/** = anon\n/*/x = anon\n");
    await expect(send("/a%2Fb")).rejects.toMatchObject({ code: "no-chain" });
    expect((await send("/a%2Fb/x")).status).toBe(200);
  });

  test("a filter keeps its own words each time, and permissive counts wherever it stands", async () => {
    const seen: unknown[] = [];
    const filter = defineFilter({
      names: ["Seen"],
      predefined: "seen",
      create: () => ({
        mayBePermissive: true,
        checkWords: () => [],
        handle({ words, permissive }) {
          seen.push([words, permissive]);
          return "next";
        },
      }),
    });
    const { send } = await securityScene("[urls]\n/** = seen[a,b], seen, seen[c,permissive,d], seen[permissive]\n", {
      plugins: [...optionalPlugins, filter],
    });
    await send("/x");
    expect(seen).toEqual([
      [["a", "b"], false],
      [[], false],
      [["c", "d"], true],
      [[], true],
    ]);
    const [first] = seen as [[string[], boolean]];
    expect(Object.isFrozen(first[0])).toBe(true);
  });

  test("global filters run first: those of the plugins, those that are set, or none", async () => {
    const stepsOf = async (main: string) => {
      const { pipeline } = await securityScene(`[main]\n${main}\n[urls]\n/** = anon\n`);
      return pipeline()
        .explain("/x", "GET")
        .chain?.steps.map(({ text, global }) => `${text}${global ? "*" : ""}`);
    };
    expect(await stepsOf("")).toEqual(["invalidRequest*", "anon"]);
    expect(await stepsOf("filterChainResolver.globalFilters = user, p\np = oracle.ProbeFilter")).toEqual([
      "user*",
      "p*",
      "anon",
    ]);
    expect(await stepsOf("filterChainResolver.globalFilters = null")).toEqual(["anon"]);
  });

  test("a line of the file is explained: the path, the lines compared, the filters and what they do", async () => {
    const { pipeline } = await securityScene(
      "[main]\nuser.enabled = false\n[urls]\n/a/** = anon\n/item/** = user, authcBasic[permissive]\n",
    );
    const explained = pipeline().explain("/API//item/VX%2D1;v=1/?x=y", "PUT");
    expect(explained).toMatchObject({
      method: "PUT",
      path: "/item/VX-1",
      compared: [
        { pattern: "/a/**", line: 4, matches: false },
        { pattern: "/item/**", line: 5, matches: true },
      ],
      chain: {
        pattern: "/item/**",
        line: 5,
        steps: [
          { text: "invalidRequest", global: true, skipped: false },
          { text: "user", plugin: "user", global: false, skipped: true },
          { text: "authcBasic[permissive]", plugin: "authcBasic", skipped: false },
        ],
      },
    });
    expect(explained.text[0]).toBe("PUT /item/VX-1");
    expect(explained.text).toContain("  line 5: /item/** matches");
    expect(pipeline().explain("/nowhere", "GET").chain).toBeUndefined();
    expect(() => pipeline().explain("/../x", "GET")).toThrowError(expect.objectContaining({ code: "invalid-path" }));
  });

  test("the composition is described", async () => {
    const { loaded } = await securityScene(defaultSecurityIni, { plugins: builtInPlugins });
    expect(loaded.pipeline?.describe()).toEqual({
      realms: [{ name: "serviceRealm", plugin: "DefaultServiceRealm" }],
      strategy: "at least one successful",
      listeners: [],
      chains: [
        {
          pattern: "/**",
          line: 16,
          filters: [
            "invalidRequest",
            "noSessionCreation",
            "tokenAuth[permissive]",
            "oauth2Auth[permissive]",
            "authcBasic",
          ],
        },
      ],
    });
  });
});

describe("whatever the pattern and path", () => {
  const segment = fc.constantFrom("a", "b", "ab", "*", "?", "**", "a*", "*b", "a?", "***");
  const word = fc.constantFrom("a", "b", "ab", "aab", "c");

  /** The rules written as a search over all ways, which the matcher walks only once. */
  function slowly(pattern: readonly string[], path: readonly string[]): boolean {
    const [first, ...rest] = pattern;
    if (first === undefined) return path.length === 0;
    if (first === "**") return slowly(rest, path) || (path.length > 0 && slowly(pattern, path.slice(1)));
    const [head, ...tail] = path;
    return head !== undefined && wild([...first], [...head]) && slowly(rest, tail);
  }
  function wild(pattern: readonly string[], text: readonly string[]): boolean {
    const [first, ...rest] = pattern;
    if (first === undefined) return text.length === 0;
    if (first === "*") return wild(rest, text) || (text.length > 0 && wild(pattern, text.slice(1)));
    return text.length > 0 && (first === "?" || first === text[0]) && wild(rest, text.slice(1));
  }

  test("the matcher finds what a search over all ways finds", () => {
    const patterns = fc.array(segment, { minLength: 1, maxLength: 5 });
    const paths = fc.array(word, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        const found = matchesPath(compilePattern(`/${pattern.join("/")}`), segmentsOf(`/${path.join("/")}`));
        expect(found).toBe(slowly(pattern, path));
      }),
      { numRuns: 500 },
    );
  });
});
