import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** A real OpenID provider on a loopback port. */
export interface TestIssuer {
  readonly url: string;
  /** Requests that have reached it, by path. */
  readonly asked: Map<string, number>;
  /** A JWT access token of the client `alva`. */
  jwt(): Promise<string>;
  /** An opaque access token of the client `alva`. */
  opaque(): Promise<string>;
  /** An access token of the user `alva` for the userinfo endpoint. */
  forUserinfo(): Promise<string>;
  /** From now on signs with a new key; the former one stays in the set. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

async function newKey(kid: string): Promise<object> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", privateKey);
  return { kty, crv, x, y, d, kid, use: "sig", alg: "ES256" };
}

function listen(handler: Handler): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => void handler(request, response));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    });
  });
}

const audience = "kinora";
export const clientSecret = "client secret of alva";

function configuration(keys: readonly object[]): object {
  return {
    jwks: { keys },
    clients: [
      {
        client_id: "alva",
        client_secret: clientSecret,
        id_token_signed_response_alg: "ES256",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      userinfo: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: "api",
          audience,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  };
}

export async function startIssuer(): Promise<TestIssuer> {
  let handle: Handler = () => undefined;
  const asked = new Map<string, number>();
  const { server, url } = await listen((request, response) => {
    const path = request.url ?? "";
    asked.set(path, (asked.get(path) ?? 0) + 1);
    return handle(request, response);
  });
  const keys = [await newKey("key-1")];
  let provider = new Provider(url, configuration(keys));
  handle = provider.callback();

  async function token(parameters: Record<string, string>): Promise<string> {
    const answer = await fetch(`${url}/token`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`alva:${encodeURIComponent(clientSecret)}`)}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ grant_type: "client_credentials", ...parameters }).toString(),
    });
    const body = (await answer.json()) as { readonly access_token?: string };
    if (body.access_token === undefined) throw new Error(`The provider gave no token: ${JSON.stringify(body)}`);
    return body.access_token;
  }

  return {
    url,
    asked,
    jwt: () => token({ resource: "urn:kinora", scope: "api" }),
    opaque: () => token({}),
    async forUserinfo() {
      const client = await provider.Client.find("alva");
      const grant = new provider.Grant({ accountId: "alva", clientId: "alva" });
      grant.addOIDCScope("openid");
      const grantId = await grant.save();
      return new provider.AccessToken({ accountId: "alva", client, grantId, scope: "openid", gty: "implicit" }).save();
    },
    async rotate() {
      keys.unshift(await newKey(`key-${keys.length + 1}`));
      provider = new Provider(url, configuration(keys));
      handle = provider.callback();
    },
    stop: () => stopServer(server),
  };
}

/** A server that answers as the test says. */
export async function startScripted(handler: Handler): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { server, url } = await listen(handler);
  return { url, stop: () => stopServer(server) };
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
