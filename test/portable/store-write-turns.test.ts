import { describe, expect, test } from "vitest";
import { writeTurns } from "../../src/store/write-turns.ts";

/** Turns of two writers, with a clock and pauses that the test ends. */
function scene() {
  const state = { time: 1000, running: 0, most: 0, pauses: [] as (() => void)[], ends: [] as (() => void)[] };
  const inTurn = writeTurns({
    most: 2,
    longestMs: 100,
    now: () => state.time,
    pause: () => new Promise((resolve) => state.pauses.push(resolve)),
  });
  return Object.assign(state, {
    write: (answer: string | Error = "written") =>
      inTurn(async () => {
        state.running += 1;
        state.most = Math.max(state.most, state.running);
        await new Promise<void>((resolve) => state.ends.push(resolve));
        state.running -= 1;
        if (answer instanceof Error) throw answer;
        return answer;
      }),
    /** Those that wait look again. */
    async look(): Promise<void> {
      for (const end of state.pauses.splice(0)) end();
      await settled();
    },
    /** The writes that run end. */
    async end(): Promise<void> {
      for (const end of state.ends.splice(0)) end();
      await settled();
    },
  });
}

/** Lets everything go on that waits for nothing but promises. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe("turns of writers that await no promise of each other", () => {
  test("let so many through at once, and all in the end", async () => {
    const of = scene();
    const writes = Array.from({ length: 7 }, (_, index) => of.write(`${index}`));
    for (let round = 0; round < 4; round++) {
      await of.end();
      await of.look();
    }
    expect(await Promise.all(writes)).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect([of.most, of.running]).toEqual([2, 0]);
  });

  test("are given back by a write that fails", async () => {
    const of = scene();
    const failures = [of.write(new Error("full")), of.write(new Error("full"))];
    await of.end();
    for (const failure of failures) await expect(failure).rejects.toThrow("full");
    const write = of.write();
    await of.end();
    expect(await write).toBe("written");
  });

  test("come to an end: who waits longer is told that the database is busy", async () => {
    const of = scene();
    const held = [of.write(), of.write()];
    of.time += 50;
    const late = of.write();
    of.time += 50;
    await of.look();
    expect(of.running).toBe(2);
    const refused = expect(late).rejects.toMatchObject({ code: "unavailable", reason: "busy", outcome: "not-written" });
    await of.end();
    await Promise.all(held);
    const again = [of.write(), of.write()];
    of.time += 51;
    await of.look();
    await refused;
    await of.end();
    expect(await Promise.all(again)).toEqual(["written", "written"]);
  });

  test("of writers that were cancelled with their requests do not stay taken", async () => {
    const of = scene();
    for (const cancelled of [of.write(), of.write()]) cancelled.catch(() => undefined);
    of.time += 60;
    const write = of.write();
    of.time += 41;
    await of.look();
    expect(of.running).toBe(3);
    await of.end();
    expect(await write).toBe("written");
  });
});
