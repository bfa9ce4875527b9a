import { logOf } from "../logging/log.ts";

/** A part of the service that has something to do now and then. */
export interface BackgroundPart {
  readonly name: string;
  /** Does what is due; gives the milliseconds after which to come back. */
  run(): Promise<number>;
}

/** The background work of a service. */
export interface Background {
  /** Does what is due of every part. Never rejects: a part that fails is logged and tried again. */
  tick(): Promise<number>;
}

const log = logOf("background");
const retryMs = 5000;
const shortestMs = 100;
const longestMs = 60_000;

/** Makes the background of parts, which run one after the other. */
export function createBackground(parts: readonly BackgroundPart[]): Background {
  return {
    async tick() {
      let next = longestMs;
      for (const { name, run } of parts) next = Math.min(next, await unlessFailed(name, run));
      return Math.max(shortestMs, next);
    },
  };
}

async function unlessFailed(name: string, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    log.error("Background work failed and is tried again", { part: name, error });
    return retryMs;
  }
}

/** Ticks by a timer that does not keep the process alive. The function that it gives stops it and waits for the last. */
export function keepTicking(background: Background): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(milliseconds: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = background.tick().then(plan);
    }, milliseconds);
    unref(timer);
  }

  plan(shortestMs);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

/** Node and Deno have timers as objects that can be let go of; elsewhere they are numbers. */
function unref(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}
