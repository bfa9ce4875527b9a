import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandError } from "./command.ts";

/** Reads one line: from a pipe as it comes, from a terminal without showing it. Rejects when there is none. */
export async function readSecret(prompt: string): Promise<string> {
  const shown = process.stdin.isTTY === true;
  if (shown) process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: shown });
  try {
    for await (const line of reader) return line;
    throw new CommandError(
      "No password was given; write one on standard input, or let --generate-password make one up",
    );
  } finally {
    reader.close();
    if (shown) process.stderr.write("\n");
  }
}
