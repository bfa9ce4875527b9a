import { Agent, request } from "node:http";
import type { Headers } from "./load.ts";

/** Milliseconds between two requests: this client is a guest beside the load. */
const pauseMs = 5;

/** Sends one request after the other while `meanwhile` runs; gives how long each took, in milliseconds, sorted. */
export async function latencies(url: string, headers: Headers, meanwhile: Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let running = true;
  const ended = meanwhile.finally(() => {
    running = false;
  });
  const taken: number[] = [];
  while (running) {
    const started = performance.now();
    await send(url, headers, agent);
    taken.push(performance.now() - started);
    await pause(pauseMs);
  }
  await ended;
  agent.destroy();
  return taken.sort((a, b) => a - b);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The value below which a share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function send(url: string, headers: Headers, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on("end", resolve);
    })
      .on("error", reject)
      .end();
  });
}
