/**
 * `npm run bench:auth`: what authentication costs. `GET /API/whoami` by each way in, beside bare hono and beside the
 * primitives by themselves, in one run, alternating; medians of the rounds.
 *
 * Options: `--rounds 5 --seconds 3 --runtime node,deno --part warm,cold,password`.
 */
import { parseArgs } from "node:util";
import { addCallers, asAdmin, bearerTokens, makeIssuer, manyCallers } from "./auth/callers.ts";
import { latencies, pause, quantile } from "./auth/latency.ts";
import { generator, type LoadFigure, type LoadTarget, load, median } from "./auth/load.ts";
import { passwordHashes } from "./auth/password-hashes.ts";
import { type BenchServer, primitive, type Runtime, startBare, startKinora } from "./auth/servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    runtime: { type: "string", default: "node,deno" },
    part: { type: "string", default: "warm,cold,password" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

const issuers = { RS256: makeIssuer("RS256"), ES256: makeIssuer("ES256") } as const;

/** The default chain, with keys for bearer tokens. */
const defaultChain = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
oauth2Auth = com.service.security.auth.BearerAuthenticationFilter
oauth2Auth.publicKey = ${issuers.RS256.publicKey}, ${issuers.ES256.publicKey}
oauth2Auth.expectedAudience = kinora
securityManager.realms = $serviceRealm
authcBasic.applicationName = serviceRealm
invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false
[urls]
/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic
`;

/** The default chain with a second realm, which knows one user. */
const twoRealms = defaultChain
  .replace("= $serviceRealm", "= $serviceRealm, $iniRealm")
  .replace("[urls]", "[users]\nalice = wonder\n[urls]");

interface Contender extends Omit<LoadTarget, "url" | "pid"> {
  readonly name: string;
  readonly server: BenchServer;
}

/** Seconds of load before each stretch that counts: a server that stood idle has let go of some of its compiled code. */
const warmUpSeconds = 1;

/** Loads each contender in turn, round after round; the first round warms up and does not count. */
async function measured(contenders: readonly Contender[]): Promise<ReadonlyMap<string, readonly LoadFigure[]>> {
  const figures = new Map<string, LoadFigure[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, server, ...target } of contenders) {
      const loaded = { ...target, url: `${server.base}/API/whoami`, pid: server.pid };
      await load(loaded, warmUpSeconds);
      const figure = await load(loaded, seconds);
      if (figure.failures > 0) throw new Error(`${name}: ${figure.failures} answers were not 200`);
      if (round >= 0) figures.get(name)?.push(figure);
    }
  }
  return figures;
}

function tell(title: string, figures: ReadonlyMap<string, readonly LoadFigure[]>): void {
  const bare = figures.get("bare hono") ?? [];
  console.log(`\n${title}: medians of ${rounds} rounds of ${seconds} s, 32 connections, load by ${generator}\n`);
  console.log("| | requests/s | of bare hono | CPU µs a request | more than bare hono |\n|---|---|---|---|---|");
  for (const [name, own] of figures) {
    const rate = median(own.map(({ requestsPerSecond }) => requestsPerSecond));
    const ratio = median(
      own.map(({ requestsPerSecond }, i) => requestsPerSecond / (bare[i]?.requestsPerSecond ?? NaN)),
    );
    const cpu = median(own.map(({ cpuMicroseconds = NaN }) => cpuMicroseconds));
    const more = median(own.map(({ cpuMicroseconds = NaN }, i) => cpuMicroseconds - (bare[i]?.cpuMicroseconds ?? NaN)));
    console.log(`| ${name} | ${Math.round(rate)} | ${ratio.toFixed(2)} | ${cpu.toFixed(1)} | ${more.toFixed(1)} |`);
  }
}

/** What is sent is known already, as it is to all requests of a client but the first. */
async function warm(runtime: Runtime): Promise<void> {
  const [bare, quiet, double, logging] = await Promise.all([
    startBare(runtime),
    startKinora(runtime, { accessLog: false, ini: defaultChain }),
    startKinora(runtime, { accessLog: false, ini: twoRealms }),
    startKinora(runtime, { accessLog: true, ini: defaultChain }),
  ]);
  const { tokens, keys, users } = await addCallers(quiet, await passwordHashes(1), "password");
  const [rs256 = ""] = bearerTokens(issuers.RS256, 1);
  const contender = (name: string, Authorization = asAdmin, server = quiet, more = {}): Contender => ({
    name,
    server,
    headers: { Authorization, ...more },
  });
  try {
    const figures = await measured([
      contender("bare hono", asAdmin, bare),
      contender("bare hono, sent the RS256 token", rs256, bare),
      contender("Basic", users[0]),
      contender("Basic, two realms", asAdmin, double),
      contender("token", tokens[0]),
      contender("access key", keys[0]),
      contender("bearer RS256", rs256),
      contender("bearer ES256", bearerTokens(issuers.ES256, 1)[0]),
      contender("Basic with RunAs", asAdmin, quiet, { RunAs: "cold-0" }),
      contender("Basic, access log on", asAdmin, logging),
    ]);
    tell(`${runtime}, warm`, figures);
  } finally {
    for (const server of [bare, quiet, double, logging]) await server.stop();
  }
}

/** Each request brings what was not seen for the last ten thousand; no password among them. */
async function cold(runtime: Runtime): Promise<void> {
  const [bare, server] = await Promise.all([
    startBare(runtime),
    startKinora(runtime, { accessLog: false, ini: defaultChain }),
  ]);
  const { tokens, keys } = await addCallers(server, [], "password");
  try {
    const figures = await measured([
      { name: "bare hono", server: bare, headers: { Authorization: asAdmin } },
      { name: "token", server, headers: {}, authorizations: tokens },
      { name: "access key", server, headers: {}, authorizations: keys },
      { name: "bearer RS256", server, headers: {}, authorizations: bearerTokens(issuers.RS256, manyCallers) },
      { name: "bearer ES256", server, headers: {}, authorizations: bearerTokens(issuers.ES256, manyCallers) },
    ]);
    tell(`${runtime}, cold`, figures);
  } finally {
    for (const each of [bare, server]) await each.stop();
  }
  for (const kind of ["RS256", "ES256"] as const) {
    const alone = await primitive(runtime, kind, seconds);
    console.log(`\n${runtime}: ${Math.round(alone)} verifications of ${kind} a second by themselves`);
  }
}

/** Every login computes a password; a caller with a token comes meanwhile. */
async function password(runtime: Runtime): Promise<void> {
  // Each user logs in once: a few more of them than the fastest stretch can use up.
  const perStretch = Math.ceil((await primitive(runtime, "argon2id", seconds)) * seconds * 1.5);
  const hashes = await passwordHashes(perStretch * rounds);
  const server = await startKinora(runtime, { accessLog: false, ini: defaultChain });
  const url = `${server.base}/API/whoami`;
  const { tokens, users } = await addCallers(server, hashes, "password");
  const token = { Authorization: tokens[0] ?? "" };
  const target = { url, headers: {}, pid: server.pid };
  const logins: number[] = [];
  const alone: number[] = [];
  const idle: number[][] = [];
  const beside: number[][] = [];
  const during: number[][] = [];
  try {
    await latencies(url, token, pause(500));
    for (let round = 0; round < rounds; round++) {
      idle.push(await latencies(url, token, pause(seconds * 1000)));
      const raw = primitive(runtime, "argon2id", seconds);
      beside.push(await latencies(url, token, raw));
      alone.push(await raw);
      const authorizations = users.slice(round * perStretch, (round + 1) * perStretch);
      const figure = load({ ...target, authorizations }, seconds);
      during.push(await latencies(url, token, figure));
      const { requestsPerSecond, failures } = await figure;
      if (failures > 0) throw new Error(`${failures} logins were not answered with 200`);
      logins.push(requestsPerSecond);
    }
  } finally {
    await server.stop();
  }
  const ratio = median(logins.map((rate, i) => rate / (alone[i] ?? Number.NaN)));
  console.log(`\n${runtime}, cold passwords: medians of ${rounds} rounds of ${seconds} s\n`);
  console.log(
    `${Math.round(median(logins))} logins a second; ${Math.round(median(alone))} hashes a second by themselves`,
  );
  console.log(`Logins of hashes: ${ratio.toFixed(2)}\n`);
  console.log("| latency of a token's request beside | median ms | 90 % ms |\n|---|---|---|");
  const row = (what: string, all: readonly number[][]) => {
    const [middle, high] = [0.5, 0.9].map((share) => median(all.map((one) => quantile(one, share))).toFixed(2));
    console.log(`| ${what} | ${middle} | ${high} |`);
  };
  row("nothing", idle);
  row("hashes of another process", beside);
  row("logins", during);
}

const parts = { warm, cold, password } as const;
for (const runtime of values.runtime.split(",") as Runtime[]) {
  for (const part of values.part.split(",") as (keyof typeof parts)[]) await parts[part](runtime);
}
