// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file format has such placeholders
import { describe, expect, test } from "vitest";
import {
  defineCredentialsMatcher,
  defineFilter,
  defineRealm,
  defineUserInfoProvider,
  type Plugin,
  type StandardSchema,
} from "../../src/plugin/mod.ts";
import { optionalPlugins, type SceneOptions, type SecurityScene, securityScene } from "./security-scene.ts";

const rule = "\n[urls]\n/** = anon\n";

/** Loads `[main]` with these lines and plugins beside the built-in ones. */
function main(lines: string, plugins: readonly Plugin[] = [], options: SceneOptions = {}): Promise<SecurityScene> {
  return securityScene(`[main]\n${lines}${rule}`, { plugins: [...optionalPlugins, ...plugins], ...options });
}

function told({ loaded }: SecurityScene): readonly string[] {
  return loaded.problems.map(({ line, column, code, message, fix }) => `${line}:${column} ${code} ${message}. ${fix}`);
}

/** A plugin that notes the properties that it gets. */
function noting(properties: Plugin["properties"]) {
  const got: unknown[] = [];
  const plugin = {
    kind: "userInfoProvider",
    names: ["Noting"],
    properties,
    create(values: unknown) {
      got.push(values);
      return { userInfo: () => undefined };
    },
  } as const satisfies Plugin;
  return { plugin, got };
}

describe("names of plugins", () => {
  const acme = defineRealm({
    names: ["StaticUserRealm", "com.acme.StaticUserRealm"],
    create: () => ({ accepts: "password", authenticate: () => "not mine" }),
  });
  const module = { file: "users.ts", exports: { default: acme, second: { ...acme, names: ["Second"] as const } } };

  test.each([
    "StaticUserRealm",
    "com.acme.StaticUserRealm",
    "./users.ts",
    "./users.ts#default",
    "./users.ts#second",
    "Second",
  ])("%s finds the plugin", async (name) =>
    expect(told(await main(`r = ${name}`, [], { modules: [module] }))).toEqual([]),
  );

  test.each([
    ["./nosuch.ts", "2:5 unknown-class There is no such module in the ext folder: ./nosuch.ts"],
    ["./user.ts", "Perhaps ./users.ts is meant"],
    ["./users.ts#nosuch", "Write ./users.ts#default or ./users.ts#second"],
    ["com.acme.StaticUserRelm", "Perhaps com.acme.StaticUserRealm is meant"],
    ["org.example.IniRealm", "Perhaps IniRealm is meant"],
    ["https://example.org/realm.ts", "2:5 refused-class Code is not loaded from an address"],
    ["data:text/javascript,export default 1", "refused-class"],
    ["node:fs", "refused-class"],
    ["npm:some-realm", "refused-class"],
    ["$iniRealm", "Write the name of a plugin, not $name"],
    ["org.apache.shiro.web.filter.authc.FormAuthenticationFilter", "not-offered"],
    ["org.apache.shiro.authc.credential.Md5CredentialsMatcher", "MD5 and SHA-1 are broken"],
  ])("%s is refused", async (name, problem) => {
    const scene = await main(`r = ${name}`, [], { modules: [module] });
    expect(told(scene).join("\n")).toContain(problem);
  });

  test("two plugins with one name, and what is no plugin, are errors", async () => {
    const wrong = [{ ...acme }, { kind: "realm", names: ["X"] } as unknown as Plugin, undefined as unknown as Plugin];
    const problems = told(await main("", [acme, ...wrong])).join("\n");
    expect(problems).toContain("Two plugins have the name StaticUserRealm");
    expect(problems).toContain("The plugin X has no create function");
    expect(problems).toContain("The plugin without a name is undefined");
  });
});

