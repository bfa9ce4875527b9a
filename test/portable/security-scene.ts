import { builtInPlugins } from "../../plugins/built-in.ts";
import type { Plugin, RefusalOptions, Subject } from "../../src/plugin/mod.ts";
import { createTestContext, type TestLogRecord } from "../../src/plugin/testing/context.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import { type LoadedSecurity, loadSecurity, type PipelineDeps } from "../../src/security/load.ts";
import type { PipelineRequest, SecurityPipeline } from "../../src/security/pipeline.ts";
import type { UserRoles } from "../../src/security/user-source.ts";
import { type OracleNotes, oraclePlugins } from "../conformance/oracle.ts";
import { hashIdentity } from "./hash-identity.ts";

/** The built-in plugins, none of them essential: for texts that are about something else. */
export const optionalPlugins: readonly Plugin[] = builtInPlugins.map((plugin) => ({ ...plugin, essential: false }));

export interface SecurityScene {
  readonly loaded: LoadedSecurity;
  readonly notes: OracleNotes;
  readonly records: readonly TestLogRecord[];
  /** The pipeline; fails the test with the problems when there is none. */
  pipeline(): SecurityPipeline;
  send(target: string, options?: SendOptions): Promise<Sent>;
}
export interface SendOptions {
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly basic?: readonly [userName: string, password: string];
  readonly secure?: boolean;
  readonly port?: number;
}
/** What became of a request. */
export interface Sent {
  readonly status: number;
  readonly served: boolean;
  readonly subject: Subject | undefined;
  readonly headers: Headers;
}

export interface SceneOptions extends Partial<PipelineDeps> {
  /** Default: the built-in ones, none essential, and the test beans of the recorded cases. */
  readonly plugins?: readonly Plugin[];
}

/** No user of the database. */
export const unknownUser: UserRoles = { state: "unknown", roles: new Set() };

/** Loads a `security.ini` with a service around it that has no users and no database. */
export async function securityScene(ini: string | Uint8Array, options: SceneOptions = {}): Promise<SecurityScene> {
  const notes: OracleNotes = { events: [], beans: new Map() };
  const { log, records } = createTestContext();
  const deps: PipelineDeps = {
    plugins: [...optionalPlugins, ...oraclePlugins(notes)],
    context: (name) => ({ ...createTestContext({ name, identity: hashIdentity }), log }),
    users: { rolesOf: () => unknownUser },
    digest: (text) => text,
    securityVersion: () => 1,
    now: Date.now,
    variables: () => undefined,
    log,
    ...options,
  };
  const loaded = await loadSecurity(ini, "security.ini", deps);

  function pipeline(): SecurityPipeline {
    if (loaded.pipeline !== undefined) return loaded.pipeline;
    throw new Error(loaded.problems.map(({ line, message, fix }) => `${line}: ${message}. ${fix}`).join("\n"));
  }

  return {
    loaded,
    notes,
    records,
    pipeline,
    async send(target, sending) {
      const outcome = await pipeline().run(requestOf(target, sending));
      const served = !("status" in outcome);
      return {
        status: served ? 200 : outcome.status,
        served,
        subject: served ? outcome.subject : undefined,
        headers: served ? new Headers() : outcome.headers,
      };
    },
  };
}

export function requestOf(target: string, options: SendOptions = {}): PipelineRequest {
  const { method = "GET", secure = false, port = secure ? 443 : 80, basic } = options;
  const sent = basic === undefined ? [] : [["authorization", `Basic ${base64(basic.join(":"))}`] as const];
  const headers = new Map(
    [...sent, ...(options.headers ?? [])].toReversed().map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { path, segments, trailingSlash } = canonicalTarget(target);
  const mark = target.indexOf("?");
  return {
    method,
    path,
    segments,
    trailingSlash,
    rawTarget: target,
    remoteAddress: "127.0.0.1",
    secure,
    port,
    header: (name) => headers.get(name),
    query: (name) => (mark < 0 ? undefined : (new URLSearchParams(target.slice(mark)).get(name) ?? undefined)),
    refuse: (status: number, refusal?: RefusalOptions) =>
      new Response(refusal?.message ?? null, { status, headers: refusal?.headers ?? {} }),
  };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
