import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineFilter } from "../../src/mod.ts";
import { pathTricks } from "./acceptance-path-tricks.ts";
import { adminPassword, startService, type TestService } from "./harness.ts";

/** Answers whatever reaches it: who sees this answer was served. */
const probe = defineFilter({
  names: ["ProbeFilter"],
  create: () => ({
    handle: ({ segments, subject, method }) =>
      Response.json({ served: segments, to: subject?.userName ?? null, method }, { headers: { "x-served": "yes" } }),
  }),
});

/** Makes an administrator of everyone, so that nothing but its chain protects a route. */
const everyone = defineFilter({
  names: ["EveryoneFilter"],
  create: () => ({
    handle: async (exchange) => {
      const { outcome } = await exchange.establish({ userName: "admin" }, { mustExist: true });
      return outcome === "accepted" ? "next" : exchange.refuse(401);
    },
  }),
});

const essentials = `[main]
serviceRealm = DefaultServiceRealm
securityManager.realms = $serviceRealm
probe = ProbeFilter
everyone = EveryoneFilter
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false
`;
const plugins = [probe, everyone];

/** The segments that the probe was reached with; `undefined` when it was not. */
async function served(answer: Response): Promise<readonly string[] | undefined> {
  if (!answer.headers.has("x-served")) return undefined;
  return ((await answer.json()) as { readonly served: readonly string[] }).served;
}

/** How each rule is meant: which paths nobody may be served without credentials. */
const rules = [
  { rule: "/exact", word: "exact", covers: (path: readonly string[]) => path.length === 1 && path[0] === "exact" },
  { rule: "/deep/**", word: "deep", covers: (path: readonly string[]) => path[0] === "deep" },
  { rule: "/flat/*", word: "flat/page", covers: (path: readonly string[]) => path.length === 2 && path[0] === "flat" },
];
const lowerCased = (path: readonly string[]) => path.map((segment) => segment.toLowerCase());

describe.each(["", "globalFilters = null"])("protected paths beside an open default chain (%s)", (globals) => {
  let kinora: TestService;
  beforeAll(async () => {
    const chains = rules.map(({ rule }) => `${rule} = tokenAuth[permissive], authcBasic, probe\n`).join("");
    const global = globals === "" ? "" : `filterChainResolver.${globals}\n`;
    kinora = await startService({ plugins, ini: `${essentials}${global}[urls]\n${chains}/** = probe\n` });
  });
  afterAll(() => kinora.close());

  describe.each(rules)("$rule", ({ word, covers }) => {
    test.each(pathTricks(word))("$name: nobody is served without credentials", async ({ targets }) => {
      for (const target of targets) {
        const answer = await kinora.fetch(target);
        const path = await served(answer);
        expect([target, path !== undefined && covers(lowerCased(path))]).toEqual([target, false]);
        expect([target, answer.status]).toEqual([target, expect.toBeOneOf([200, 400, 401, 403])]);
      }
    });

    test("the owner is served, and other paths are open", async () => {
      const answer = await kinora.admin(`/API/${word}`);
      expect(await served(answer)).toEqual(word.split("/"));
      expect(await served(await kinora.fetch(`/x${word}`))).toEqual(`x${word}`.split("/"));
    });

    test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "patch"])(
      "by no method: %s",
      async (method) => {
        for (const prefix of ["", "/API"]) {
          const answer = await kinora.fetch(`${prefix}/${word}`, { method });
          expect([answer.status, answer.headers.has("x-served")]).toEqual([401, false]);
        }
      },
    );

    test("a browser's preflight is not served either", async () => {
      const headers = { origin: "https://evil.example", "access-control-request-method": "GET" };
      const answer = await kinora.fetch(`/${word}`, { method: "OPTIONS", headers });
      expect(answer.headers.has("x-served")).toBe(false);
    });
  });

  test("whatever the target is made of", async () => {
    const pieces = ["/", "deep", "Deep", "x", ".", "..", "%2e", "%2f", "%5c", "\\", ";", "%3b", "API", "%00", "%", "é"];
    const more = [" ", "%20", "?", "#", "%64eep", "%2564eep", "%0a", "http://h", "//", "*", ":", "@"];
    const target = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 9 }).map((parts) => parts.join(""));
    const covers = rules[1]?.covers as (path: readonly string[]) => boolean;
    await fc.assert(
      fc.asyncProperty(target, async (raw) => {
        const answer = await kinora.fetch(raw);
        const path = await served(answer);
        expect(path !== undefined && covers(lowerCased(path))).toBe(false);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });
});

