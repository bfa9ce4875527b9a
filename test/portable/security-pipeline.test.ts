import { describe, expect, test } from "vitest";
import { builtInPlugins } from "../../plugins/built-in.ts";
import {
  type AuthenticationResult,
  defineFilter,
  defineRealm,
  type Filter,
  type FilterExchange,
  type FilterOutcome,
  type Lifecycle,
  type Plugin,
  type RealmAnswer,
} from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { oraclePlugins } from "../conformance/oracle.ts";
import { optionalPlugins, requestOf, type SceneOptions, type SecurityScene, securityScene } from "./security-scene.ts";

function filterNamed(name: string, handle: Filter["handle"], parts: Partial<Filter> = {}): Plugin {
  return defineFilter({ names: [name], predefined: name, create: () => ({ ...parts, handle }) });
}

function chain(
  filters: string,
  plugins: readonly Plugin[],
  ini = "",
  options: SceneOptions = {},
): Promise<SecurityScene> {
  return securityScene(`${ini}[urls]\n/** = ${filters}\n`, { plugins: [...optionalPlugins, ...plugins], ...options });
}

describe("a chain", () => {
  test("runs its filters in order and ends with the first answer", async () => {
    const ran: string[] = [];
    const note = (name: string, outcome: () => FilterOutcome | Promise<FilterOutcome>) =>
      filterNamed(name, () => {
        ran.push(name);
        return outcome();
      });
    const answer = new Response("stop", { status: 418 });
    const { send } = await chain("a, b, c, d", [
      note("a", () => "next"),
      note("b", () => Promise.resolve("next")),
      note("c", () => Promise.resolve(answer)),
      note("d", () => "next"),
    ]);
    expect(await send("/x")).toMatchObject({ status: 418, served: false });
    expect(ran).toEqual(["a", "b", "c"]);
  });

  test("makes no promise as long as its filters make none", async () => {
    const { pipeline } = await chain("anon, authcBasic", [], "[users]\nann = pw\n");
    for (const options of [{ basic: ["ann", "pw"] as const }, { basic: ["ann", "no"] as const }, {}]) {
      expect(pipeline().run(requestOf("/x", options))).not.toBeInstanceOf(Promise);
    }
  });

  test.each<[string, () => FilterOutcome | Promise<FilterOutcome>]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["answers nothing", () => undefined as unknown as FilterOutcome],
    ["answers true", () => true as unknown as FilterOutcome],
    ["answers null by a promise", () => Promise.resolve(null as unknown as FilterOutcome)],
    ["answers another word", () => "allow" as FilterOutcome],
  ])("whose filter %s fails the request and never lets it through", async (_, handle) => {
    let reached = false;
    const { send } = await chain("broken, behind", [
      filterNamed("broken", handle),
      filterNamed("behind", () => {
        reached = true;
        return "next";
      }),
    ]);
    await expect(send("/x")).rejects.toThrow(/broken|neither a response nor "next"/);
    expect(reached).toBe(false);
  });

  test("takes responses of another Response class", async () => {
    const odd = { status: 402, headers: new Headers(), body: null } as Response;
    const { send } = await chain("odd", [filterNamed("odd", () => odd)]);
    expect((await send("/x")).status).toBe(402);
  });

  test("leaves out filters that are switched off", async () => {
    const never = filterNamed("never", () => new Response(null, { status: 500 }));
    expect((await (await chain("never, anon", [never], "[main]\nnever.enabled = no\n")).send("/x")).status).toBe(200);
  });

  test("shows filters the request: canonical path, raw target, headers, query, connection", async () => {
    let seen: unknown;
    const look = filterNamed("look", (exchange) => {
      const { method, path, segments, rawTarget, remoteAddress, secure, port, words, permissive, subject } = exchange;
      const header = exchange.header("x-a");
      seen = {
        method,
        path,
        segments,
        rawTarget,
        remoteAddress,
        secure,
        port,
        words,
        permissive,
        subject,
        header,
        q: exchange.query("q"),
      };
      return "next";
    });
    const target = "/API/a%2Fb;v=1/?q=1";
    const { send } = await chain("look", [look], "[main]\nfilterChainResolver.globalFilters = null\n");
    await send(target, { method: "PUT", headers: [["X-A", "1"]], secure: true });
    expect(seen).toEqual({
      method: "PUT",
      path: "/a%2Fb",
      segments: ["a/b"],
      rawTarget: target,
      remoteAddress: "127.0.0.1",
      secure: true,
      port: 443,
      words: [],
      permissive: false,
      subject: undefined,
      header: "1",
      q: "1",
    });
  });
});

