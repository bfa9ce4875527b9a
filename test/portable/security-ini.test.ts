// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file format has such placeholders
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { linesOf, readIni } from "../../src/security/ini.ts";
import { collectProblems } from "../../src/security/problem.ts";
import { securityScene } from "./security-scene.ts";

function read(text: string) {
  const lines = linesOf(text);
  const problems = collectProblems("security.ini", lines);
  return { sections: readIni(lines, problems), problems: problems.list() };
}

/** The problems of a file as `severity line:column code`. */
async function problemsOf(text: string | Uint8Array): Promise<readonly string[]> {
  const { loaded } = await securityScene(text);
  return loaded.problems.map(({ severity, line, column, code }) => `${severity} ${line}:${column} ${code}`);
}

const open = "\n[urls]\n/** = anon\n";

describe("places", () => {
  test("an entry knows where its key stands and where each character of its value stands", () => {
    const { sections } = read("[s]\n  key = one \\\n   two \\\n# a comment\n  three\n");
    const [entry] = sections[0]?.entries ?? [];
    expect(entry?.value).toBe("one two three");
    expect(entry?.at).toEqual({ line: 2, column: 3 });
    expect(entry?.valueAt(0)).toEqual({ line: 2, column: 9 });
    expect(entry?.valueAt("one ".length)).toEqual({ line: 3, column: 4 });
    expect(entry?.valueAt("one two ".length)).toEqual({ line: 5, column: 3 });
  });

  test.each([
    ["a byte order mark", "\uFEFF[main]", 1, 1, "byte-order-mark"],
    ["a line without a value", "[main]\n  name", 2, 3, "missing-value"],
    ["a line without a key", "[main]\n= x", 2, 1, "missing-key"],
    ["a repeated section", "[urls]\n/a = anon\n [urls]\n/b = anon", 3, 2, "repeated-section"],
    ["a backslash at the end of the file", "[main]\na = b\\", 2, 1, "unterminated-continuation"],
    ["a backslash at the end of a section", "[main]\na = b\\\n[urls]", 2, 1, "unterminated-continuation"],
    ["a repeated key", "[main]\na = b\na = c", 3, 1, "repeated-key"],
  ])("%s is reported where it stands", (_, text, line, column, code) => {
    expect(read(text).problems).toMatchObject([{ line, column, code }]);
  });
});

