import { expect, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import { expectAsRecorded } from "../conformance/as-recorded.ts";
import { differences } from "../conformance/differences.ts";
import http from "../conformance/shiro-http.jsonl?raw";
import { vectors } from "../conformance/vectors.ts";
import { type SecurityScene, securityScene } from "./security-scene.ts";

interface HttpRequest {
  readonly target: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [string, string])[];
}
interface HttpAnswer {
  readonly status: number;
  readonly served: boolean;
  readonly user?: string;
  readonly wwwAuthenticate?: readonly string[];
  readonly location?: string;
  readonly events?: readonly string[];
}
interface HttpOutput {
  readonly responses?: readonly HttpAnswer[];
  readonly startError?: unknown;
}

const host = "oracle.local";

/** Sends a request as the client of the recorded cases did: by HTTP/1.1, without TLS, to the host of these cases. */
async function send(scene: SecurityScene, { target, method, headers = [] }: HttpRequest) {
  const named = headers.find(([name]) => name.toLowerCase() === "host")?.[1] ?? host;
  const port = Number(/:(\d+)$/.exec(named)?.[1] ?? 80);
  try {
    const sent = await scene.send(target, { method: method ?? "GET", headers: [...headers, ["Host", host]], port });
    return { ...sent, user: sent.subject?.userName ?? "-" };
  } catch (error) {
    const status = error instanceof KinoraError ? error.status : 500;
    return { status, served: false, user: "-", headers: new Headers() };
  }
}

/** Events of the reference that have no counterpart: filters do not come back after the request. */
function ourEvents(events: readonly string[] = []): readonly string[] {
  return events
    .filter((event) => !/:post$|:after:|:authz$/.test(event))
    .map((event) => event.replace(/^(\w*:failure:.*):\w+$/, "$1"));
}

test.each(
  vectors<{ ini: string; requests: readonly HttpRequest[] }, HttpOutput>(http).map((one) => [one.id, one] as const),
)("answers the requests of %s", async (id, { in: { ini, requests }, out }) => {
  const scene = await securityScene(ini);
  const starts = scene.loaded.pipeline !== undefined;
  if (!starts || out.startError !== undefined || differences[id] !== undefined) {
    expectAsRecorded(id, starts, out.startError === undefined);
    return;
  }
  for (const [index, request] of requests.entries()) {
    const recorded = out.responses?.[index];
    if (recorded === undefined) throw new Error(`${id} has no answer ${index}`);
    scene.notes.events.length = 0;
    const { status, served, user, headers } = await send(scene, request);
    // A recorded HEAD answer names no user; the scheme of the challenge counts in any letter case.
    expectAsRecorded(
      `${id}/${index}`,
      {
        request,
        status,
        served,
        user: served && recorded.user !== undefined ? user : undefined,
        challenge: headers.get("www-authenticate")?.toLowerCase(),
        location: headers.get("location") ?? undefined,
        events: scene.notes.events,
      },
      {
        request,
        status: recorded.status,
        served: recorded.served,
        user: recorded.user,
        challenge: recorded.wwwAuthenticate?.join().toLowerCase(),
        location: recorded.location,
        events: ourEvents(recorded.events),
      },
    );
  }
  expect(requests.length).toBeGreaterThan(0);
});
