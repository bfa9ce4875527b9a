import { describe, expect, test } from "vitest";
import { defineFilter, defineRealm, type Plugin, StartError } from "../../src/mod.ts";
import { startService, type TestService } from "./harness.ts";

// The thirteen ways in which the reference lets a request in by mistake: each stops the start here, or cannot happen.

const main = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
securityManager.realms = $serviceRealm
`;

/** Answers whatever reaches it, and says who asked. */
const probe = defineFilter({
  names: ["ProbeFilter"],
  predefined: "probe",
  create: () => ({ handle: ({ subject }) => new Response(`served ${subject?.userName ?? "nobody"}`) }),
});

/** Starts a service, does something with it, and closes it. */
async function using<T>(
  ini: string,
  plugins: readonly Plugin[],
  work: (kinora: TestService) => Promise<T>,
): Promise<T> {
  const kinora = await startService({ ini, plugins: [probe, ...plugins] });
  try {
    return await work(kinora);
  } finally {
    await kinora.close();
  }
}

/** Why a service does not start; fails when it does. */
async function refusal(ini: string): Promise<StartError["problems"]> {
  const started = await startService({ ini, plugins: [probe] }).catch((error: unknown) => error);
  if (started instanceof StartError) return started.problems;
  if (started instanceof Error) throw started;
  await (started as TestService).close();
  throw new Error("The service starts");
}

const statusAndText = async (answer: Response) => `${answer.status} ${await answer.text()}`;

describe("is refused at the start, with place, text and fix", () => {
  const refused: readonly (readonly [trap: string, urls: string, place: string, message: string])[] = [
    ["1 a bracket that is not closed", "/** = authcBasic[permissive", ":6:17", "The bracket [ is never closed"],
    ["1 any unknown word", "/** = authcBasic[foo]", ":6:7", '"foo" is neither permissive nor'],
    ["1 a star for a word", "/** = authcBasic[*]", ":6:7", '"*" is neither permissive nor'],
    ["1 methods without a comma", "/** = authcBasic[POST PUT]", ":6:7", '"POST PUT" is neither permissive nor'],
    ["1 only a comma", "/** = authcBasic[,]", ":6:7", '"" is neither permissive nor'],
    ["1 permissive in capitals", "/** = authcBasic[PERMISSIVE]", ":6:7", "must be written permissive"],
    ["2 a pattern without a slash", "** = authcBasic", ":6:1", "A pattern without a leading slash matches no request"],
    ["2 a pattern in quotes", '"/x" = authcBasic', ":6:1", "A pattern in quotes matches no request"],
    ["3 no [urls] at all", "", ":1:1", "There is no [urls]"],
    ["4 [urls] twice", "/a = authcBasic\n[urls]\n/b = probe", ":7:1", "The section [urls] began already in line 5"],
    ["4 [main] twice", "/a = authcBasic\n[main]\nx = anon", ":7:1", "The section [main] began already in line 1"],
    ["5 a last line that goes on", "/a = authcBasic\n/b = probe, \\", ":7:1", "no line of this section continues it"],
    ["5 a continuation like a header", "/a = probe, \\\n[authcBasic]", ":6:1", "no line of this section continues it"],
    ["9 roles of no name", "/** = roles", ":6:7", "No role is named"],
    ["9 roles of an empty list", "/** = authcBasic, roles[]", ":6:19", "No role is named"],
    ["9 perms of no name", "/** = perms", ":6:7", "No permission is named"],
    ["9 rest of no name", "/** = rest[]", ":6:7", "No permission is named"],
  ];

  test.each(refused)("trap %s", async (_, urls, place, message) => {
    const problems = await refusal(`${main}[urls]\n${urls}\n`);
    const found = problems.find(
      (problem) => problem.place === `security.ini${place}` && problem.message.includes(message),
    );
    expect(found, JSON.stringify(problems)).toMatchObject({ fix: expect.stringMatching(/./) });
    const line = Number(place.split(":")[1]);
    expect(found?.text).toBe(`${main}[urls]\n${urls}\n`.split("\n")[line - 1]?.trim());
  });

  test("all of them in one run", async () => {
    const lines = refused.map(([, urls]) => urls).filter((urls) => !urls.includes("\n") && urls !== "");
    const problems = await refusal(
      `${main}[urls]\n${lines.map((line, i) => line.replace("/**", `/p${i}`)).join("\n")}\n`,
    );
    expect(new Set(problems.map(({ place }) => Number(place.split(":")[1]))).size).toBe(lines.length);
  });
});

describe("cannot happen:", () => {
  test("trap 3, a path that no chain matches is refused", async () => {
    await using(`${main}[urls]\n/whoami = tokenAuth[permissive], authcBasic\n`, [], async (kinora) => {
      expect(await (await kinora.admin("/API/whoami")).text()).toBe("admin");
      expect((await kinora.fetch("/API/version")).status).toBe(403);
      expect((await kinora.admin("/API/version")).status).toBe(403);
    });
  });

  test("trap 6, of a filter that stands twice in a chain each place keeps its words", async () => {
    const realm = defineRealm({
      names: ["OpsRealm"],
      create: () => ({
        accepts: "password",
        authenticate: (shown) =>
          shown.kind === "password" && shown.userName === "ops" ? { userName: "ops", roles: ["ops"] } : "not mine",
      }),
    });
    const withOps = main
      .replace("$serviceRealm\n", "$serviceRealm, $opsRealm\n")
      .replace("[main]\n", "[main]\nopsRealm = OpsRealm\n");
    const urls = `[urls]
