import fc from "fast-check";
import { expect, test } from "vitest";
import { maximumWaitingWriters, writeGate } from "../../src/store/write-gate.ts";

test("writers pass one at a time, in the order in which they came, also after failures", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 20 }), async (fates) => {
      const gate = writeGate();
      const entered: number[] = [];
      let inside = 0;
      const outcomes = await Promise.allSettled(
        fates.map((succeeds, index) =>
          gate.run(async () => {
            entered.push(index);
            expect(++inside).toBe(1);
            await Promise.resolve();
            inside--;
            if (!succeeds) throw new Error("failed");
          }),
        ),
      );
      expect(entered).toEqual(fates.map((_, index) => index));
      expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(fates);
    }),
  );
});

test("one writer more than may wait is told that the database is busy", async () => {
  const gate = writeGate();
  let open = () => {};
  const held = gate.run(
    () =>
      new Promise<void>((resolve) => {
        open = resolve;
      }),
  );
  const waiting = Array.from({ length: maximumWaitingWriters }, (_, index) => gate.run(async () => index));
  await expect(gate.run(async () => -1)).rejects.toMatchObject({ code: "unavailable", reason: "busy" });
  open();
  await held;
  expect((await Promise.all(waiting)).at(-1)).toBe(maximumWaitingWriters - 1);
  expect(await gate.run(async () => "free")).toBe("free");
});
