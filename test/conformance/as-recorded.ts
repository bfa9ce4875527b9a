import { expect } from "vitest";
import { differences } from "./differences.ts";

/** Compares what happened with what was recorded; a case that is listed as different must be different. */
export function expectAsRecorded(id: string, happened: unknown, recorded: unknown): void {
  const because = differences[id];
  if (because === undefined) expect(happened).toEqual(recorded);
  else expect(happened, `${id} is listed as different (${because}) and is not`).not.toEqual(recorded);
}
