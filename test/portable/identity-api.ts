import { mount } from "../../src/http/dispatcher.ts";
import { createIdentityAccess } from "../../src/identity/access.ts";
import { ensureFirstStart } from "../../src/identity/first-start.ts";
import { identityRoutes } from "../../src/identity/identity-routes.ts";
import { createLockout } from "../../src/identity/lockout.ts";
import { runAs } from "../../src/identity/run-as.ts";
import { defaultTokenIntervals } from "../../src/identity/token-intervals.ts";
import { createUserSource } from "../../src/identity/user-source.ts";
import type { AuthenticationMethod, Subject } from "../../src/plugin/contract.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
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
  as(userName: string, method?: AuthenticationMethod): Sender;
}

export async function openTestApi(): Promise<TestApi> {
  const opened = await openTestStore();
  const { store, hasher } = opened;
  await ensureFirstStart(store, { hasher, adminPassword: "admin" });
  const tokenIntervals = () => defaultTokenIntervals;
  const access = createIdentityAccess({ store, hasher, tokenIntervals });
  const lockout = createLockout({ now: store.now, failuresPerMinute: () => 10 });
  const deps = { store, hasher, tokenIntervals, access, lockout };
  const users = createUserSource(store);
  const dispatcher = mount(identityRoutes(deps), {
    namespace: "urn:test",
    now: store.now,
    change: (actor) => store.change(actor),
    onDefect: (cause) => console.error("defect", cause),
  });

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
      const named = raw.headers.get("runas");
      const caller = await subjectOf(userName, method);
      const target = path;
      const { segments, matrix, path: canonical } = canonicalTarget(target);
      return dispatcher.dispatch(raw, {
        path: canonical,
        segments,
        matrix,
        target,
        subject: named === null ? caller : await runAs(caller, named, users),
        requestId: "test",
        remoteAddress: "192.0.2.1",
        header: (name) => raw.headers.get(name) ?? undefined,
      });
    };
  }
  return { ...opened, admin: as("admin"), as };
}

/** A document's body as JSON. */
export function json(value: unknown): Send {
  return { body: JSON.stringify(value) };
}

/** A body of text. */
export function plain(body: string): Send {
  return { body, type: "text/plain", accept: "*/*" };
}
