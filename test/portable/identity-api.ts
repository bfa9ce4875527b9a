import { responseOf } from "../../src/http/answer.ts";
import { mount } from "../../src/http/dispatcher.ts";
import { createIdentityAccess } from "../../src/identity/access.ts";
import { type AuditTrail, createAuditTrail } from "../../src/identity/audit-trail.ts";
import { ensureFirstStart } from "../../src/identity/first-start.ts";
import { identityRoutes } from "../../src/identity/identity-routes.ts";
import { createLockout } from "../../src/identity/lockout.ts";
import { runAs } from "../../src/identity/run-as.ts";
import { createUserSource } from "../../src/identity/user-source.ts";
import { type Configuration, createConfiguration } from "../../src/operations/configuration.ts";
import { configurationTables } from "../../src/operations/configuration-tables.ts";
import { createCorsSource } from "../../src/operations/cors-source.ts";
import { tokenIntervalsOf } from "../../src/operations/token-properties.ts";
import type { AuthenticationMethod, Subject } from "../../src/plugin/contract.ts";
import { createAuthenticator } from "../../src/security/authenticator.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import { nameRealm } from "../../src/security/realm-call.ts";
import { openTestStore, type TestStore } from "./identity-store.ts";

/** What a request is sent with. */
export interface Send {
  readonly body?: string;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends as one user: `PUT /user/alva`. */
export type Sender = (request: string, send?: Send) => Promise<Response>;

/** The routes of identity on a database with an administrator `admin`. */
export interface TestApi extends TestStore {
  readonly admin: Sender;
  readonly configuration: Configuration;
  readonly audit: AuditTrail;
  readonly auditFaults: readonly unknown[];
  readonly configuredAuth: { allowConfigUpdate: boolean };
  as(userName: string, method?: AuthenticationMethod): Sender;
}

export async function openTestApi(): Promise<TestApi> {
  const opened = await openTestStore();
  const { store, hasher } = opened;
  await ensureFirstStart(store, { hasher, adminPassword: "admin" });
  const configuration = createConfiguration(store, (error) => console.error("refresh failed", error));
  const tokenIntervals = () => tokenIntervalsOf(configuration);
  const access = createIdentityAccess({ store, hasher, tokenIntervals });
  const lockout = createLockout({
    now: store.now,
    failuresPerMinute: () => configuration.property("loginFailuresPerMinute"),
  });
  const users = createUserSource(store);
  const auditFaults: unknown[] = [];
  const audit = createAuditTrail({
    store,
    includeReads: () => configuration.property("auditTrailIncludeReads"),
    includeBody: () => configuration.property("auditTrailIncludeBody"),
    failed: (error, dropped) => auditFaults.push(error ?? dropped),
  });
  const cors = createCorsSource(configuration);
  const configuredAuth = {
    allowConfigUpdate: true,
    document: { validationEndpoint: "https://ini.example.org/userinfo" },
  };
  const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const serviceRealm = { accepts: ["password", "token"] as const, authenticate: access.authenticate };
  const { authenticate } = createAuthenticator({
    realms: [nameRealm("serviceRealm", serviceRealm, log)],
    listeners: [],
    users,
    lockout,
    digest: (text) => text,
    securityVersion: () => store.versions.current("security"),
    now: store.now,
    realmTimeoutMs: 10_000,
    log,
    redact: (text) => text,
  });
  const dispatcher = mount(
    [
      ...identityRoutes({ store, hasher, tokenIntervals, authenticate }),
      ...configurationTables({ store, configured: () => configuredAuth }),
    ],
    {
      namespace: "urn:test",
      now: store.now,
      change: (actor) => store.change(actor),
      onDefect: (cause) => console.error("defect", cause),
    },
  );
  let requests = 0;

  async function subjectOf(userName: string, method: AuthenticationMethod): Promise<Subject> {
    const { state, roles } = await users.rolesOf(userName);
    return {
      userName,
      callerName: userName,
      method,
      realms: ["serviceRealm"],
      known: state !== "unknown",
      hasRole: (role) => roles.has("_administrator") || roles.has(role),
      isPermitted: () => false,
    };
  }

  function as(userName: string, method: AuthenticationMethod = "password"): Sender {
    return async (request, { body, type = "application/json", accept = "application/json", headers = {} } = {}) => {
      const [verb = "GET", path = "/"] = request.split(" ", 2);
      const raw = new Request(`http://kinora.test${path}`, {
        method: verb,
        headers: { accept, ...(body === undefined ? {} : { "content-type": type }), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      await configuration.refresh();
      const { segments, matrix, path: canonical } = canonicalTarget(path);
      const header = (name: string) => raw.headers.get(name) ?? undefined;
      const seen = { method: verb, path: canonical, header };
      const preflight = cors()?.preflight(seen);
      if (preflight !== undefined) return preflight;
      const named = raw.headers.get("runas");
      const caller = await subjectOf(userName, method);
      const subject = named === null ? caller : await runAs(caller, named, users);
      requests += 1;
      const requestId = `test-${requests}`;
      const audited = { ...seen, requestId, target: path, matrix, subject };
      audit.begin(audited, audit.wantsBody(audited) ? await raw.clone().text() : undefined);
      const context = { ...audited, raw, origin: "http://kinora.test", segments, remoteAddress: "192.0.2.1" };
      const answer = await dispatcher.dispatch(context);
      await audit.end(requestId, answer.status);
      return responseOf(cors()?.decorate(seen, answer) ?? answer);
    };
  }
  return { ...opened, admin: as("admin"), as, configuration, audit, auditFaults, configuredAuth };
}

/** A document's body as JSON. */
export function json(value: unknown): Send {
  return { body: JSON.stringify(value) };
}

/** A body of text. */
export function plain(body: string): Send {
  return { body, type: "text/plain", accept: "*/*" };
}
