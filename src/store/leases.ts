import type { Database, Statement } from "./database.ts";

/** The right to do something alone for a while. */
export interface Lease {
  readonly name: string;
  /** Grows with every claim of any lease: whoever shows a smaller number comes too late. */
  readonly fence: number;
  /** When it ends unless it is renewed, in milliseconds since the epoch. */
  readonly expires: number;
  /** Extends it to `ttlMs` from now; the lease that holds from then on, or `undefined` when another has taken it. */
  renew(ttlMs: number): Promise<Lease | undefined>;
  /** Gives it back early. Harmless when another has taken it. */
  release(): Promise<void>;
  /** A condition for `change.require`: true as long as nobody else has claimed the lease. */
  guard(): Statement;
}

export interface Leases {
  /** Takes the lease when it is free or has run out; `undefined` when another holds it. One round trip. */
  claim(name: string, ttlMs: number): Promise<Lease | undefined>;
}

/** Leases that ran out so long ago are forgotten. */
const forgottenAfterMs = 24 * 3_600_000;

/**
 * Leases in the database. The clocks of instances need not agree: when two believe that they hold the same lease, the
 * guard lets only the later one finish.
 */
export function createLeases(database: Database, now: () => number): Leases {
  return {
    async claim(name, ttlMs) {
      const time = now();
      const expires = time + ttlMs;
      const holder = crypto.randomUUID();
      const [, , claimed] = await database.batch(
        [
          { sql: "delete from lease where name <> ? and expires < ?", args: [name, time - forgottenAfterMs] },
          {
            sql: `insert into id_block (entity, next)
              select 'lease', 1 where not exists (select 1 from lease where name = ? and expires > ?)
              on conflict (entity) do update set next = next + 1`,
            args: [name, time],
          },
          {
            sql: `insert into lease (name, fence, holder, expires)
              select ?, next, ?, ? from id_block where entity = 'lease'
              on conflict (name) do update set fence = excluded.fence, holder = excluded.holder, expires = excluded.expires
              where lease.expires <= ?
              returning fence`,
            args: [name, holder, expires, time],
          },
        ],
        "write",
      );
      const fence = claimed?.rows[0]?.fence;
      return fence === undefined
        ? undefined
        : heldLease(database, now, { name, fence: Number(fence), holder, expires });
    },
  };
}

interface Claim {
  readonly name: string;
  readonly fence: number;
  readonly holder: string;
  readonly expires: number;
}

function heldLease(database: Database, now: () => number, claim: Claim): Lease {
  const { name, fence, holder, expires } = claim;
  const held = "name = ? and fence = ? and holder = ?";
  const args = [name, fence, holder];
  return {
    name,
    fence,
    expires,
    guard: () => ({ sql: `select exists (select 1 from lease where ${held})`, args }),
    async renew(ttlMs) {
      const until = now() + ttlMs;
      const [renewed] = await database.batch(
        [{ sql: `update lease set expires = ? where ${held} returning fence`, args: [until, ...args] }],
        "write",
      );
      return renewed?.rows.length === 1 ? heldLease(database, now, { ...claim, expires: until }) : undefined;
    },
    async release() {
      await database.batch([{ sql: `delete from lease where ${held}`, args }], "write");
    },
  };
}