describe("properties", () => {
  const table = {
    text: "string",
    number: "integer",
    ratio: { type: "number", default: 0.5 },
    flag: "boolean",
    list: "list",
    set: "set",
    map: "map",
    bytes: "bytes",
    color: { type: "string", values: ["RED", "GREEN"] },
    other: { type: "string", aliases: ["another"] },
    "hsts.enabled": "boolean",
    matcher: { type: "reference", kind: "credentialsMatcher" },
    matchers: { type: "list", kind: "credentialsMatcher" },
  } as const;

  test("are converted as they are declared; what is not set is undefined, empty or the default", async () => {
    const { plugin, got } = noting(table);
    const scene = await main(
      [
        "m = SimpleCredentialsMatcher",
        "n = Noting",
        'n.text = ""',
        "n.number = -12",
        "n.flag = Yes",
        'n.list = a, "b,c", \\$d',
        "n.set = a, b, a",
        'n.map = k:v, "x:y":z',
        "n.map[w] = \\$1",
        "n.bytes = 0x00ff",
        "n.color = GREEN",
        "n.another = by alias",
        "n.hsts.enabled = on",
        "n.matcher = $m",
        "n.matchers = $m",
        "e = Noting",
        "e.text = null",
      ].join("\n"),
      [plugin],
    );
    expect(told(scene)).toEqual([]);
    const matcher = expect.objectContaining({ matches: expect.any(Function) });
    expect(got).toEqual(
      expect.arrayContaining([
        {
          text: "",
          number: -12,
          ratio: 0.5,
          flag: true,
          list: ["a", "b,c", "$d"],
          set: new Set(["a", "b"]),
          map: new Map([
            ["k", "v"],
            ["x:y", "z"],
            ["w", "$1"],
          ]),
          bytes: new Uint8Array([0, 255]),
          color: "GREEN",
          other: "by alias",
          "hsts.enabled": true,
          matcher,
          matchers: [matcher],
        },
        {
          ratio: 0.5,
          list: [],
          set: new Set(),
          map: new Map(),
          matchers: [],
          text: undefined,
          number: undefined,
          flag: undefined,
          bytes: undefined,
          color: undefined,
          other: undefined,
          "hsts.enabled": undefined,
          matcher: undefined,
        },
      ]),
    );
  });

  test.each([
    ["n.number = five", "3:12 bad-value A whole number is expected"],
    ["n.number = 1.5", "bad-value"],
    ["n.number = 9007199254740992", "bad-value"],
    ["n.ratio = 1e999", "bad-value A number is expected"],
    ["n.ratio = null", "The property cannot be null"],
    ["n.flag = maybe", "true or false is expected"],
    ["n.color = red", "perhaps RED is meant"],
    ["n.bytes = 0xf", "hexadecimal"],
    ["n.bytes = !!", "Base64 is expected"],
    ["n.map = a:b:c", "double quotes"],
    ['n.list = ""', "A list or map cannot be an empty text"],
    ["n.list[0] = x", "The property is neither a map nor a list with elements"],
    ["n.list = a\nn.list[1] = x", "The list has no such element"],
    ["n.text[0] = x", "neither a map nor a list"],
    ["n.text = $n", "The property takes text, not an object"],
    ["n.txet = x", "3:1 unknown-property n has no property txet. Perhaps text is meant"],
    ["n.TEXT = x", "unknown-property"],
    ["n. = x", "The line names no property"],
    ["n.matcher = $n", "n is a user info provider; a credentials matcher is expected"],
    ["n.matcher = m", "The property takes an object; write $name"],
    ["n.matcher = $m", "No object named m is defined above this line"],
    ["n.matcher = $securityManager", "a part of the framework itself"],
    ["n.matcher.x = 1", "The property matcher of n is not set to an object above this line"],
    ["m = SimpleCredentialsMatcher\nn.matchers = $m, b", "bad-reference"],
    ["nn.text = x", "3:1 unknown-object No object named nn is defined above this line. Perhaps n is meant"],
    ["n = Noting\nn.text = x\nn = IniRealm", "repeated-key"],
    ["securityManager = Noting", "redefined-object"],
    ["shiro = Noting", "redefined-object"],
    ["authcBasic.applicationName = x\nauthcBasic = authcBasic", "was used before this line defines it"],
    ["shiro.nosuch = x", "None of the objects above this line has a property nosuch"],
    ["securityManager.sessionManager = x", "There are no sessions"],
    ["securityManager.realms = $n", "n is a user info provider; a realm is expected"],
    ["r = IniRealm\nsecurityManager.realms = $r, $r", "The object r is named twice"],
    ["filterChainResolver.globalFilters = nosuch", "unknown-filter There is no filter named nosuch"],
    ["authc.loginUrl = /x", "not-offered"],
  ])("%s is an error", async (line, problem) => {
    const { plugin } = noting(table);
    expect(told(await main(`n = Noting\n${line}`, [plugin])).join("\n")).toContain(problem);
  });

  test("a required property must be set", async () => {
    const { plugin } = noting({ url: { type: "string", required: true } });
    expect(told(await main("n = Noting", [plugin]))).toEqual([
      "2:1 missing-property The property url of n must be set. Add: n.url = value",
    ]);
  });

  test("a path leads over references that are set", async () => {
    const matcher = noting({ rounds: "integer" });
    const plugin = {
      ...matcher.plugin,
      kind: "credentialsMatcher",
      names: ["M"],
      create(values: unknown) {
        matcher.got.push(values);
        return { matches: () => true };
      },
    } as const;
    const scene = await securityScene(
      `[main]\nm = M\niniRealm.credentialsMatcher = $m\niniRealm.credentialsMatcher.rounds = 5\n[users]\na = b${rule}`,
      { plugins: [...optionalPlugins, plugin] },
    );
    expect(told(scene)).toEqual([]);
    expect(matcher.got).toEqual([{ rounds: 5 }]);
  });

  test("shiro.name sets a property on every object above that has it", async () => {
    const { plugin, got } = noting({ text: "string" });
    await main("a = Noting\nshiro.text = all\nb = Noting\nc = Noting\na.text = own", [plugin]);
    expect(got).toEqual([{ text: "own" }, { text: undefined }, { text: undefined }]);
  });

  test("objects that refer to each other in a circle are an error", async () => {
    const { plugin } = noting({ next: { type: "reference" } });
    const lines = "a = Noting\nb = Noting\na.next = $b\nb.next = $a";
    expect(told(await main(lines, [plugin])).join()).toContain("Objects refer to each other in a circle: a → b → a");
  });

  test("an object is made after those that it refers to, also where it stands first", async () => {
    const { plugin, got } = noting({ name: "string", next: { type: "reference" } });
    await main("a = Noting\na.name = first\nb = Noting\nb.name = second\na.next = $b", [plugin]);
    expect(got).toMatchObject([{ name: "second" }, { name: "first" }]);
  });
});

