import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Argon2Engine } from "../../src/identity/password/argon2.ts";
import { nobleArgon2 } from "../../src/identity/password/noble-argon2.ts";
import { createPasswordHasher, longestPassword } from "../../src/identity/password/password-hasher.ts";
import { argon2Bounds, readPhc, writePhc } from "../../src/identity/password/phc.ts";
import { createTurnstile } from "../../src/identity/password/turnstile.ts";

/** Costs that a test can pay many times. */
const cheap = { memory: 64, passes: 1, lanes: 1 };

describe("the portable hasher", () => {
  const hasher = createPasswordHasher({ engine: nobleArgon2, cost: cheap });

  const passwords = ["secret", "", "ü§ \u{1F511}", "a:b", " leading and trailing ", "x".repeat(longestPassword)];
  test.each(passwords)("accepts the password that was hashed: %j", async (password) => {
    const stored = await hasher.hash(password);
    expect(await hasher.verify(password, stored)).toBe("match");
    expect(await hasher.verify(`${password.slice(1)}?`, stored)).toBe("mismatch");
  });

  test("salts each hash", async () => {
    expect(await hasher.hash("secret")).not.toBe(await hasher.hash("secret"));
  });

  test("takes a password as the bytes it is given in, not as a normal form", async () => {
    const stored = await hasher.hash("\u00e9");
    expect(await hasher.verify("e\u0301", stored)).toBe("mismatch");
  });

  test("new hashes cost 19 MiB, two passes, one lane, and fit to all that was written before", async () => {
    const real = createPasswordHasher({ engine: nobleArgon2 });
    const stored = await real.hash("secret");
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await real.verify("secret", stored)).toBe("match");
    expect(real.needsRehash(stored)).toBe(false);
  });

  test("refuses to hash a password over the limit, and never matches one", async () => {
    const longest = "x".repeat(longestPassword);
    const stored = await hasher.hash(longest);
    await expect(hasher.hash(`${longest}x`)).rejects.toMatchObject({ code: "invalid-value" });
    expect(await hasher.verify(`${longest}x`, stored)).toBe("mismatch");
  });

  const notOurs = [
    "",
    "secret",
    "$argon2id$",
    "$argon2i$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAA",
    "$argon2id$v=16$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAA",
    "$argon2id$v=19$m=64,t=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAA",
    "$argon2id$v=19$m=64,t=1,p=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAA",
    "$argon2id$v=19$m=0,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAA",
    "$argon2id$v=19$m=64,t=1,p=1$AAAA$AAAAAAAA",
    "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAA$AAAAAAAA",
    "$2y$10$vimgRQPKKUbcpAS1ak7MIeIbvCpN4NPjX0dgrZL34ul40Wnmk3c46",
  ];
  test.each(notOurs)("matches nothing, not even itself, against a text that is no hash: %j", async (stored) => {
    expect(await hasher.verify("secret", stored)).toBe("mismatch");
    expect(await hasher.verify(stored, stored)).toBe("mismatch");
    expect(hasher.needsRehash(stored)).toBe(true);
  });

  test("asks for a new hash when costs or lengths differ", async () => {
    const stored = await hasher.hash("secret");
    expect(hasher.needsRehash(stored)).toBe(false);
    for (const cost of [{ memory: 128 }, { passes: 2 }, { lanes: 2 }]) {
      const other = createPasswordHasher({ engine: nobleArgon2, cost: { ...cheap, ...cost } });
      expect(other.needsRehash(stored)).toBe(true);
      expect(await other.verify("secret", stored)).toBe("match");
    }
  });
});

