import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { basic, bearerIni } from "../portable/bearer-tokens.ts";
import { makeDatabase } from "../portable/database.ts";
import { clientSecret, startIssuer, startScripted, type TestIssuer } from "./bearer-issuer.ts";

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

interface Started {
  readonly service: Service;
  whoami(token: string): Promise<string>;
}

const clean: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of clean.reverse()) await close();
});

/** A service by the real clock, since the provider has one, with the user `alva`. */
async function start(properties: Readonly<Record<string, string>>): Promise<Started> {
  const database = await makeDatabase();
  const service = await createService({
    databaseUrl: database.url,
    securityIni: bearerIni(properties),
    adminPassword: "pw",
    extDir: "no-such-folder",
    ticking: false,
  });
  clean.push(async () => {
    await service.close();
    await database.remove();
  });
  const authorization = basic("admin", "pw");
  await service.fetch(new Request("http://localhost/API/user/alva", { method: "PUT", headers: { authorization } }));
  return {
    service,
    whoami: async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await service.fetch(new Request("http://localhost/API/whoami", { headers }));
      return answer.status === 200 ? answer.text() : String(answer.status);
    },
  };
}

describe("a real OpenID provider", () => {
  it("accepts its tokens by the key set, and asks for it once", async () => {
    const { whoami } = await start({ jwksURI: `${issuer.url}/jwks`, expectedAudience: "kinora" });
    const before = issuer.asked.get("/jwks") ?? 0;
    for (let i = 0; i < 5; i++) expect(await whoami(await issuer.jwt())).toBe("alva");
    expect((issuer.asked.get("/jwks") ?? 0) - before).toBe(0); // fetched at start, before the count
  });

  it("accepts its tokens by the discovery document, with the issuer checked [spec: bearer-federation]", async () => {
    const discovery = `${issuer.url}/.well-known/openid-configuration`;
    const right = await start({
      federationMetadataURI: discovery,
      expectedAudience: "kinora",
      expectedIssuer: issuer.url,
    });
    expect(await right.whoami(await issuer.jwt())).toBe("alva");
    const wrong = await start({
      federationMetadataURI: discovery,
      expectedAudience: "kinora",
      expectedIssuer: "https://other.example",
    });
    expect(await wrong.whoami(await issuer.jwt())).toBe("401");
  });

  it("accepts its opaque tokens by introspection, and asks once for each", async () => {
    const { whoami } = await start({
      introspectionEndpoint: `${issuer.url}/token/introspection`,
      clientId: "alva",
      clientSecret,
      tokenUser: "client_id",
    });
    const token = await issuer.opaque();
    const before = issuer.asked.get("/token/introspection") ?? 0;
    for (let i = 0; i < 3; i++) expect(await whoami(token)).toBe("alva");
    expect((issuer.asked.get("/token/introspection") ?? 0) - before).toBe(1);
    expect(await whoami("not-one-of-its-tokens")).toBe("401");
  });

  it("accepts what its userinfo endpoint accepts [spec: bearer-validation-endpoint]", async () => {
    const { whoami } = await start({ validationEndpoint: `${issuer.url}/me`, tokenUser: "sub" });
    const token = await issuer.forUserinfo();
    expect(await whoami(token)).toBe("alva");
    const before = issuer.asked.get("/me");
    expect(await whoami(token)).toBe("alva");
    expect(issuer.asked.get("/me")).toBe(before);
    expect(await whoami("not-one-of-its-tokens")).toBe("401");
  });

  it("loses no request while the provider rotates its keys", async () => {
    const { whoami } = await start({ jwksURI: `${issuer.url}/jwks`, expectedAudience: "kinora" });
    const seen: string[] = [];
    for (let round = 0; round < 3; round++) {
      const old = await issuer.jwt();
      const traffic = Array.from({ length: 20 }, async () => seen.push(await whoami(old)));
      await issuer.rotate();
      const fresh = await issuer.jwt();
      await Promise.all([...traffic, ...Array.from({ length: 20 }, async () => seen.push(await whoami(fresh)))]);
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen)).toEqual(new Set(["alva"]));
  });

  it("does not storm the provider for thousands of key ids that nobody knows", async () => {
    const { whoami } = await start({ jwksURI: `${issuer.url}/jwks`, expectedAudience: "kinora" });
    const [, payload = "", signature = ""] = (await issuer.jwt()).split(".");
    const before = issuer.asked.get("/jwks") ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 2000 }, (_, i) => {
        const header = Buffer.from(JSON.stringify({ alg: "ES256", kid: `unknown-${i}` })).toString("base64url");
        return whoami(`${header}.${payload}.${signature}`);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(["401"]));
    expect((issuer.asked.get("/jwks") ?? 0) - before).toBeLessThanOrEqual(3);
  });
});

describe("a provider that misbehaves", () => {
  const wrong: readonly (readonly [name: string, (response: ServerResponse) => void])[] = [
    ["answers 500", (response) => response.writeHead(500).end("{}")],
    ["answers 204", (response) => response.writeHead(204).end()],
    ["redirects to a page that says yes", (response) => response.writeHead(302, { location: "/yes" }).end()],
    ["answers HTML", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>alva</html>")],
    ["answers a list", (response) => response.end('[{"sub":"alva"}]')],
    ["answers another user's name twice", (response) => response.end('{"sub":"alva","sub":"admin"}')],
    ["answers without the claim", (response) => response.end('{"name":"alva"}')],
    ["answers a claim that is no text", (response) => response.end('{"sub":["alva"]}')],
    ["closes the connection", (response) => response.destroy()],
    [
      "breaks off",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write('{"sub":"al');
        setImmediate(() => response.destroy());
      },
    ],
    ["answers 10 MB", (response) => response.end(`{"sub":"alva","filler":"${"x".repeat(10_000_000)}"}`)],
  ];

  it.each(wrong)("refuses the token when it %s", async (_, answer) => {
    const provider = await startScripted((request, response) =>
      request.url === "/yes" ? response.end('{"sub":"alva"}') : answer(response),
    );
    clean.push(provider.stop);
    const asked = await start({ validationEndpoint: `${provider.url}/me` });
    expect(await asked.whoami("some-token")).toBe("401");
    const introspected = await start({
      introspectionEndpoint: `${provider.url}/introspect`,
      clientId: "kinora",
      clientSecret: "secret",
    });
    expect(await introspected.whoami("some-token")).toBe("401");
  });

  it("refuses the token when it never answers", async () => {
    const provider = await startScripted(() => undefined);
    clean.push(provider.stop);
    const { whoami } = await start({ validationEndpoint: `${provider.url}/me` });
    expect(await whoami("some-token")).toBe("401");
  }, 20_000);

  it("starts, and goes on with the last good keys, while the key set cannot be had", async () => {
    let up = false;
    const proxy = await startScripted(async (request, response) => {
      if (!up) return response.writeHead(503).end();
      const answer = await fetch(`${issuer.url}${request.url}`);
      return response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    clean.push(proxy.stop);
    const { service, whoami } = await start({ jwksURI: `${proxy.url}/jwks`, expectedAudience: "kinora" });
    const ready = async () => (await service.fetch(new Request("http://localhost/readyz"))).status;
    expect(await whoami(await issuer.jwt())).toBe("401");
    expect(await ready()).toBe(503);
    up = true;
    expect(await whoami(await issuer.jwt())).toBe("alva");
    expect(await ready()).toBe(200);
    up = false;
    expect(await whoami(await issuer.jwt())).toBe("alva");
  });
});