describe("a refusal", () => {
  const challenged = filterNamed("challenged", () => "next", { challenge: 'Own realm="x"' });

  test("with 401 carries the challenge of the chain's last scheme, or the filter's own", async () => {
    const refusing = filterNamed("refusing", (exchange) => exchange.refuse(401, { message: "no" }));
    const own = filterNamed("own", (exchange) => exchange.refuse(401, { headers: { "www-authenticate": "Mine" } }));
    const challengeOf = async (filters: string) =>
      (await (await chain(filters, [challenged, refusing, own])).send("/x")).headers.get("www-authenticate");
    expect(await challengeOf("authcBasic[permissive], challenged, refusing")).toBe('Own realm="x"');
    expect(await challengeOf("challenged, authcBasic[permissive], refusing")).toBe('Basic realm="application"');
    expect(await challengeOf("refusing")).toBe('Basic realm="application"');
    expect(await challengeOf("challenged, own")).toBe("Mine");
  });

  test("by what comes behind the pipeline can carry the challenge as well", async () => {
    const { pipeline } = await chain("challenged", [challenged]);
    expect(await pipeline().run(requestOf("/x"))).toMatchObject({ subject: undefined, challenge: 'Own realm="x"' });
  });

  const answering = (answer: RealmAnswer) =>
    defineRealm({
      names: ["Answering"],
      create: () => ({ accepts: ["password", "bearer"], authenticate: () => answer }),
    });
  const realm = "[main]\na = Answering\n";

  test("with 401 is 503 with Retry-After when a realm could not tell and none accepted", async () => {
    const scene = await chain("authcBearer[permissive], roles[x]", [answering("unavailable")], realm);
    const { status, headers } = await scene.send("/x", { headers: [["authorization", "Bearer x"]] });
    expect([status, headers.get("retry-after"), headers.has("www-authenticate")]).toEqual([503, "5", false]);
    expect(scene.records).toContainEqual(expect.objectContaining({ level: "warn", properties: { realm: "a" } }));
    expect((await scene.send("/x")).status).toBe(401);
  });

  test("with 401 is 503 also where the filter looks at nothing but whether it was accepted", async () => {
    const plain = filterNamed("plain", async (exchange): Promise<FilterOutcome> => {
      const { outcome } = await exchange.authenticate({ kind: "password", userName: "a", password: "b" });
      return outcome === "accepted" ? "next" : exchange.refuse(401, { headers: { "WWW-Authenticate": "Basic" } });
    });
    const { send } = await chain("plain", [plain, answering("unavailable")], realm);
    const { status, headers } = await send("/x");
    expect([status, headers.get("retry-after"), headers.has("www-authenticate")]).toEqual([503, "5", false]);
  });

  test("with 401 is 429 when the caller is locked out", async () => {
    const lockout = { isCalm: () => false, check: () => 7, failed: () => {}, succeeded: () => {} };
    const { send } = await chain("authcBasic", [answering("rejected")], realm, { lockout });
    const { status, headers } = await send("/x", { basic: ["a", "b"] });
    expect([status, headers.get("retry-after")]).toEqual([429, "7"]);
  });

  test("of an authenticated caller stays what it is", async () => {
    const scene = await chain(
      "twice, roles[admin]",
      [
        filterNamed("twice", async (exchange): Promise<FilterOutcome> => {
          await exchange.authenticate({ kind: "bearer", token: "x" });
          await exchange.establish({ userName: "ann" });
          return "next";
        }),
        answering("unavailable"),
      ],
      realm,
    );
    expect((await scene.send("/x")).status).toBe(403);
  });
});

describe("a filter that authenticates", () => {
  test("sets the subject for those behind it; a rejection leaves it as it is", async () => {
    const results: AuthenticationResult["outcome"][] = [];
    const names: (string | undefined)[] = [];
    const attempt = (exchange: FilterExchange, password: string) =>
      Promise.resolve(exchange.authenticate({ kind: "password", userName: "ann", password })).then(({ outcome }) => {
        results.push(outcome);
        return "next" as const;
      });
    const { send } = await chain(
      "bad, look, good, bad, look",
      [
        filterNamed("good", (exchange) => attempt(exchange, "pw")),
        filterNamed("bad", (exchange) => attempt(exchange, "no")),
        filterNamed("look", (exchange) => {
          names.push(exchange.subject?.userName);
          return "next";
        }),
      ],
      "[users]\nann = pw, r\n",
    );
    const { subject } = await send("/x");
    expect(results).toEqual(["rejected", "accepted", "rejected"]);
    expect(names).toEqual([undefined, "ann"]);
    expect([subject?.realms, subject?.hasRole("r")]).toEqual([["iniRealm"], true]);
  });

  test("can establish an account of its own, under its own name", async () => {
    const mine = filterNamed("mine", async (exchange): Promise<FilterOutcome> => {
      await exchange.establish({ userName: "eve", roles: ["r"] });
      return "next";
    });
    const { subject } = await (await chain("mine", [mine])).send("/x");
    expect(subject).toMatchObject({ userName: "eve", realms: ["mine"], method: "custom" });
  });
});

