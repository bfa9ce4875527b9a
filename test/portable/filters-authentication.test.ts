import { describe, expect, test } from "vitest";
import basicAuth from "../../filters/basic-auth.ts";
import bearerAuth from "../../filters/bearer-auth.ts";
import genericBearer from "../../filters/generic-bearer.ts";
import tokenAuth from "../../filters/token-auth.ts";
import type { Account, Credentials, Filter, FilterOutcome } from "../../src/plugin/mod.ts";
import { createTestExchange, type TestExchangeOptions } from "../../src/plugin/testing/exchange.ts";
import { createFilter } from "../../src/plugin/testing/instance.ts";

/** What a caller gets: `next`, or the status of the answer and its challenge. */
async function ask(filter: Filter, options: TestExchangeOptions) {
  const exchange = createTestExchange(options);
  const outcome = await filter.handle(exchange);
  return { got: shown(outcome), asked: exchange.asked, user: exchange.subject?.userName, outcome };
}

function shown(outcome: FilterOutcome): string {
  if (outcome === "next") return "next";
  const challenge = outcome.headers.get("WWW-Authenticate");
  return challenge === null ? `${outcome.status}` : `${outcome.status} ${challenge}`;
}

const basic = (userName: string, password: string) => `Basic ${btoa(`${userName}:${password}`)}`;
/** Base64 of the bytes of a text in UTF-8. */
const utf8Basic = (text: string) => `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
const withAuthorization = (value: string) => ({ headers: { Authorization: value } });

function acceptAlice(credentials: Credentials): Account | undefined {
  if (credentials.kind === "password") {
    return credentials.userName === "alice" && credentials.password === "wonder" ? { userName: "alice" } : undefined;
  }
  return credentials.kind !== "custom" && credentials.token === "t0k3n" ? { userName: "carol" } : undefined;
}

describe("authcBasic", async () => {
  const filter = await createFilter(basicAuth, { applicationName: "serviceRealm" });
  const challenge = '401 Basic realm="serviceRealm"';

  test.each([
    ["no credentials", undefined, challenge],
    ["good credentials", basic("alice", "wonder"), "next"],
    ["a wrong password", basic("alice", "nope"), challenge],
    ["the scheme in lower case", basic("alice", "wonder").replace("Basic", "basic"), "next"],
    ["the scheme in upper case", basic("alice", "wonder").replace("Basic", "BASIC"), "next"],
    ["two blanks behind the scheme", basic("alice", "wonder").replace(" ", "  "), "next"],
    ["another scheme", "Bearer t0k3n", challenge],
    ["a word that only begins like the scheme", basic("alice", "wonder").replace("Basic", "BasicX"), challenge],
    ["no blank behind the scheme", basic("alice", "wonder").replace(" ", ""), challenge],
    ["the scheme alone", "Basic", challenge],
    ["the scheme and a blank", "Basic ", challenge],
    ["something that is not Base64", "Basic %%%", challenge],
    ["Base64 with a blank inside", "Basic YWxpY2U6 d29uZGVy", challenge],
    ["a second word behind good credentials", `${basic("alice", "wonder")} extra`, challenge],
    ["credentials without padding", basic("alice", "wonder").replace(/=+$/, ""), "next"],
    ["bytes that are not UTF-8", `Basic ${btoa("alice:\xff\xfe")}`, challenge],
    ["a control character in the password", basic("alice", "won\nder"), challenge],
    ["a NUL in the user name", basic("ali\0ce", "wonder"), challenge],
    ["no colon", `Basic ${btoa("alice")}`, challenge],
  ])("%s", async (_, header, expected) => {
    const options = header === undefined ? {} : withAuthorization(header);
    expect((await ask(filter, { ...options, accept: acceptAlice })).got).toBe(expected);
    expect((await ask(filter, { ...options, accept: acceptAlice, slow: true })).got).toBe(expected);
  });

  test.each([
    ["a colon in the password", basic("alice", "a:b:c"), "alice", "a:b:c"],
    ["an empty password", basic("alice", ""), "alice", ""],
    ["an empty user name", basic("", "x"), "", "x"],
    ["no colon as an empty password", `Basic ${btoa("alice")}`, "alice", ""],
    ["UTF-8", utf8Basic("üser:päss \u{1F511}"), "üser", "päss \u{1F511}"],
    ["a byte-order mark as part of the name", utf8Basic("\ufeffalice:x"), "\ufeffalice", "x"],
    ["blanks around the password", basic("alice", " x "), "alice", " x "],
  ])("reads %s", async (_, header, userName, password) => {
    const { asked } = await ask(filter, withAuthorization(header));
    expect(asked).toEqual([{ kind: "password", userName, password }]);
  });

  test.each(["Basic %%%", "Basic", `Basic ${btoa("a:\xff")}`, "Bearer x"])(
    "asks no realm about what is not Basic: %s",
    async (header) => {
      expect((await ask(filter, withAuthorization(header))).asked).toEqual([]);
    },
  );

  test("passes on a caller whom an earlier filter has authenticated, whatever the header says", async () => {
    const { got, asked } = await ask(filter, { ...withAuthorization(basic("a", "b")), caller: { userName: "carol" } });
    expect(got).toBe("next");
    expect(asked).toEqual([]);
  });

  test.each([
    ["missing credentials go on", undefined, "next"],
    ["credentials of another scheme go on", "token abc", "next"],
    ["wrong ones do not", basic("alice", "nope"), challenge],
    ["malformed ones do not", "Basic %%%", challenge],
    ["good ones count", basic("alice", "wonder"), "next"],
  ])("permissive: %s", async (_, header, expected) => {
    const options = header === undefined ? {} : withAuthorization(header);
    expect((await ask(filter, { ...options, accept: acceptAlice, permissive: true })).got).toBe(expected);
  });

  test.each([
    ["GET", "next"],
    ["POST", challenge],
    ["post", challenge],
    ["PUT", challenge],
    ["PATCH", "next"],
  ])("limited to POST and put, %s without credentials", async (method, expected) => {
    expect((await ask(filter, { method, words: ["POST", "put"] })).got).toBe(expected);
  });

  test("words in brackets are methods or permissive, and a limit to methods is warned of", () => {
    expect(filter.checkWords?.(["POST", "put"])).toEqual([]);
    expect(filter.checkWords?.(["foo", "*", "POST PUT", "", "Permissive"])).toHaveLength(5);
    expect(filter.checkWords?.(["Permissive"])?.[0]).toContain("lower case");
    expect(filter.warnWords?.([])).toEqual([]);
    expect(filter.warnWords?.(["post"])?.[0]).toContain("Only POST requests");
  });

  test("the challenge quotes the realm; a realm that no header can carry stops the start", async () => {
    const quoted = await createFilter(basicAuth, { applicationName: 'a "b" \\ c' });
    expect(quoted.challenge).toBe('Basic realm="a \\"b\\" \\\\ c"');
    await expect(createFilter(basicAuth, { applicationName: "a\r\nSet-Cookie: x" })).rejects.toThrow("printable ASCII");
    await expect(createFilter(basicAuth, { authcScheme: "a b" })).rejects.toThrow("not the name of a scheme");
  });

  test("a preflight passes only when the property says so", async () => {
    const preflight = {
      method: "OPTIONS",
      headers: { Origin: "http://o", "Access-Control-Request-Method": "POST" },
    };
    expect((await ask(filter, preflight)).got).toBe(challenge);
    const open = await createFilter(basicAuth, { allowPreFlightRequests: "true" });
    expect((await ask(open, preflight)).got).toBe("next");
    for (const no of [
      { ...preflight, method: "GET" },
      { ...preflight, headers: { Origin: "http://o" } },
      { ...preflight, headers: { Origin: " ", "Access-Control-Request-Method": "POST" } },
    ]) {
      expect((await ask(open, no)).got).toBe('401 Basic realm="application"');
    }
  });

  test("authzScheme names the scheme of the header", async () => {
    const foo = await createFilter(basicAuth, { authzScheme: "Foo" });
    const accept = acceptAlice;
    expect((await ask(foo, { ...withAuthorization(`Foo ${btoa("alice:wonder")}`), accept })).got).toBe("next");
    expect((await ask(foo, { ...withAuthorization(basic("alice", "wonder")), accept })).got).toMatch(/^401/);
  });

  test("makes no promise when the realms make none", () => {
    const exchange = createTestExchange({ ...withAuthorization(basic("alice", "wonder")), accept: acceptAlice });
    expect(filter.handle(exchange)).toBe("next");
  });
});

describe("tokenAuth", async () => {
  const filter = await createFilter(tokenAuth);
  const challenge = '401 token realm="application"';

  test.each([
    ["no token", undefined, challenge, "next"],
    ["a good token", "token t0k3n", "next", "next"],
    ["the scheme in another case", "Token t0k3n", "next", "next"],
    ["a token that is not valid", "token bad", challenge, "next"],
    ["an empty token", "token ", challenge, "next"],
    ["another scheme", "Basic YTpi", challenge, "next"],
  ])("%s", async (_, header, strict, permissive) => {
    const options = { ...(header === undefined ? {} : withAuthorization(header)), accept: acceptAlice };
    expect((await ask(filter, options)).got).toBe(strict);
    expect((await ask(filter, { ...options, permissive: true })).got).toBe(permissive);
    expect((await ask(filter, { ...options, permissive: true, slow: true })).got).toBe(permissive);
  });

  test("a good token sets the caller; one that is not valid leaves none", async () => {
    const accept = acceptAlice;
    expect((await ask(filter, { ...withAuthorization("token t0k3n"), accept, permissive: true })).user).toBe("carol");
    expect((await ask(filter, { ...withAuthorization("token bad"), accept, permissive: true })).user).toBeUndefined();
  });
});

describe("authcBearer", async () => {
  const filter = await createFilter(genericBearer);
  const challenge = '401 Bearer realm="application"';

  test.each([
    ["no token", undefined, challenge, "next"],
    ["a good token", "Bearer t0k3n", "next", "next"],
    ["the scheme in another case", "BEARER t0k3n", "next", "next"],
    ["a token that is not valid", "Bearer bad", challenge, challenge],
    ["an empty token", "Bearer ", challenge, challenge],
    ["a longer scheme", "BearerX t0k3n", challenge, "next"],
    ["another scheme", "Basic YTpi", challenge, "next"],
  ])("%s", async (_, header, strict, permissive) => {
    const options = { ...(header === undefined ? {} : withAuthorization(header)), accept: acceptAlice };
    expect((await ask(filter, options)).got).toBe(strict);
    expect((await ask(filter, { ...options, permissive: true })).got).toBe(permissive);
  });
});

describe("oauth2Auth", async () => {
  const filter = await createFilter(bearerAuth, { allowConfigUpdate: "true" });

  test("accepts no token yet: goes on when permissive, else 401 that says what is wrong", async () => {
    const options = { ...withAuthorization("Bearer t0k3n"), accept: acceptAlice };
    expect((await ask(filter, { ...options, permissive: true })).got).toBe("next");
    expect((await ask(filter, options)).got).toBe('401 Bearer realm="application", error="invalid_token"');
    expect((await ask(filter, {})).got).toBe('401 Bearer realm="application"');
  });
});

describe("when a realm cannot tell", async () => {
  const filters = { basicAuth, tokenAuth, genericBearer };
  const headers: Record<keyof typeof filters, string> = {
    basicAuth: basic("alice", "wonder"),
    tokenAuth: "token t0k3n",
    genericBearer: "Bearer t0k3n",
  };
  test.each(Object.keys(filters) as (keyof typeof filters)[])("%s answers 503 with Retry-After", async (name) => {
    const filter = await createFilter(filters[name]);
    for (const permissive of [false, true]) {
      const options = { ...withAuthorization(headers[name]), permissive, accept: () => "unavailable" as const };
      const { outcome } = await ask(filter, options);
      expect(outcome).toBeInstanceOf(Response);
      expect((outcome as Response).status).toBe(503);
      expect((outcome as Response).headers.get("Retry-After")).toBe("5");
    }
  });
});
