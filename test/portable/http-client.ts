// A dispatcher with routes of a test, and requests to it as the service makes them.
import { respond } from "../../src/http/answer.ts";
import { type Dispatcher, type DispatcherOptions, mount } from "../../src/http/dispatcher.ts";
import { type RouteTable, routes } from "../../src/http/route-table.ts";
import type { Subject } from "../../src/plugin/contract.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";

/** A caller with these roles. */
export function caller(userName: string, ...roles: readonly string[]): Subject {
  return {
    userName,
    callerName: userName,
    method: "password",
    realms: ["testRealm"],
    known: true,
    hasRole: (role) => roles.includes(role) || roles.includes("_administrator"),
    isPermitted: () => false,
  };
}

export const admin = caller("admin", "_administrator");

export interface Defect {
  readonly cause: unknown;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

export interface TestClient {
  readonly dispatcher: Dispatcher;
  /** Every defect that the log would have. */
  readonly defects: readonly Defect[];
  /** The answer as the dispatcher gives it: a promise only when it needs one. */
  send(method: string, target: string, init?: RequestInit & SendOptions): Response | Promise<Response>;
  /** The answer, its body read. */
  fetch(method: string, target: string, init?: RequestInit & SendOptions): Promise<Answer>;
}
interface SendOptions {
  /** Who calls; `null` is anonymous. Default: an administrator. */
  readonly as?: Subject | null;
}
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly type: string | null;
}

/** Mounts a table, or the routes that a function declares. */
export function serve(
  declared: RouteTable | ((table: RouteTable) => void),
  options: Partial<DispatcherOptions> = {},
): TestClient {
  const table = typeof declared === "function" ? routes() : declared;
  if (typeof declared === "function") declared(table);
  const defects: Defect[] = [];
  const dispatcher = mount([table], {
    namespace: "urn:test",
    now: () => 1_709_633_472_345,
    change: () => {
      throw new Error("These tests change nothing");
    },
    onDefect: (cause, context) => defects.push({ cause, ...context }),
    ...options,
  });
  const send: TestClient["send"] = (method, target, { as = admin, ...init } = {}) => {
    const request = new Request(`http://kinora.test${target}`, { method, ...init });
    const { path, segments, matrix } = canonicalTarget(target);
    const answer = dispatcher.dispatch({
      method,
      raw: request,
      origin: "http://kinora.test",
      path,
      segments,
      matrix,
      target,
      subject: as ?? undefined,
      requestId: "request-1",
      remoteAddress: "192.0.2.1",
      header: (name) => request.headers.get(name) ?? undefined,
    });
    return respond(answer);
  };
  return {
    dispatcher,
    defects,
    send,
    fetch: async (method, target, init) => {
      const response = await send(method, target, init);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, type: response.headers.get("content-type") };
    },
  };
}