describe("a file that does not mean what it seems to say is refused", () => {
  test.each([
    ["[MAIN] in the wrong case", `[MAIN]\nx = anon${open}`, "error 1:1 unknown-section"],
    ["[Urls] in the wrong case", "[Urls]\n/** = anon", "error 1:1 unknown-section"],
    ["an unknown section", `[url]\n/** = anon${open}`, "error 1:1 unknown-section"],
    ["a comment behind a header", `[main] # ours\n${open}`, "error 1:1 unknown-section"],
    ["lines in front of [main]", `x = anon\n[main]\ny = anon${open}`, "error 1:1 ignored-lines"],
    ["no [urls]", "[main]\nx = anon\n", "error 1:1 no-chains"],
    ["an empty file", "", "error 1:1 no-chains"],
    ["a repeated [urls]", `[urls]\n/a = authcBasic${open}`, "error 3:1 repeated-section"],
    ["a NUL inside a line", `[main]\na\0b = c${open}`, "error 2:2 not-text"],
  ])("%s", async (_, text, problem) => {
    expect(await problemsOf(text)).toContain(problem);
  });

  test("bytes that are not UTF-8", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("[main]\n# caf"), 0xe9]);
    expect(await problemsOf(bytes)).toContain("error 2:6 not-text");
  });

  test("bytes of UTF-8 are read as text", async () => {
    expect(await problemsOf(new TextEncoder().encode(`# café${open}`))).toEqual([]);
  });

  test("a file of more than 1 MiB", async () => {
    expect(await problemsOf(`#${"x".repeat(1_048_575)}`)).toEqual(["error 1:1 no-chains"]);
    expect(await problemsOf(`#${"x".repeat(1_048_576)}`)).toContain("error 1:1 too-large");
  });

  test("all errors of a file come in one run, with the nearest name and without secrets", async () => {
    const { loaded } = await securityScene(
      [
        "[main]",
        "realm = IniRealn",
        "authcBasic.aplicationName = x",
        "oauth2Auth.clientSecret = hunter2 \\",
        "  hunter3",
        "oauth2Auth.clientSecret.x = hunter4",
        "[users]",
        "alice = wonder, admin",
        "bob",
        "[urls]",
        "/a = authcBasik[permissive",
        "** = authcBasic",
        "/c = roles",
      ].join("\n"),
    );
    expect(loaded.pipeline).toBeUndefined();
    expect(loaded.problems.map(({ line, code, fix }) => `${line} ${code}: ${fix}`)).toEqual([
      "2 unknown-class: Perhaps IniRealm is meant",
      "3 unknown-property: Perhaps applicationName is meant",
      "6 unknown-property: Perhaps clientSecret is meant",
      expect.stringMatching(/^9 missing-value: /),
      "11 unknown-filter: Perhaps authcBasic is meant",
      "11 bad-chain: Add the ] that is missing",
      "12 bad-pattern: Write /**",
      expect.stringMatching(/^13 bad-words: /),
    ]);
    expect(JSON.stringify(loaded.problems)).not.toMatch(/hunter|wonder/);
    for (const { source, message, text, fix } of loaded.problems) {
      expect(source).toBe("security.ini");
      expect(message).toMatch(/^[A-Z[a-z].*[^.]$/s);
      expect(fix).not.toBe("");
      expect(text).not.toBe("");
    }
  });

  test("more than a thousand errors are not listed, and the file is still refused", async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `x${index}.y = z`).join("\n");
    expect(await problemsOf(`[main]\n${lines(1000)}${open}`)).toHaveLength(1000);
    const more = await problemsOf(`[main]\n${lines(1001)}`);
    expect(more).toHaveLength(1001);
    expect(more.at(-1)).toContain("too-many-problems");
  });

  test("warnings do not push errors off the list", async () => {
    const problems = await problemsOf(`[users]\n${"u = p\n".repeat(500)}[urls]\n** = anon\n`);
    expect(problems).toContain("error 503:1 bad-pattern");
    expect(problems.filter((problem) => problem.startsWith("warning"))).toHaveLength(201);
  });
});

describe("the default", () => {
  test("is the specification's objects, options and rule, and has no problem", async () => {
    const { sections, problems } = read(defaultSecurityIni);
    expect(problems).toEqual([]);
    expect(sections.map(({ name, entries }) => [name, entries.map(({ key, value }) => `${key} = ${value}`)])).toEqual([
      [
        "main",
        [
          "serviceRealm = com.service.security.auth.DefaultServiceRealm",
          "tokenAuth = com.service.security.auth.TokenAuthenticationFilter",
          "deny = com.service.security.auth.DenyFilter",
          "oauth2Auth = com.service.security.auth.BearerAuthenticationFilter",
          "oauth2Auth.allowConfigUpdate = true",
          "securityManager.realms = $serviceRealm",
          "authcBasic.applicationName = serviceRealm",
          "invalidRequest.blockSemicolon = false",
          "invalidRequest.blockBackslash = false",
          "invalidRequest.blockNonAscii = false",
        ],
      ],
      ["urls", ["/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic"]],
    ]);
    expect(await problemsOf(defaultSecurityIni)).toEqual([]);
  });

  test("is read the same under the reference product's class names", async () => {
    const other = defaultSecurityIni
      .replaceAll("com.service.", "com.vidispine.")
      .replaceAll("DefaultServiceRealm", "DefaultVidispineRealm");
    expect(await problemsOf(other)).toEqual([]);
  });
});