describe("an open path beside a protected default chain", () => {
  let kinora: TestService;
  beforeAll(async () => {
    const urls = "[urls]\n/public/** = probe\n/** = tokenAuth[permissive], authcBasic, probe\n";
    kinora = await startService({ plugins, ini: `${essentials}${urls}` });
  });
  afterAll(() => kinora.close());

  test.each(pathTricks("admin"))("$name: nobody gets out of it", async ({ targets }) => {
    for (const target of [...targets, ...targets.map((path) => `/public${path}`)]) {
      const path = await served(await kinora.fetch(target));
      expect([target, path === undefined || path[0]?.toLowerCase() === "public"]).toEqual([target, true]);
      expect([target, path?.some((segment) => /^\.\.?$/.test(segment)) ?? false]).toEqual([target, false]);
    }
  });

  test("what lies in it is served to everyone", async () => {
    expect(await served(await kinora.fetch("/public/admin"))).toEqual(["public", "admin"]);
  });
});

describe("routes that only their chain protects", () => {
  const guarded = [
    { rule: "/user", word: "user", shows: "UserListDocument" },
    { rule: "/group/**", word: "group", shows: "GroupListDocument" },
    { rule: "/configuration/*", word: "configuration/auth", shows: "OAuth2ConfigurationDocument" },
  ];
  let kinora: TestService;
  let open: TestService;
  beforeAll(async () => {
    const chains = guarded.map(({ rule }) => `${rule} = deny\n`).join("");
    kinora = await startService({ plugins, ini: `${essentials}[urls]\n${chains}/** = everyone\n` });
    open = await startService({ plugins, ini: `${essentials}[urls]\n/** = everyone\n` });
  });
  afterAll(async () => {
    await kinora.close();
    await open.close();
  });

  describe.each(guarded)("$rule", ({ word, shows }) => {
    test("is answered where no chain protects it", async () => {
      expect(await (await open.fetch(`/API/${word}`)).text()).toContain(shows);
    });

    test.each(pathTricks(word))("$name: the route does not answer", async ({ targets }) => {
      for (const target of targets) {
        const answer = await kinora.fetch(target);
        expect([target, (await answer.text()).includes(shows)]).toEqual([target, false]);
        expect([target, answer.status]).toEqual([target, expect.toBeOneOf([400, 403, 404])]);
      }
    });
  });
});

describe("the default chain", () => {
  let kinora: TestService;
  beforeAll(async () => {
    kinora = await startService();
  });
  afterAll(() => kinora.close());

  test.each(pathTricks("whoami"))("$name: tells nobody who has no credentials anything", async ({ targets }) => {
    for (const target of targets) {
      const answer = await kinora.fetch(target);
      expect([target, answer.status]).toEqual([target, expect.toBeOneOf([400, 401])]);
    }
  });

  test.each([
    ["two credentials in one header", "good, bad"],
    ["a wrong one first", "bad, good"],
    ["one twice", "good, good"],
  ])("with %s lets nobody in", async (_, order) => {
    const header = order
      .replaceAll("good", `Basic ${btoa(`admin:${adminPassword}`)}`)
      .replaceAll("bad", `Basic ${btoa("admin:wrong")}`);
    expect((await kinora.fetch("/whoami", { headers: { authorization: header } })).status).toBe(401);
  });
});
