import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import type { Lease } from "../../src/store/leases.ts";
import { makeInstances } from "./store-database.ts";

const lost = new KinoraError("conflict", { explanation: "The lease was lost" });

async function twoInstances() {
  const time = { ms: 1_000_000 };
  const instances = await makeInstances();
  const now = () => time.ms;
  return { time, first: await instances.store({ now }), second: await instances.store({ now }) };
}

describe("a lease", () => {
  test("is held by one at a time, until it runs out", async () => {
    const { first, second, time } = await twoInstances();
    const lease = await first.leases.claim("tick", 1000);
    expect(lease).toMatchObject({ name: "tick", expires: 1_001_000 });
    expect(await second.leases.claim("tick", 1000)).toBeUndefined();
    expect(await first.leases.claim("tick", 1000)).toBeUndefined();
    time.ms += 999;
    expect(await second.leases.claim("tick", 1000)).toBeUndefined();
    time.ms += 1;
    const next = await second.leases.claim("tick", 1000);
    expect(next?.fence).toBeGreaterThan(lease?.fence ?? Number.POSITIVE_INFINITY);
  });

  test("of another name is another lease", async () => {
    const { first, second } = await twoInstances();
    expect(await first.leases.claim("a", 1000)).toBeDefined();
    expect(await second.leases.claim("b", 1000)).toBeDefined();
  });

  test("is free at once when it was given back", async () => {
    const { first, second } = await twoInstances();
    const lease = await first.leases.claim("tick", 1000);
    await lease?.release();
    const next = await second.leases.claim("tick", 1000);
    expect(next?.fence).toBeGreaterThan(lease?.fence ?? Number.POSITIVE_INFINITY);
    await lease?.release();
    expect(await first.leases.claim("tick", 1000)).toBeUndefined();
  });

  test("is kept by renewing it, and cannot be renewed when another has it", async () => {
    const { first, second, time } = await twoInstances();
    const lease = await first.leases.claim("tick", 1000);
    time.ms += 900;
    const renewed = await lease?.renew(1000);
    expect(renewed).toMatchObject({ fence: lease?.fence, expires: 1_001_900 });
    time.ms += 900;
    expect(await second.leases.claim("tick", 1000)).toBeUndefined();
    time.ms += 100;
    expect(await second.leases.claim("tick", 1000)).toBeDefined();
    expect(await renewed?.renew(1000)).toBeUndefined();
  });

  test("lets its holder finish, and keeps one that comes too late from writing", async () => {
    const { first, second, time } = await twoInstances();
    const actor = { userName: "tick" };
    await first.query({ sql: "create table done (by text not null) strict" });
    const late = await first.leases.claim("tick", 1000);
    time.ms += 1000;
    const current = await second.leases.claim("tick", 1000);
    const finish = (lease: Lease | undefined, by: string) =>
      first
        .change(actor)
        .require((lease as Lease).guard(), lost)
        .add({ sql: "insert into done values (?)", args: [by] })
        .commit();
    await expect(finish(late, "late")).rejects.toBe(lost);
    await finish(current, "current");
    await current?.release();
    await expect(finish(current, "after release")).rejects.toBe(lost);
    expect(await first.query({ sql: "select by from done" })).toEqual([{ by: "current" }]);
  });

  test("that ran out but that nobody else took still lets its holder finish", async () => {
    const { first, time } = await twoInstances();
    const lease = await first.leases.claim("tick", 1000);
    time.ms += 5000;
    await first
      .change({ userName: "tick" })
      .require((lease as Lease).guard(), lost)
      .commit();
  });

  test("that ran out long ago is forgotten", async () => {
    const { first, time } = await twoInstances();
    await first.leases.claim("old", 1000);
    time.ms += 25 * 3_600_000;
    await first.leases.claim("new", 1000);
    expect(await first.query({ sql: "select name from lease" })).toEqual([{ name: "new" }]);
  });

  test("has one holder at every moment, whoever claims, renews, lets go or waits", async () => {
    const { first, second, time } = await twoInstances();
    const step = fc.record({
      instance: fc.constantFrom(first, second),
      act: fc.constantFrom("claim", "renew", "release", "wait"),
      ms: fc.integer({ min: 1, max: 1500 }),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const name = `lease ${++round}`;
        let holder: { instance: unknown; lease: Lease } | undefined;
        let fence = 0;
        for (const { instance, act, ms } of steps) {
          const mine = holder?.instance === instance ? holder : undefined;
          const held = holder !== undefined && holder.lease.expires > time.ms;
          if (act === "wait") time.ms += ms;
          if (act === "claim") {
            const lease = await instance.leases.claim(name, ms);
            expect(lease !== undefined).toBe(!held);
            if (lease !== undefined) {
              expect(lease.fence).toBeGreaterThan(fence);
              fence = lease.fence;
              holder = { instance, lease };
            }
          }
          if (act === "renew" && mine !== undefined) {
            const lease = await mine.lease.renew(ms);
            expect(lease).toBeDefined();
            if (lease !== undefined) holder = { instance, lease };
          }
          if (act === "release" && mine !== undefined) {
            await mine.lease.release();
            holder = undefined;
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});