describe("the default configuration", () => {
  const identity = {
    authenticate: (credentials: {
      readonly kind: string;
      readonly userName?: string;
      readonly password?: string;
      readonly token?: string;
    }): RealmAnswer => {
      if (credentials.token === "good") return { userName: "tom" };
      if (credentials.userName !== "admin") return "not mine";
      return credentials.password === "pw" ? { userName: "admin" } : "rejected";
    },
  };
  const options: SceneOptions = {
    plugins: builtInPlugins,
    users: { rolesOf: (name) => ({ state: "enabled", roles: new Set(name === "admin" ? ["_administrator"] : []) }) },
    context: (name) => createTestContext({ name, identity }),
  };

  test.each([
    ["a password", { basic: ["admin", "pw"] }, 200],
    ["a wrong password", { basic: ["admin", "no"] }, 401],
    ["an unknown user", { basic: ["nobody", "pw"] }, 401],
    ["nothing", {}, 401],
    ["a token", { headers: [["Authorization", "token good"]] }, 200],
    ["a token that is not valid", { headers: [["Authorization", "token bad"]] }, 401],
    ["a bearer token", { headers: [["Authorization", "Bearer x"]] }, 401],
    ["a broken Basic header", { headers: [["Authorization", "Basic %%%"]] }, 401],
  ] as const)("with %s", async (_, sending, status) => {
    const { send } = await securityScene(defaultSecurityIni, options);
    const sent = await send("/API/whoami", sending);
    expect(sent.status).toBe(status);
    expect(sent.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="serviceRealm"' : null);
  });

  test("a second realm beside the service realm: what either accepts is accepted, what neither accepts is not", async () => {
    const ini = defaultSecurityIni
      .replace(
        "[urls]",
        "static = oracle.StaticRealm\nstatic.users = alice:wonder\nsecurityManager.realms = $serviceRealm, $static\n[urls]",
      )
      .replace("securityManager.realms = $serviceRealm\n", "");
    const plugins = [...builtInPlugins, ...oraclePlugins({ events: [], beans: new Map() })];
    const { send } = await securityScene(ini, { ...options, plugins });
    const statusOf = async (userName: string, password: string) =>
      (await send("/API/version", { basic: [userName, password] })).status;
    expect([await statusOf("admin", "pw"), await statusOf("alice", "wonder")]).toEqual([200, 200]);
    expect([await statusOf("admin", "wonder"), await statusOf("alice", "pw"), await statusOf("eve", "x")]).toEqual([
      401, 401, 401,
    ]);
  });
});

describe("the life of objects", () => {
  function living(names: readonly string[], parts: (name: string, note: (what: string) => void) => Lifecycle) {
    const notes: string[] = [];
    const plugins = names.map((name) =>
      defineRealm({
        names: [name],
        create: () => ({
          accepts: "password",
          authenticate: () => "not mine",
          ...parts(name, (what) => notes.push(`${name} ${what}`)),
        }),
      }),
    );
    const lines = names.map((name) => `${name.toLowerCase()} = ${name}`).join("\n");
    return { notes, load: (options: SceneOptions = {}) => chain("anon", plugins, `[main]\n${lines}\n`, options) };
  }

  test("they start in order and stop in the reverse order", async () => {
    const { notes, load } = living(["A", "B"], (_, note) => ({
      start: () => note("start"),
      stop: async () => note("stop"),
    }));
    const pipeline = (await load()).pipeline();
    expect(notes).toEqual([]);
    await pipeline.start();
    await pipeline.stop();
    await pipeline.stop();
    expect(notes).toEqual(["A start", "B start", "B stop", "A stop"]);
  });

  test.each<[string, () => void | Promise<void>, string]>([
    [
      "throws",
      () => {
        throw new Error("no port");
      },
      "Starting b (plugin B) failed: no port",
    ],
    ["never ends", () => new Promise(() => {}), "Starting b (plugin B) failed: did not finish within 0.005 s"],
  ])("one whose start %s is named, and those that had started are stopped", async (_, start, message) => {
    const { notes, load } = living(["A", "B", "C"], (name, note) => ({
      start: () => (name === "B" ? start() : note("start")),
      stop: () => note("stop"),
    }));
    await expect((await load({ startTimeoutMs: 5 })).pipeline().start()).rejects.toThrow(message);
    expect(notes).toEqual(["A start", "C start", "C stop", "A stop"]);
  });

  test("a failing stop does not keep the others from stopping", async () => {
    const { notes, load } = living(["A", "B"], (name, note) => ({
      stop: () => {
        note("stop");
        if (name === "B") throw new Error("stuck");
      },
    }));
    const scene = await load();
    await scene.pipeline().start();
    await scene.pipeline().stop();
    expect(notes).toEqual(["B stop", "A stop"]);
    expect(scene.records).toContainEqual(
      expect.objectContaining({ level: "error", properties: { object: "b", reason: "stuck" } }),
    );
  });

  test("their health is told by name; one that fails or hangs is not well", async () => {
    const { load } = living(["A", "B", "C", "D"], (name) => {
      if (name === "A") return { health: () => ({ ok: true, message: "fine" }) };
      if (name === "B") return { health: () => Promise.reject(new Error("unreachable")) };
      return name === "C" ? { health: () => new Promise(() => {}) } : {};
    });
    expect(await (await load({ startTimeoutMs: 5 })).pipeline().health()).toEqual([
      { name: "a", kind: "realm", ok: true, message: "fine" },
      { name: "b", kind: "realm", ok: false, message: "unreachable" },
      { name: "c", kind: "realm", ok: false, message: "did not finish within 0.005 s" },
    ]);
  });
});
