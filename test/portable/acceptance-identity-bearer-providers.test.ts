import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bearerIni, startWithAlva, whoami } from "./bearer-tokens.ts";
import type { TestService } from "./harness.ts";

/** A request as a provider has got it. */
interface Asked {
  readonly url: string;
  readonly method: string;
  readonly authorization: string | null;
  readonly body: string;
  readonly redirect: string;
}

let kinora: TestService;
let asked: Asked[];
let provider: (asked: Asked) => Response | Promise<Response>;
const answer = (claims: object) => () => Response.json(claims);

const reach: typeof fetch = async (input, init = {}) => {
  const request: Asked = {
    url: String(input),
    method: init.method ?? "GET",
    authorization: new Headers(init.headers).get("authorization"),
    body: String(init.body ?? ""),
    redirect: init.redirect ?? "follow",
  };
  asked.push(request);
  return provider(request);
};
async function serve(properties: Readonly<Record<string, string>>): Promise<void> {
  kinora = await startWithAlva(bearerIni(properties), { fetch: reach });
}
beforeEach(() => {
  asked = [];
});
afterEach(() => kinora.close());

const seconds = () => Math.floor(kinora.now() / 1000);

describe("a validation provider [spec: bearer-validation-endpoint]", () => {
  beforeEach(async () => {
    await serve({ validationEndpoint: "https://id.example.org/userinfo", tokenUser: "preferred_username" });
    provider = answer({ preferred_username: "alva" });
  });

  test("is asked by GET with the token itself, and redirects are not followed", async () => {
    expect(await whoami(kinora, "an.opaque~token/with+all-characters_==")).toBe("alva");
    expect(asked).toEqual([
      {
        url: "https://id.example.org/userinfo",
        method: "GET",
        authorization: "Bearer an.opaque~token/with+all-characters_==",
        body: "",
        redirect: "manual",
      },
    ]);
  });

  test("is asked again after ten minutes, not before [spec: limit-validation-cache]", async () => {
    expect(await whoami(kinora, "token")).toBe("alva");
    provider = () => new Response(null, { status: 401 });
    kinora.advance(599_999);
    expect(await whoami(kinora, "token")).toBe("alva");
    expect(asked).toHaveLength(1);
    kinora.advance(1);
    expect(await whoami(kinora, "token")).toBe("401");
    expect(asked).toHaveLength(2);
  });

  test("is asked again when the token ends, if that is sooner", async () => {
    provider = answer({ preferred_username: "alva", exp: seconds() + 60 });
    expect(await whoami(kinora, "token")).toBe("alva");
    kinora.advance(59_999);
    expect(await whoami(kinora, "token")).toBe("alva");
    expect(asked).toHaveLength(1);
    kinora.advance(1);
    expect(await whoami(kinora, "token")).toBe("401");
    expect(asked).toHaveLength(2);
  });

  test.each([
    ["refuses", () => new Response(null, { status: 401 })],
    ["fails", () => new Response(null, { status: 500 })],
    ["cannot be reached", () => Promise.reject(new TypeError("connection refused"))],
    ["answers nonsense", () => new Response("<html>")],
    ["names nobody", answer({ sub: "alva" })],
  ])("is asked again after ten seconds when it %s", async (_, refuse) => {
    provider = refuse;
    expect(await whoami(kinora, "token")).toBe("401");
    provider = answer({ preferred_username: "alva" });
    kinora.advance(9999);
    expect(await whoami(kinora, "token")).toBe("401");
    expect(asked).toHaveLength(1);
    kinora.advance(1);
    expect(await whoami(kinora, "token")).toBe("alva");
    expect(asked).toHaveLength(2);
  });

  test("is asked about each token by itself", async () => {
    provider = ({ authorization }) => Response.json({ preferred_username: authorization?.slice("Bearer ".length) });
    await kinora.admin("/API/user/bo", { method: "PUT" });
    expect([await whoami(kinora, "alva"), await whoami(kinora, "bo"), await whoami(kinora, "alva")]).toEqual([
      "alva",
      "bo",
      "alva",
    ]);
    expect(asked).toHaveLength(2);
  });

  test("changes nothing for a user who is disabled meanwhile", async () => {
    expect(await whoami(kinora, "token")).toBe("alva");
    await kinora.admin("/API/user/alva", { method: "DELETE" });
    expect(await whoami(kinora, "token")).toBe("401");
  });

  test.each(["a token with blanks", "tøken", "token\u0001", "=", "a=b", "x".repeat(16_385)])(
    "is never shown what can be no token: %j",
    async (token) => {
      const bytes = String.fromCharCode(...new TextEncoder().encode(token));
      const sent = await whoami(kinora, bytes).catch(() => "401"); // some runtimes refuse to send it at all
      expect(sent).toBe("401");
      expect(asked).toEqual([]);
    },
  );

  test("is asked once more about a token when ten thousand others came after it", async () => {
    expect(await whoami(kinora, "first")).toBe("alva");
    for (let i = 0; i < 10_000; i += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, j) => whoami(kinora, `other-${i + j}`)));
    }
    expect(asked).toHaveLength(10_001);
    expect(await whoami(kinora, "other-9999")).toBe("alva");
    expect(asked).toHaveLength(10_001);
    expect(await whoami(kinora, "first")).toBe("alva");
    expect(asked).toHaveLength(10_002);
  });
});

describe("introspection", () => {
  const properties = {
    introspectionEndpoint: "https://id.example.org/introspect",
    clientId: "kinora app",
    clientSecret: "se:cret&",
    expectedAudience: "kinora",
    expectedIssuer: "https://id.example.org",
    tokenUser: "username",
  };
  const active = () => ({
    active: true,
    username: "alva",
    aud: ["kinora"],
    iss: "https://id.example.org",
    exp: seconds() + 3600,
  });
  beforeEach(() => serve(properties));

  test("is asked by POST as RFC 7662 says, with the client's credentials", async () => {
    provider = answer(active());
    expect(await whoami(kinora, "opaque")).toBe("alva");
    expect(asked).toEqual([
      {
        url: "https://id.example.org/introspect",
        method: "POST",
        authorization: `Basic ${btoa("kinora%20app:se%3Acret%26")}`,
        body: "token=opaque&token_type_hint=access_token",
        redirect: "manual",
      },
    ]);
  });

  test.each([
    ["not active", { active: false }, "401"],
    ["active in words", { active: "true" }, "401"],
    ["for another service", { aud: "other" }, "401"],
    ["for nobody in particular", { aud: undefined }, "401"],
    ["of another issuer", { iss: "https://other.example" }, "401"],
    ["without the user", { username: undefined }, "401"],
    ["expired", { exp: 1 }, "401"],
    ["not valid yet", { nbf: Number.MAX_SAFE_INTEGER }, "401"],
    ["without sub, which RFC 7662 allows", { sub: undefined }, "alva"],
  ])("%s: %s", async (_, changes, expected) => {
    provider = answer({ ...active(), ...changes });
    expect(await whoami(kinora, "opaque")).toBe(expected);
  });
});