describe("properties of a Standard Schema", () => {
  type Seen = Readonly<Record<string, unknown>>;
  /** A schema as validation libraries write them: reads its own keys, drops the others. */
  function schema(check: (input: Seen) => Seen | string): StandardSchema<unknown, unknown> {
    const validate = (value: unknown) => {
      const result = check(value as Seen);
      return typeof result === "string" ? { issues: [{ message: result, path: ["limit"] }] } : { value: result };
    };
    return { "~standard": { version: 1, vendor: "test", validate } };
  }
  const limits = schema(({ limit, extra }) =>
    Number(limit) > 0 ? { limit: Number(limit), extra } : "Must be positive",
  );

  test("get the texts, the objects that are referred to, and entries of maps", async () => {
    const { plugin, got } = noting(limits);
    const scene = await main("m = SimpleCredentialsMatcher\nn = Noting\nn.limit = 5\nn.extra = $m", [plugin]);
    expect(told(scene)).toEqual([]);
    expect(got).toEqual([{ limit: 5, extra: expect.objectContaining({ matches: expect.any(Function) }) }]);
    const entries = noting(schema(({ extra }) => ({ extra })));
    await main("n = Noting\nn.extra[a] = b\nn.extra[c] = \\$d", [entries.plugin]);
    expect(entries.got).toEqual([{ extra: { a: "b", c: "$d" } }]);
  });

  test("report their issues at the line of the property", async () => {
    const { plugin } = noting(limits);
    expect(told(await main("n = Noting\nn.limit = -1", [plugin]))).toEqual([
      "3:1 bad-value Must be positive (property limit of n). Correct the value",
    ]);
  });

  test("must read every property that the file sets", async () => {
    const { plugin } = noting(limits);
    expect(told(await main("n = Noting\nn.limit = 1\nn.limt = 2", [plugin])).join()).toContain(
      "4:1 unknown-property n has no property limt",
    );
  });

  test("may validate asynchronously, throw, or never end", async () => {
    const validations = [() => Promise.reject(new Error("broken")), () => new Promise<never>(() => {})];
    const [broken, endless] = validations.map(
      (validate) => ({ "~standard": { version: 1, vendor: "test", validate } }) as const,
    );
    expect(told(await main("n = Noting", [noting(broken).plugin])).join()).toContain("failed: broken");
    const late = await main("n = Noting", [noting(endless).plugin], { startTimeoutMs: 1 });
    expect(told(late).join()).toContain("did not finish within 0.001 s");
  });
});

