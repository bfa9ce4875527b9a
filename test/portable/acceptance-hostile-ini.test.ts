// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file format has such placeholders
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineFilter, defineRealm, type Plugin, StartError } from "../../src/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { linesOf } from "../../src/security/ini.ts";
import type { Problem } from "../../src/security/problem.ts";
import { startService, type TestService } from "./harness.ts";
import { securityScene } from "./security-scene.ts";

const main = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
securityManager.realms = $serviceRealm
`;
const urls = "[urls]\n/** = tokenAuth[permissive], authcBasic\n";

/** Why a service does not start; fails when it does. Nothing may take longer than the start time-out of a second. */
async function refusal(ini: string, plugins: readonly Plugin[] = []): Promise<StartError> {
  const settings = { startTimeoutSeconds: 1 };
  const started = await startService({ ini, plugins, settings }).catch((error: unknown) => error);
  if (started instanceof StartError) return started;
  if (started instanceof Error) throw started;
  await (started as TestService).close();
  throw new Error("The service starts");
}

describe("a file that cannot be meant ends the start with every error", () => {
  test.each<[string, string, RegExp]>([
    ["one line of 200 kB", "x".repeat(200_000), /^security\.ini:1:1: The line has no value/m],
    ["a value of 200 kB", `${main}a = ${"x".repeat(200_000)}\n${urls}`, /^security\.ini:5:5: No plugin has this name/m],
    [
      "deep brackets",
      `${main}[urls]\n/** = ${"tokenAuth[".repeat(20_000)}`,
      /^security\.ini:6:16: The bracket \[ is never/m,
    ],
    [
      "brackets in brackets",
      `${main}[urls]\n/** = a${"[".repeat(5000)}x${"]".repeat(5000)}`,
      /There is no filter named a/,
    ],
    ["nothing but bytes", "\0\u0001\uFFFD\n".repeat(5000), /^security\.ini:1:1: The file is not text in UTF-8/m],
    ["a picture", `\uFFFDPNG\r\n\u001a\n${"\0\uFFFDIHDR\n".repeat(300)}`, /The file is not text in UTF-8/],
    ["another program's file", '{ "main": { "realm": "x" } }\n', /There is no \[urls\]/],
    ["nothing", "", /There is no \[urls\]/],
    ["only comments", "# a\n; b\n", /There is no \[urls\]/],
    [
      "a class that does not exist",
      `${main}a = com.acme.NoSuchRealm\n${urls}`,
      /:5:5: No plugin has this name: com\.acme/,
    ],
    [
      "a class of the network",
      `${main}a = https://evil.example/x.js\n${urls}`,
      /:5:5: Code is not loaded from an address/,
    ],
    ["a class that is data", `${main}a = data:text/javascript,1\n${urls}`, /:5:5: Code is not loaded from an address/],
    ["a class outside of the ext folder", `${main}a = ./../../etc/x.ts\n${urls}`, /:5:5: There is no such module/],
    ["a million continuations", `${main}a = ${"b,\\\n".repeat(240_000)}`, /ends in a backslash, but no line/],
    [
      "a chain of 100,000 filters in as many lines",
      `${main}[urls]\n/** = ${"nosuch,\\\n".repeat(100_000)}x`,
      /no filter named nosuch/,
    ],
  ])("%s", async (_, ini, message) => {
    const { problems, message: whole } = await refusal(ini);
    expect(whole).toMatch(message);
    expect(problems.length).toBeLessThanOrEqual(1201);
    for (const { place, message: sentence, fix, text = "" } of problems) {
      expect(place).toMatch(/^security\.ini:\d+:\d+$/);
      expect(text.length).toBeLessThanOrEqual(121);
      expect(sentence.length).toBeLessThan(400);
      expect(sentence).toMatch(/^[^a-z]/);
      expect(fix).not.toBe("");
      expect(`${text}${sentence}${fix}`).not.toMatch(/\p{Cc}/u);
    }
  });

  test("each wrong name in a list and each circle is told, what follows from another error is not", async () => {
    const node = { names: ["Node"], properties: { next: { type: "reference" } } } as const;
    const nodes = defineFilter({ ...node, create: () => ({ handle: () => "next" }) });
    const ini = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRelm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
securityManager.realms = $serviceRealm, $staticRelm, $iniRelm
a = Node
b = Node
c = Node
d = Node
a.next = $b
b.next = $a
c.next = $d
d.next = $c
${urls}`;
    const { problems } = await refusal(ini, [nodes]);
    expect(problems.map(({ place, message }) => `${place} ${message}`)).toEqual([
      expect.stringContaining(":2:16 No plugin has this name"),
      expect.stringContaining(":4:41 No object named staticRelm"),
      expect.stringContaining(":4:54 No object named iniRelm"),
      expect.stringContaining("in a circle: a → b → a"),
      expect.stringContaining("in a circle: c → d → c"),
    ]);
  });
});

describe("a plugin that misbehaves ends the start with its name, its line and a fix", () => {
  const never = () => new Promise<never>(() => {});
  const fails = () => {
    throw new Error("no server at ldap.example");
  };
  const filter = (name: string, parts: object): Plugin =>
    defineFilter({ names: [name], create: () => ({ handle: () => "next", ...parts }) });
  const made = (name: string, create: () => unknown): Plugin => ({ kind: "realm", names: [name], create }) as Plugin;

  const cases: readonly (readonly [what: string, plugin: Plugin, message: string])[] = [
    ["throws", made("Throws", fails), "Making o by the plugin Throws failed: no server at ldap.example"],
    ["rejects", made("Rejects", () => Promise.reject(new Error("no"))), "Making o by the plugin Rejects failed: no"],
    [
      "throws a text",
      made("ThrowsText", () => Promise.reject("text")),
      "Making o by the plugin ThrowsText failed: text",
    ],
    ["never answers", made("Never", never), "Making o by the plugin Never did not finish within 1 s"],
    ["makes nothing", made("Nothing", () => undefined), "What the plugin Nothing made for o is not an object"],
    ["makes a text", made("Text", () => "realm"), "What the plugin Text made for o is not an object"],
    ["makes another thing", made("Other", () => ({ handle: () => "next" })), "has no function authenticate"],
    ["starts with a failure", filter("FailStart", { start: fails }), "Starting o (plugin FailStart) failed: no server"],
    [
      "starts with a rejection",
      filter("RejectStart", { start: () => Promise.reject(new Error("late")) }),
      "Starting o (plugin RejectStart) failed: late",
    ],
    ["never has started", filter("SlowStart", { start: never }), "failed: did not finish within 1 s"],
  ];

  test.each(cases)("that %s", async (_, plugin, message) => {
    const { problems } = await refusal(`${main}o = ${plugin.names[0]}\n${urls}`, [plugin]);
    expect(problems).toEqual([
      {
        place: "security.ini:5:1",
        text: `o = ${plugin.names[0]}`,
        message: expect.stringContaining(message),
        fix: expect.stringMatching(/^[A-Z].*[^.]$/),
      },
    ]);
  });

  test("all that are made wrongly in one run, and all that do not start in one run", async () => {
    const lines = (from: number, to: number) =>
      cases
        .slice(from, to)
        .map(([, plugin], index) => `o${index} = ${plugin.names[0]}\n`)
        .join("");
    const plugins = cases.map(([, plugin]) => plugin);
    expect((await refusal(`${main}${lines(0, 7)}${urls}`, plugins)).problems).toHaveLength(7);
    expect((await refusal(`${main}${lines(7, 10)}${urls}`, plugins)).problems).toHaveLength(3);
  });

  test("what has started is stopped again, also when it comes too late", async () => {
    const events: string[] = [];
    let release: () => void = () => undefined;
    const plugins = [
      filter("Good", { start: () => void events.push("good started"), stop: () => void events.push("good stopped") }),
      filter("Late", {
        start: () => new Promise<void>((resolve) => (release = resolve)),
        stop: () => void events.push("late stopped"),
      }),
    ];
    await refusal(`${main}good = Good\nlate = Late\n${urls}`, plugins);
    expect(events).toEqual(["good started", "good stopped"]);
    release();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(events).toEqual(["good started", "good stopped", "late stopped"]);
  });

  test("two plugins of one name, and a thing that is no plugin", async () => {
    const twice = [filter("Same", {}), filter("Same", {})];
    expect((await refusal(`${main}${urls}`, twice)).message).toContain("Two plugins have the name Same");
    const odd = { kind: "reallm", names: ["Odd"], create: () => ({}) } as unknown as Plugin;
    expect((await refusal(`${main}${urls}`, [odd])).message).toContain('the kind "reallm", perhaps "realm" is meant');
  });

  test("its secrets are in no message", async () => {
    const leaky = defineRealm({
      names: ["Leaky"],
      properties: { password: "string" },
      create: ({ password }) => Promise.reject(new Error(`cannot log in with ${password}`)),
    });
    const { message } = await refusal(`${main}o = Leaky\no.password = hunter2\n${urls}`, [leaky]);
    expect(message).toContain("cannot log in with …");
    expect(message).not.toContain("hunter2");
  });
});

describe("whatever the text", () => {
  const name = fc.constantFrom(
    "a",
    "b",
    "iniRealm",
    "authcBasic",
    "tokenAuth",
    "securityManager",
    "shiro",
    "x.y",
    "deny",
  );
  const className = fc.constantFrom("IniRealm", "DefaultServiceRealm", "tokenAuth", "deny", "No.Such", "./x.ts", "$a");
  const property = fc.constantFrom(
    "enabled",
    "applicationName",
    "realms",
    "credentialsMatcher",
    "class",
    "m[k]",
    "l[0]",
    "",
  );
  const value = fc.oneof(
    fc.constantFrom(
      "true",
      "$a",
      "$a, $b, $c",
      '""',
      "null",
      "${X}",
      "${file:/etc/passwd}",
      "${X:-y}",
      "a:b, c:d",
      '"',
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  const pattern = fc.constantFrom(
    "/**",
    "/a",
    "/A/",
    "/a/**",
    "**",
    "/a/*/b",
    "/%41",
    "/a;b",
    "/..",
    '"/x"',
    "/\u212a",
  );
  const words = fc.constantFrom("", "[permissive]", "[]", "[a,b]", '["a,b"]', "[[a]", "[a", "]");
  const step = fc
    .tuple(fc.constantFrom("anon", "authcBasic", "tokenAuth", "roles", "perms", "ip", "deny", "authc", "a", ""), words)
    .map((parts) => parts.join(""));
  const line = fc.oneof(
    fc.tuple(name, className).map(([key, text]) => `${key} = ${text}`),
    fc.tuple(name, property, value).map(([key, path, text]) => `${key}.${path} = ${text}`),
    fc.tuple(pattern, fc.array(step, { maxLength: 4 })).map(([key, steps]) => `${key} = ${steps.join(", ")}`),
    fc.tuple(name, value).map(([key, text]) => `${key} : ${text}`),
    fc.constantFrom(
      "[main]",
      "[urls]",
      "[users]",
      "[roles]",
      "[x]",
      "[",
      "# c",
      "a = b \\",
      "\\",
      "\uFEFF",
      "a",
      "= b",
    ),
    fc.string({ maxLength: 20 }),
  );
  const breaks = fc.constantFrom("\n", "\r\n", "\r", "\u2028", "\n\n");
  const ini = fc.array(fc.tuple(line, breaks), { maxLength: 30 }).map((lines) => lines.flat().join(""));

  /** What holds for every list of problems. */
  function expectSound(problems: readonly Problem[], text: string): void {
    const { length } = linesOf(text);
    for (const { line: at, column, message, fix, text: shown } of problems) {
      expect(at >= 1 && at <= length && column >= 1).toBe(true);
      expect(message !== "" && fix !== "").toBe(true);
      expect(shown.length).toBeLessThanOrEqual(121);
    }
  }

  test("loading ends, with a pipeline or with errors that have a place", async () => {
    await fc.assert(
      fc.asyncProperty(ini, async (text) => {
        const { loaded } = await securityScene(text);
        const errors = loaded.problems.filter(({ severity }) => severity === "error");
        expect(loaded.pipeline === undefined).toBe(errors.length > 0);
        expectSound(loaded.problems, text);
      }),
      { numRuns: 300 },
    );
  });

  test("a slip of the pen in the default file never opens a path", async () => {
    const at = fc.nat({ max: defaultSecurityIni.length });
    const slip = fc.record({
      at,
      cut: fc.nat({ max: 3 }),
      put: fc.oneof(
        fc.constantFrom("", "[", "]", ",", "\n", "#", "=", ":", "/", "\\", '"', "*", " ", ";", "$"),
        fc.string({ maxLength: 2 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(slip, { minLength: 1, maxLength: 3 }), async (slips) => {
        const text = slips.reduce(
          (file, { at: from, cut, put }) => file.slice(0, from) + put + file.slice(from + cut),
          defaultSecurityIni,
        );
        const { loaded, pipeline, send } = await securityScene(text);
        expectSound(loaded.problems, text);
        if (loaded.pipeline === undefined) return;
        expect(pipeline().describe().chains).not.toEqual([]);
        for (const path of ["/", "/API/version", "/whoami"]) {
          const served = await send(path).then(
            (sent) => sent.served,
            () => false,
          );
          expect([path, served]).toEqual([path, false]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
