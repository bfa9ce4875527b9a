import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One measured stretch of load against one server. */
export interface LoadFigure {
  readonly requestsPerSecond: number;
  /** CPU time of the server process a request, microseconds; `undefined` where /proc is not there. */
  readonly cpuMicroseconds: number | undefined;
  readonly failures: number;
}

export type Headers = Readonly<Record<string, string>>;

export interface LoadTarget {
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Headers;
  /** Values of the Authorization header, one a request, from the beginning again when they are used up. */
  readonly authorizations?: readonly string[];
  readonly pid: number;
}

const connections = 32;

function hasWrk(): boolean {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    // wrk prints its version with exit code 1; only its absence counts.
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

/** The load generator of this run: `wrk` where it is installed, else keep-alive connections of this process. */
export const generator = hasWrk() ? "wrk" : "node:http";

function cpuTicks(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return undefined; // not Linux
  }
}

/** Loads the target for a number of seconds with 32 keep-alive connections. */
export async function load(target: LoadTarget, seconds: number): Promise<LoadFigure> {
  const before = cpuTicks(target.pid);
  const { requests, failures, elapsed } = await (generator === "wrk"
    ? byWrk(target, seconds)
    : byNode(target, seconds));
  const after = cpuTicks(target.pid);
  const ticks = before === undefined || after === undefined ? undefined : after - before;
  return {
    requestsPerSecond: requests / elapsed,
    cpuMicroseconds: ticks === undefined ? undefined : (ticks * 10_000) / requests,
    failures,
  };
}

interface Counted {
  readonly requests: number;
  readonly failures: number;
  readonly elapsed: number;
}

/** Gives each request the next line of a file as its Authorization header. */
const inTurn = `
local requests = {}
function init()
  for line in io.lines(os.getenv("KINORA_BENCH_AUTHORIZATIONS")) do
    wrk.headers["Authorization"] = line
    requests[#requests + 1] = wrk.format("GET")
  end
end
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
`;

async function byWrk(target: LoadTarget, seconds: number): Promise<Counted> {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, ...headers];
  if (target.authorizations === undefined) return wrk([...args, target.url], {});
  const folder = mkdtempSync(join(tmpdir(), "kinora-bench-load-"));
  const [script, list] = [join(folder, "in-turn.lua"), join(folder, "authorizations")];
  writeFileSync(script, inTurn);
  writeFileSync(list, target.authorizations.join("\n"));
  try {
    return await wrk([...args, "-s", script, target.url], { KINORA_BENCH_AUTHORIZATIONS: list });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function wrk(args: readonly string[], environment: Headers): Promise<Counted> {
  return new Promise((resolve, reject) => {
    execFile("wrk", args, { env: { ...process.env, ...environment } }, (error, output) => {
      if (error) return reject(error);
      const total = /(\d+) requests in ([\d.]+)(m?s)/.exec(output);
      if (!total) return reject(new Error(`wrk printed no total: ${output}`));
      const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output);
      resolve({
        requests: Number(total[1]),
        failures: Number(failed?.[1] ?? 0),
        elapsed: Number(total[2]) / (total[3] === "ms" ? 1000 : 1),
      });
    });
  });
}

async function byNode({ url, headers, authorizations = [] }: LoadTarget, seconds: number): Promise<Counted> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const end = started + seconds * 1000;
  let requests = 0;
  let failures = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const authorization = authorizations[requests % Math.max(1, authorizations.length)];
      const sent = authorization === undefined ? headers : { ...headers, Authorization: authorization };
      request(url, { agent, headers: sent }, (response) => {
        if (response.statusCode !== 200) failures += 1;
        response.resume().on("end", resolve);
      })
        .on("error", reject)
        .end();
    });
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await one();
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return { requests, failures, elapsed: (performance.now() - started) / 1000 };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}