describe("values from outside", () => {
  const variables = (name: string) => ({ NAME: "Ann", SECRET: "s3cr3t, $m", EMPTY: "" })[name];
  const readFile = (path: string) => {
    if (path === "/broken") return Promise.reject(new Error("EACCES"));
    return Promise.resolve(path === "/secret" ? "from file\n" : undefined);
  };

  test.each([
    ["${NAME}", "Ann"],
    ["Hello ${env:NAME}!", "Hello Ann!"],
    ["${NAME}${NAME}", "AnnAnn"],
    ["${NOSUCH:-other}", "other"],
    ["${EMPTY:-other}", "other"],
    ["${EMPTY}", ""],
    ["${NOSUCH:-}", ""],
    ["${file:/secret}", "from file"],
    ["${file:/nosuch:-x}", "x"],
    ["${SECRET}", "s3cr3t, $m"],
    ["$NAME}", undefined],
  ])("%s is %j", async (written, value) => {
    const { plugin, got } = noting({ text: "string" });
    await main(`n = Noting\nn.text = ${written}`, [plugin], { variables, readFile });
    expect(got).toEqual(value === undefined ? [] : [{ text: value }]);
  });

  test.each([
    [
      "x${NOSUCH}",
      "3:11 interpolation The environment variable NOSUCH is not set. Set NOSUCH, or write ${NOSUCH:-default}",
    ],
    ["${}", "The ${} names nothing"],
    ["${NAME", "The ${ is never closed"],
    ["${sys:NAME}", "There is no look-up named sys"],
    ["${script:javascript:1}", "There is no look-up named script"],
    ["${file:/nosuch}", "The file /nosuch does not exist"],
    ["${file:/broken}", "The file /broken cannot be read"],
  ])("%s is an error", async (written, problem) => {
    const { plugin } = noting({ text: "string" });
    const scene = await main(`n = Noting\nn.text = ${written}`, [plugin], { variables, readFile });
    expect(told(scene)).toHaveLength(1);
    expect(told(scene)[0]).toContain(problem);
  });

  test("files are refused where there is no file system", async () => {
    expect(told(await main("authcBasic.applicationName = ${file:/secret}")).join()).toContain("no file system");
  });

  test("lists and maps are divided after the values are filled in, and a dollar in them is a dollar", async () => {
    const { plugin, got } = noting({ list: "list" });
    await main("n = Noting\nn.list = a, ${SECRET}", [plugin], { variables });
    expect(got).toEqual([{ list: ["a", "s3cr3t", "$m"] }]);
  });

  test("no message and no log record shows a value from outside or of a secret property", async () => {
    const leaky = defineFilter({
      names: ["Leaky"],
      properties: { apiToken: "string", level: "integer", text: "string" },
      create({ apiToken, text }, { log }) {
        log.warn(`made with ${apiToken}`, { text });
        throw new Error(`cannot use ${apiToken} and ${text}`);
      },
    });
    const scene = await main(
      "a = Leaky\na.apiToken = t0k3n-value\na.text = ${SECRET}\nb = Leaky\nb.level = ${SECRET}\nb.apiToken = $x",
      [leaky],
      { variables },
    );
    expect(told(scene).join("\n")).toContain("Making a by the plugin Leaky failed: cannot use … and …");
    expect(told(scene).join("\n")).toContain("6:11 bad-value");
    expect(JSON.stringify([scene.loaded, scene.records])).not.toMatch(/s3cr3t|t0k3n/);
    expect(scene.records).toMatchObject([{ message: "made with …", properties: { text: "…" } }]);
  });
});

