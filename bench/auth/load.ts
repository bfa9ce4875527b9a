import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/** One measured stretch of load against one server. */
export interface LoadFigure {
  readonly requestsPerSecond: number;
  /** CPU time of the server process a request, microseconds; `undefined` where /proc is not there. */
  readonly cpuMicroseconds: number | undefined;
  readonly failures: number;
}

export interface LoadTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
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

function byWrk(target: LoadTarget, seconds: number): Promise<Counted> {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, ...headers, target.url];
  return new Promise((resolve, reject) => {
    execFile("wrk", args, (error, output) => {
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

async function byNode(target: LoadTarget, seconds: number): Promise<Counted> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const end = started + seconds * 1000;
  let requests = 0;
  let failures = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(target.url, { agent, headers: target.headers }, (response) => {
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
