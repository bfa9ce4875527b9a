/**
 * `npm run bench:auth`: what the authentication pipeline costs. `GET /API/whoami` through the default chain beside bare
 * hono, in one run, alternating; medians of the rounds. Options: `--rounds 5 --seconds 3 --runtime node,deno`.
 */
import { parseArgs } from "node:util";
import { generator, type LoadFigure, load, median } from "./auth/load.ts";
import { adminPassword, type BenchServer, type Runtime, startBare, startKinora } from "./auth/servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    runtime: { type: "string", default: "node,deno" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

/** The default chain with a second realm, which knows one user. */
const twoRealms = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
oauth2Auth = com.service.security.auth.BearerAuthenticationFilter
securityManager.realms = $serviceRealm, $iniRealm
authcBasic.applicationName = serviceRealm
invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false
[users]
alice = wonder
[urls]
/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic
`;

const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`;

interface Contender {
  readonly name: string;
  readonly server: BenchServer;
  readonly headers: Readonly<Record<string, string>>;
}

async function contenders(runtime: Runtime): Promise<readonly Contender[]> {
  const admin = { Authorization: basic("admin", adminPassword) };
  const quiet = { accessLog: false };
  return [
    { name: "bare hono", server: await startBare(runtime), headers: admin },
    { name: "Basic, default chain", server: await startKinora(runtime, quiet), headers: admin },
    { name: "Basic, two realms", server: await startKinora(runtime, { ...quiet, ini: twoRealms }), headers: admin },
    { name: "Basic, access log on", server: await startKinora(runtime, { accessLog: true }), headers: admin },
  ];
}

function row(name: string, figures: readonly LoadFigure[], bare: readonly LoadFigure[]): string {
  const rate = median(figures.map((figure) => figure.requestsPerSecond));
  const ratio = median(
    figures.map((figure, i) => figure.requestsPerSecond / (bare[i]?.requestsPerSecond ?? Number.NaN)),
  );
  const cpu = median(figures.map((figure) => figure.cpuMicroseconds ?? Number.NaN));
  const more = median(
    figures.map((figure, i) => (figure.cpuMicroseconds ?? Number.NaN) - (bare[i]?.cpuMicroseconds ?? Number.NaN)),
  );
  return `| ${name} | ${Math.round(rate)} | ${ratio.toFixed(2)} | ${cpu.toFixed(1)} | ${more.toFixed(1)} |`;
}

async function measure(runtime: Runtime): Promise<void> {
  const all = await contenders(runtime);
  const figures = new Map<string, LoadFigure[]>(all.map((contender) => [contender.name, []]));
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { name, server, headers } of all) {
        const figure = await load({ url: `${server.base}/API/whoami`, headers, pid: server.pid }, seconds);
        if (figure.failures > 0) throw new Error(`${name}: ${figure.failures} answers were not 200`);
        if (round >= 0) figures.get(name)?.push(figure); // the first round warms up
      }
    }
  } finally {
    for (const { server } of all) await server.stop();
  }
  const bare = figures.get("bare hono") ?? [];
  console.log(`\n${runtime}: medians of ${rounds} rounds of ${seconds} s, 32 connections, load by ${generator}\n`);
  console.log("| | requests/s | of bare hono | CPU µs a request | more than bare hono |\n|---|---|---|---|---|");
  for (const [name, own] of figures) console.log(row(name, own, bare));
}

for (const runtime of values.runtime.split(",") as Runtime[]) await measure(runtime);
