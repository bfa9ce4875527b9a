import { writeSync } from "node:fs";
import type { LogOutput } from "../logging/set-up.ts";

/** Where a command writes to and reads from. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Everything else. */
  error(text: string): void;
  /** One line from the user or the program before the pipe; not shown where the terminal can hide it. */
  readSecret(prompt: string): Promise<string>;
}

export const processTerminal: Terminal = {
  out: (text) => {
    process.stdout.write(text);
  },
  error: (text) => {
    process.stderr.write(text);
  },
  async readSecret(prompt) {
    const { readSecret } = await import("./read-secret.ts");
    return readSecret(prompt);
  },
};

/** Log lines are gathered until the event loop turns, and at most so many characters: one write for many requests. */
const mostGathered = 65_536;

/**
 * The log goes to standard error, so that standard output has only what a person or a script asked for. A reader that
 * has gone away does not stop the service.
 */
export function processLogOutput(): LogOutput & { flush(): void } {
  let gathered = "";
  let scheduled: ReturnType<typeof setImmediate> | undefined;
  function flush(): void {
    if (scheduled !== undefined) clearImmediate(scheduled);
    scheduled = undefined;
    const lines = gathered;
    gathered = "";
    if (lines !== "") writeFully(lines);
  }
  process.once("exit", flush);
  const colours = process.stderr.isTTY === true && process.env.NO_COLOR === undefined && process.env.TERM !== "dumb";
  return {
    terminal: process.stderr.isTTY === true,
    colours,
    flush,
    write(lines) {
      gathered += lines;
      if (gathered.length >= mostGathered) flush();
      else scheduled ??= setImmediate(flush);
    },
  };
}

function writeFully(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  for (let refusals = 0; at < bytes.length && refusals < 1000; ) {
    try {
      at += writeSync(2, bytes, at);
      refusals = 0;
    } catch (error) {
      // EAGAIN: a pipe whose reader is slow. EPIPE and all else: nobody reads, and there is no place left to say so.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      refusals++;
    }
  }
}