describe("what a check costs", () => {
  function counting() {
    const costs: string[] = [];
    const engine: Argon2Engine = {
      name: "counting",
      concurrent: 1,
      derive: async (password, salt, cost, length) => {
        costs.push(JSON.stringify([cost, salt.length, length, password.length <= longestPassword]));
        // The bytes of the decoy: even an engine that gives exactly these must not let anyone in.
        return new Uint8Array(length);
      },
    };
    return { costs, hasher: createPasswordHasher({ engine, cost: cheap }) };
  }

  test("an unknown user, an unreadable hash and a password over the limit cost what a wrong password costs", async () => {
    const { costs, hasher } = counting();
    const stored = writePhc({ cost: cheap, salt: new Uint8Array(16), hash: new Uint8Array(32).fill(1) });
    expect(await hasher.verify("wrong", stored)).toBe("mismatch");
    expect(await hasher.verify("secret", undefined)).toBe("mismatch");
    expect(await hasher.verify("secret", "unreadable")).toBe("mismatch");
    expect(await hasher.verify("x".repeat(longestPassword + 1), stored)).toBe("mismatch");
    expect(new Set(costs).size).toBe(1);
    expect(costs).toHaveLength(4);
  });

  test("stored costs over the bounds are never computed", async () => {
    const { costs, hasher } = counting();
    const beyond = [
      { ...cheap, memory: argon2Bounds.memory + 1 },
      { ...cheap, passes: argon2Bounds.passes + 1 },
      { memory: 1024, passes: 1, lanes: argon2Bounds.lanes + 1 },
    ];
    for (const cost of beyond) {
      const stored = writePhc({ cost, salt: new Uint8Array(16), hash: new Uint8Array(32) });
      expect(await hasher.verify("secret", stored)).toBe("mismatch");
    }
    expect(costs.every((cost) => cost.startsWith(JSON.stringify([cheap]).slice(0, -1)))).toBe(true);
  });

  test("more checks than may wait are refused with 503 and a time to come back", async () => {
    const open: (() => void)[] = [];
    const engine: Argon2Engine = {
      name: "held",
      concurrent: 1,
      derive: (_password, _salt, _cost, length) =>
        new Promise((resolve) => open.push(() => resolve(new Uint8Array(length)))),
    };
    const hasher = createPasswordHasher({ engine, cost: cheap, waiting: 1 });
    const first = hasher.verify("a", undefined);
    const second = hasher.verify("b", undefined);
    await expect(hasher.verify("c", undefined)).rejects.toMatchObject({
      code: "unavailable",
      details: { headers: { "Retry-After": "2" } },
    });
    open.shift()?.();
    expect(await first).toBe("mismatch");
    open.shift()?.();
    expect(await second).toBe("mismatch");
  });
});

describe("PHC strings", () => {
  test("reading what was written gives the same hash", () => {
    fc.assert(
      fc.property(
        fc.record({
          cost: fc.record({
            memory: fc.integer({ min: 128, max: argon2Bounds.memory }),
            passes: fc.integer({ min: 1, max: argon2Bounds.passes }),
            lanes: fc.integer({ min: 1, max: argon2Bounds.lanes }),
          }),
          salt: fc.uint8Array({ minLength: 8, maxLength: argon2Bounds.saltBytes }),
          hash: fc.uint8Array({ minLength: 4, maxLength: argon2Bounds.hashBytes }),
        }),
        (hash) => {
          expect(readPhc(writePhc(hash))).toEqual({
            ...hash,
            salt: new Uint8Array(hash.salt),
            hash: new Uint8Array(hash.hash),
          });
        },
      ),
    );
  });

  test("the costs may stand in any order", () => {
    const tail = "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAA";
    expect(readPhc(`$argon2id$v=19$t=1,m=65536,p=4${tail}`)?.cost).toEqual({ memory: 65_536, passes: 1, lanes: 4 });
  });
});

describe("the turnstile", () => {
  test("runs tasks in order, no more at a time than allowed, also after failures", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (concurrent, fates) => {
          const turnstile = createTurnstile(concurrent, fates.length);
          const started: number[] = [];
          let running = 0;
          let most = 0;
          const tasks = fates.map((good, index) =>
            turnstile.run(async () => {
              started.push(index);
              running += 1;
              most = Math.max(most, running);
              await Promise.resolve();
              running -= 1;
              if (!good) throw new Error("failed");
              return index;
            }),
          );
          const settled = await Promise.allSettled(tasks);
          expect(settled.map((one) => one.status === "fulfilled")).toEqual(fates);
          expect(started).toEqual(fates.map((_, index) => index));
          expect(most).toBeLessThanOrEqual(concurrent);
          expect(await turnstile.run(async () => "free again")).toBe("free again");
        },
      ),
    );
  });

  test("with no places to wait a task beside a running one is not run", async () => {
    const turnstile = createTurnstile(1, 0);
    const first = turnstile.run(async () => "first");
    expect(turnstile.run(async () => "second")).toBeUndefined();
    expect(await first).toBe("first");
  });
});
