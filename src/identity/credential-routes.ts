import { document, text } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";
import { booleanParameter, intParameter, oneOfParameter, textParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import type { AuthenticationRequest, AuthenticationResult, PasswordCredentials } from "../plugin/contract.ts";
import {
  AccessKeyDocument,
  AccessKeyListDocument,
  createAccessKey,
  deleteAccessKey,
  listAccessKeys,
  putAccessKey,
  readAccessKey,
} from "./access-keys.ts";
import { editingOf, type IdentityRoutesDeps } from "./routes-deps.ts";
import { issueToken, longestLife, revokeToken, tokenOf } from "./tokens.ts";
import { ownAccessKeys, userItself } from "./user-access.ts";
import { requireRaw } from "./user-routes.ts";

export const AuthenticationTokenDocument = document("AuthenticationTokenDocument", {
  token: text().required(),
  user: text().required(),
});

export interface CredentialRoutesDeps extends IdentityRoutesDeps {
  /** Asks the realms about credentials as the filters do; what fails counts towards the lockout. */
  readonly authenticate: (
    credentials: PasswordCredentials,
    request: AuthenticationRequest,
  ) => AuthenticationResult | Promise<AuthenticationResult>;
}

/** What proves who somebody is: tokens, access keys, and the check of a password. */
export function credentialRoutes(deps: CredentialRoutesDeps): RouteTable {
  const { store } = deps;
  const route = routes();
  const lifeParameters = {
    seconds: intParameter({ minimum: 1, maximum: longestLife }),
    autoRefresh: booleanParameter({ default: false }),
  };

  route.get(
    "/token",
    {
      summary: "Make a token for the caller",
      role: "authenticated",
      query: lifeParameters,
      output: AuthenticationTokenDocument,
      plain: ({ token }) => token,
    },
    async (request) => {
      const { subject, query } = request;
      const userName = subject.userName;
      if (!subject.known) {
        throw new KinoraError("conflict", {
          type: "User",
          id: userName,
          explanation: "The caller has no user in the database, so no token can be made",
        });
      }
      const unlimited = subject.hasRole("_administrator");
      const wish = { userName, ...query, unlimited };
      return { token: await issueToken(store, await deps.tokenIntervals(), request.change(), wish), user: userName };
    },
  );

  route.delete(
    "/token",
    { summary: "End the token that this request was authenticated by", role: "authenticated", output: "none" },
    async (request) => {
      const token = request.subject.method === "token" ? tokenOf(request.header("authorization")) : undefined;
      if (token === undefined) {
        throw new KinoraError("invalid-input", {
          context: "Authorization",
          explanation: "The request was not authenticated by a token, so there is none to end",
        });
      }
      await revokeToken(store, request.change(), token);
    },
  );

  route.get(
    "/user/{userName}/token",
    { summary: "Make a token for a user", role: userItself, query: lifeParameters, output: "text" },
    async (request) => {
      const { params, query, subject } = request;
      const wish = { userName: params.userName, ...query, unlimited: subject.hasRole("_administrator") };
      return issueToken(store, await deps.tokenIntervals(), request.change(), wish);
    },
  );

  route.put(
    "/user/{userName}/validate",
    {
      summary: "Check a user's password",
      role: ["_administrator", "_runas"],
      query: { type: oneOfParameter(["raw", "md5"], { default: "raw" }) },
      input: "text",
      output: "text",
    },
    async (request) => {
      requireRaw("type", request.query.type);
      const { userName } = request.params;
      const circumstances: AuthenticationRequest = {
        remoteAddress: request.remoteAddress,
        method: "PUT",
        path: request.path,
        header: (name) => request.header(name),
      };
      const credentials = { kind: "password", userName, password: request.body } as const;
      requireFit(await deps.authenticate(credentials, circumstances));
      return "OK";
    },
  );

  route.get(
    "/user/{userName}/key",
    { summary: "List a user's access keys", role: ownAccessKeys, output: AccessKeyListDocument },
    ({ params }) => listAccessKeys(store, params.userName),
  );

  route.post(
    "/user/{userName}/key",
    {
      summary: "Make an access key; the only answer with its secret",
      role: ownAccessKeys,
      query: { name: textParameter() },
      output: AccessKeyDocument,
    },
    (request) => createAccessKey(editingOf(deps, request), request.params.userName, request.query.name),
  );

  route.get(
    "/user/{userName}/key/{keyId}",
    { summary: "Read an access key", role: ownAccessKeys, output: AccessKeyDocument, etag: true },
    ({ params }) => readAccessKey(store, params.userName, params.keyId),
  );

  route.put(
    "/user/{userName}/key/{keyId}",
    {
      summary: "Change the name of an access key, disable or enable it",
      role: ownAccessKeys,
      input: AccessKeyDocument,
      output: AccessKeyDocument,
    },
    (request) => {
      const { userName, keyId } = request.params;
      return putAccessKey(editingOf(deps, request), userName, keyId, request.body);
    },
  );

  route.delete(
    "/user/{userName}/key/{keyId}",
    { summary: "Remove an access key for good", role: ownAccessKeys, output: "none" },
    (request) => {
      const { userName, keyId } = request.params;
      return deleteAccessKey(editingOf(deps, request), userName, keyId);
    },
  );

  return route;
}

/** An access key is no user, even if it logs one in. @throws KinoraError */
function requireFit(result: AuthenticationResult): void {
  switch (result.outcome) {
    case "locked":
      throw new KinoraError("too-many-requests", { headers: { "Retry-After": String(result.retryAfterSeconds) } });
    case "unavailable":
      throw new KinoraError("unavailable", {
        explanation: "A source of users cannot be reached at the moment",
        headers: { "Retry-After": "5" },
      });
    case "accepted":
      if (result.subject.method === "password") return;
  }
  throw new KinoraError("forbidden", { explanation: "The user name and password do not fit" });
}