describe("whatever the text", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "[main]",
      "[users]",
      "[roles]",
      "[urls]",
      "[",
      "]",
      "\n",
      "\\\n",
      "\\",
      " = ",
      ":",
      ".",
      ",",
      "$",
      "${",
      "${X}",
      "${file:x}",
      "}",
      '"',
      '""',
      "null",
      "#",
      "\0",
      "\uFEFF",
      "\u2028",
      "/**",
      "a",
      "b = IniRealm\n",
      "b.credentialsMatcher = $b\n",
      "securityManager.realms",
      "filterChainResolver.globalFilters",
      "oracle.GraphBean",
      "authcBasic",
      "permissive",
    ),
    fc.string({ unit: "binary" }),
  );
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));

  test("loading ends with a pipeline or with errors that have a place in the file", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (ini) => {
        const { loaded } = await securityScene(ini, { readFile: () => Promise.reject(new Error("no")) });
        const errors = loaded.problems.filter(({ severity }) => severity === "error");
        expect(loaded.pipeline === undefined).toBe(errors.length > 0);
        const lines = linesOf(ini).length;
        for (const { line, column } of loaded.problems) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThan(0);
        }
      }),
    );
  });

  test("what is written by the rules is read back", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9/*_.-]+$/);
    const value = fc
      .stringMatching(/^[!-~]([ -~]*[!-Z^-~])?$/)
      .filter((shown) => !/^[=:]/.test(shown) && !shown.endsWith("\\"));
    const entries = fc.uniqueArray(fc.tuple(word, value), { selector: ([key]) => key, minLength: 1 });
    fc.assert(
      fc.property(entries, (written) => {
        const { sections, problems } = read(`[s]\n${written.map(([key, shown]) => `${key} = ${shown}`).join("\n")}`);
        expect(problems).toEqual([]);
        expect(sections[0]?.entries.map(({ key, value: shown }) => [key, shown])).toEqual(written);
      }),
    );
  });

  /** 200 kB of one thing: reading must take time in proportion to the text. */
  test.each([
    ["one line", "x".repeat(200_000)],
    ["one value", `[main]\na = ${"x".repeat(200_000)}`],
    ["open brackets", `[urls]\n/** = ${"[".repeat(200_000)}`],
    ["closing brackets", `[urls]\n/** = ${"]".repeat(200_000)}`],
    ["commas", `[urls]\n/** = ${",".repeat(200_000)}`],
    ["one filter again and again", `[urls]\n/** = ${"nosuch[a],".repeat(20_000)}`],
    ["quotes", `[users]\na = ${'"'.repeat(200_000)}\n`],
    ["continuations", `[main]\n${"a\\\n".repeat(60_000)}`],
    ["backslashes", `[main]\na = ${"\\".repeat(199_999)}`],
    ["NUL", "\0".repeat(200_000)],
    ["open placeholders", `[main]\na.b = ${"${".repeat(100_000)}`],
    ["placeholders", `[main]\na.b = ${"${x}".repeat(50_000)}`],
    ["sections", "[a]\n".repeat(60_000)],
    ["dots", `[main]\n${".".repeat(200_000)} = x`],
    ["a path of properties", `[main]\nb = oracle.GraphBean\nb.child = $b\nb${".child".repeat(30_000)}.text = x`],
    [
      "misspelt long names",
      `[main]\n${Array.from({ length: 1500 }, (_, i) => `${"n".repeat(120)}${i} = x`).join("\n")}`,
    ],
  ])("200 kB of %s end in errors", async (_, ini) => {
    const { loaded } = await securityScene(ini);
    expect(loaded.pipeline).toBeUndefined();
    for (const { text: shown, message } of loaded.problems) {
      expect(shown.length).toBeLessThanOrEqual(121);
      expect(message.length).toBeLessThan(1000);
    }
  });
});