/both = tokenAuth[permissive], authcBasic, roles[admin], roles[ops], probe
/ops = tokenAuth[permissive], authcBasic, roles[ops], probe
/basic = tokenAuth[permissive], authcBasic, authcBasic[permissive], probe
`;
    await using(`${withOps}${urls}`, [realm], async (kinora) => {
      const asOps = kinora.as("ops", "x");
      expect(await statusAndText(await asOps("/ops"))).toBe("200 served ops");
      expect((await asOps("/both")).status).toBe(403);
      expect((await kinora.fetch("/basic")).status).toBe(401);
    });
  });

  test.each(["permissive,POST,PUT", "POST,PUT,permissive", "POST,permissive,PUT"])(
    "trap 7, permissive counts wherever it stands: [%s]",
    async (words) => {
      const urls = `[urls]\n/** = tokenAuth[permissive], authcBasic[${words}], probe\n`;
      await using(`${main}${urls}`, [], async (kinora) => {
        expect(await statusAndText(await kinora.fetch("/x", { method: "POST" }))).toBe("200 served nobody");
        expect((await kinora.as("admin", "wrong")("/x", { method: "POST" })).status).toBe(401);
      });
    },
  );

  test("trap 8, roles come from no realm that rejected the caller", async () => {
    const ini = `${main.replace("= $serviceRealm", "= $serviceRealm, $iniRealm")}[users]
bob = of the file, boss
[urls]
/boss = tokenAuth[permissive], authcBasic, roles[boss], probe
/** = tokenAuth[permissive], authcBasic
`;
    await using(ini, [], async (kinora) => {
      const body = "<UserDocument><userName>bob</userName><password>of the database</password></UserDocument>";
      const headers = { "content-type": "application/xml" };
      expect((await kinora.admin("/API/user", { method: "POST", headers, body })).status).toBe(200);
      expect(await statusAndText(await kinora.as("bob", "of the file")("/boss"))).toBe("200 served bob");
      expect(await statusAndText(await kinora.as("bob", "of the database")("/whoami"))).toBe("200 bob");
      expect((await kinora.as("bob", "of the database")("/boss")).status).toBe(403);
      expect((await kinora.as("bob", "wrong")("/boss")).status).toBe(401);
    });
  });

  test("trap 10, methods that are left out pass without a caller: warned of, and routes refuse them", async () => {
    await using(`${main}[urls]\n/** = tokenAuth[permissive], authcBasic[POST]\n`, [], async (kinora) => {
      expect(kinora.service.started.warnings).toMatchObject([
        { line: 6, column: 30, message: expect.stringContaining("every other method passes without credentials") },
      ]);
      expect((await kinora.fetch("/API/whoami")).status).toBe(401);
      expect((await kinora.admin("/API/whoami")).status).toBe(401);
    });
  });

  test.each([
    ["throws", () => Promise.reject(Object.assign(new Error("no"), { name: "UnauthenticatedException" })), 500],
    ["answers nothing", () => Promise.resolve(undefined), 500],
    ["answers true", () => Promise.resolve(true), 500],
    ["refuses", (exchange: { refuse(status: 401): Response }) => Promise.resolve(exchange.refuse(401)), 401],
  ])("trap 11, a filter behind the login that %s is no empty 200", async (_, handle, status) => {
    const odd = { kind: "filter", names: ["Odd"], predefined: "odd", create: () => ({ handle }) } as unknown as Plugin;
    await using(`${main}[urls]\n/** = tokenAuth[permissive], authcBasic, odd\n`, [odd], async (kinora) => {
      const answer = await kinora.admin("/API/whoami");
      expect(answer.status).toBe(status);
      expect(await answer.text()).toContain("ExceptionDocument");
    });
  });

  test("trap 12, a pattern with a slash at its end is the one without", async () => {
    await using(`${main}[urls]\n/foo/ = tokenAuth[permissive], authcBasic, probe\n`, [], async (kinora) => {
      for (const path of ["/foo", "/foo/", "/API/foo", "/API/foo/"]) {
        expect([path, (await kinora.fetch(path)).status]).toEqual([path, 401]);
        expect([path, (await kinora.admin(path)).status]).toEqual([path, 200]);
      }
    });
  });

  test.each(["/../x", "/x/../../x", "/..", "/%2e%2e/x", "/x/..;/../x"])(
    "trap 13, the path %s, which leads out of everything, is refused before any chain",
    async (path) => {
      await using(`${main}[urls]\n/** = tokenAuth[permissive], probe\n`, [], async (kinora) => {
        expect(await statusAndText(await kinora.fetch("/x"))).toBe("200 served nobody");
        expect((await kinora.fetch(path)).status).toBe(400);
      });
    },
  );
});
