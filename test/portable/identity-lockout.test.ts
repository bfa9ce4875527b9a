import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLockout, mostBuckets, networkOf } from "../../src/identity/lockout.ts";

function open(limit = 10) {
  const clock = { now: 1_000_000 };
  return { clock, lockout: createLockout({ now: () => clock.now, failuresPerMinute: () => limit }) };
}
const from = (remoteAddress: string | undefined) => ({ remoteAddress });

describe("the lockout", () => {
  test("lets ten failures a minute pass, then says how long to wait", () => {
    const { clock, lockout } = open();
    for (let failure = 0; failure < 10; failure++) {
      expect(lockout.check(from("192.0.2.1"), "alva")).toBeUndefined();
      lockout.failed(from("192.0.2.1"), "alva");
    }
    expect(lockout.check(from("192.0.2.1"), "alva")).toBe(6);
    clock.now += 5999;
    expect(lockout.check(from("192.0.2.1"), "alva")).toBe(1);
    clock.now += 1;
    expect(lockout.check(from("192.0.2.1"), "alva")).toBeUndefined();
  });

  test("is calm but for two minutes after a failure, in which a bucket fills again", () => {
    const { clock, lockout } = open(1);
    expect(lockout.isCalm(clock.now)).toBe(true);
    for (let failure = 0; failure < 10; failure++) lockout.failed(from("192.0.2.1"), "alva");
    clock.now += 120_000;
    expect([lockout.isCalm(clock.now), lockout.check(from("192.0.2.1"), "alva")]).toEqual([false, undefined]);
    clock.now += 1;
    expect(lockout.isCalm(clock.now)).toBe(true);
  });

  test("never holds up a user at another address", () => {
    const { lockout } = open();
    for (let failure = 0; failure < 100; failure++) lockout.failed(from("192.0.2.1"), "alva");
    expect(lockout.check(from("192.0.2.2"), "alva")).toBeUndefined();
  });

  test("holds up an address that tries many names, but not who has logged in from it", () => {
    const { lockout } = open();
    lockout.succeeded(from("192.0.2.1"), "known");
    for (let failure = 0; failure < 10; failure++) lockout.failed(from("192.0.2.1"), `name${failure}`);
    expect(lockout.check(from("192.0.2.1"), "fresh")).toBe(6);
    expect(lockout.check(from("192.0.2.1"), "known")).toBeUndefined();
    for (let failure = 0; failure < 10; failure++) lockout.failed(from("192.0.2.1"), "known");
    expect(lockout.check(from("192.0.2.1"), "known")).toBe(6);
  });

  test("counts nothing without an address or when it is off", () => {
    const { lockout } = open();
    for (let failure = 0; failure < 100; failure++) lockout.failed(from(undefined), "alva");
    expect(lockout.check(from(undefined), "alva")).toBeUndefined();
    const off = open(0).lockout;
    for (let failure = 0; failure < 100; failure++) off.failed(from("192.0.2.1"), "alva");
    expect(off.check(from("192.0.2.1"), "alva")).toBeUndefined();
  });

  test("forgets the longest untouched when there are too many addresses", () => {
    const { lockout } = open(1);
    lockout.failed(from("192.0.2.1"), "alva");
    for (let other = 0; other < mostBuckets; other++) lockout.failed(from(`10.${other >> 8}.${other & 255}.1`), "x");
    expect(lockout.check(from("192.0.2.1"), "alva")).toBeUndefined();
    expect(lockout.check(from("10.0.0.1"), "x")).toBeUndefined();
    expect(lockout.check(from(`10.${(mostBuckets - 1) >> 8}.${(mostBuckets - 1) & 255}.1`), "x")).toBeDefined();
  });

  test("forgets the longest untouched names of one address, and never the address itself", () => {
    const { lockout } = open(2);
    lockout.succeeded(from("192.0.2.1"), "first");
    lockout.failed(from("192.0.2.1"), "second");
    lockout.failed(from("192.0.2.1"), "second");
    expect(lockout.check(from("192.0.2.1"), "second")).toBe(30);
    for (let other = 0; other < mostBuckets; other++) lockout.succeeded(from("192.0.2.1"), `name ${other}`);
    // Who had logged in before is trusted no longer, and is held up like everybody else.
    expect(lockout.check(from("192.0.2.1"), "first")).toBe(30);
    expect(lockout.check(from("192.0.2.1"), `name ${mostBuckets - 1}`)).toBeUndefined();
    expect(lockout.check(from("192.0.2.1"), "fresh")).toBe(30);
  });

  test("in any minute lets no more failures of a user at an address pass than twice the limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
        (limit, pauses) => {
          const { clock, lockout } = open(limit);
          const passed: number[] = [];
          for (const pause of pauses) {
            clock.now += pause;
            const wait = lockout.check(from("192.0.2.1"), "alva");
            if (wait !== undefined) {
              expect(wait).toBeGreaterThan(0);
              expect(wait).toBeLessThanOrEqual(61);
              continue;
            }
            passed.push(clock.now);
            lockout.failed(from("192.0.2.1"), "alva");
          }
          for (const at of passed) {
            expect(passed.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(2 * limit);
          }
        },
      ),
    );
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:db8::1:2:3", "2001:db8:0:0::/64"],
  ])("counts %s as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