describe("plugins that misbehave", () => {
  const misbehaving = (name: string, create: Plugin["create"]): Plugin => ({ kind: "realm", names: [name], create });

  test("each is named, with its object and line, in one run and within the start time-out", async () => {
    const plugins = [
      misbehaving("Throws", () => {
        throw new Error("no luck");
      }),
      misbehaving("Rejects", () => Promise.reject(new TypeError("later no luck"))),
      misbehaving("ThrowsText", () => {
        throw "just text";
      }),
      misbehaving("Hangs", () => new Promise(() => {})),
      misbehaving("HangsToo", () => new Promise(() => {})),
      misbehaving("Nothing", () => undefined),
      misbehaving("WrongKind", () => ({ handle: () => "next" })),
      misbehaving("WrongReuse", () => ({ accepts: "password", reuseSeconds: 61, authenticate: () => "rejected" })),
      misbehaving("WrongAccepts", () => ({ accepts: ["passwords"], authenticate: () => "rejected" })),
    ];
    const lines = plugins.map(({ names }, index) => `o${index} = ${names[0]}`).join("\n");
    const problems = told(await main(lines, plugins, { startTimeoutMs: 5 }));
    expect(problems).toEqual([
      expect.stringContaining("2:1 plugin-failed Making o0 by the plugin Throws failed: no luck"),
      expect.stringContaining("3:1 plugin-failed Making o1 by the plugin Rejects failed: later no luck"),
      expect.stringContaining("4:1 plugin-failed Making o2 by the plugin ThrowsText failed: just text"),
      expect.stringContaining("5:1 plugin-failed Making o3 by the plugin Hangs did not finish within 0.005 s"),
      expect.stringContaining("6:1 plugin-failed Making o4 by the plugin HangsToo did not finish within 0.005 s"),
      expect.stringContaining("7:1 plugin-shape What the plugin Nothing made for o5 is not an object"),
      expect.stringContaining("8:1 plugin-shape What the plugin WrongKind made for o6 has no function authenticate"),
      expect.stringContaining("9:1 plugin-shape What the plugin WrongReuse made for o7 has reuseSeconds"),
      expect.stringContaining("10:1 plugin-shape What the plugin WrongAccepts made for o8 has no accepts"),
    ]);
  });

  test("what refers to an object that could not be made is not made, and not complained of", async () => {
    const broken = defineCredentialsMatcher({
      names: ["Broken"],
      create: () => {
        throw new Error("broken");
      },
    });
    const { plugin, got } = noting({ matcher: { type: "reference" } });
    expect(told(await main("b = Broken\nn = Noting\nn.matcher = $b", [broken, plugin]))).toHaveLength(1);
    expect(got).toEqual([]);
  });

  test("a predefined object that nothing uses is not made", async () => {
    let made = 0;
    const counted = defineFilter({
      names: ["Counted"],
      predefined: "counted",
      create: () => {
        made++;
        return { handle: () => "next" };
      },
    });
    await main("", [counted]);
    expect(made).toBe(0);
    await securityScene("[urls]\n/a = counted\n/b = counted\n", { plugins: [...optionalPlugins, counted] });
    expect(made).toBe(1);
  });
});

describe("[users] and [roles]", () => {
  test("reach a realm that asks for them, and no other", async () => {
    const seen: unknown[] = [];
    const asking = defineRealm({
      names: ["Asking"],
      sections: true,
      create: (_, { accounts }) => {
        seen.push(accounts);
        return { accepts: "password", authenticate: () => "not mine" };
      },
    });
    const other = defineUserInfoProvider({
      names: ["Other"],
      create: (_, { accounts }) => {
        seen.push(accounts);
        return { userInfo: () => undefined };
      },
    });
    await securityScene(
      `[main]\na = Asking\nb = Other\n[users]\nann = "p,w", x, "y,z"\n[roles]\nx = a:b, "c:d,e"${rule}`,
      {
        plugins: [...optionalPlugins, asking, other],
      },
    );
    expect(seen).toEqual([
      {
        users: new Map([["ann", { password: "p,w", roles: ["x", "y,z"] }]]),
        roles: new Map([["x", ["a:b", "c:d,e"]]]),
      },
      undefined,
    ]);
  });

  test.each([
    ["[users]\nann = p, x\n[roles]\nx = a:b, , c", "error 4:10 bad-account"],
    ["[roles]\nx = a, :", "error 2:8 bad-account"],
    ['[users]\nann = ""', "warning 2:1 bad-account"],
    ['[users]\nann = "p, x', "warning 2:1 bad-account"],
    ["[users]\nann = $shiro2$argon2id$v=19$t=1,m=65536,p=4$c2FsdA$aGFzaA", "warning 2:1 bad-account"],
    ['[users]\nann = "$shiro2$argon2id$v=19$t=1,m=65536,p=4$c2FsdA$aGFzaA"', undefined],
    ["[main]\nr = IniRealm\nsecurityManager.realms = $r\n[users]\nann = p", undefined],
    ["[main]\nr = oracle.StaticRealm\nsecurityManager.realms = $r\n[users]\nann = p", "warning 3:1 ignored-lines"],
  ])("%j", async (text, problem) => {
    const { loaded } = await securityScene(text + rule);
    const found = loaded.problems.map(({ severity, line, column, code }) => `${severity} ${line}:${column} ${code}`);
    expect(found).toEqual(problem === undefined ? [] : [problem]);
  });

  test("passwords are in no problem", async () => {
    const { loaded } = await securityScene(`[users]\nann = "wonder\nbob = build\\\n  er\nbob\n[roles]\nx = :${rule}`);
    expect(loaded.problems.length).toBeGreaterThan(1);
    expect(JSON.stringify(loaded.problems)).not.toMatch(/wonder|build|er"/);
  });
});
