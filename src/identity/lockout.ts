/** Where an attempt comes from. */
export interface AttemptSource {
  readonly remoteAddress: string | undefined;
}

/** Slows down guessing of passwords. Nothing is ever counted for a user name alone, so nobody can lock another out. */
export interface Lockout {
  /** Seconds until the next attempt may be made, or `undefined` when it may be made now. */
  check(source: AttemptSource, userName: string | undefined): number | undefined;
  failed(source: AttemptSource, userName: string | undefined): void;
  succeeded(source: AttemptSource, userName: string | undefined): void;
}

export interface LockoutOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The property `loginFailuresPerMinute`; 0 switches the lockout off. */
  readonly failuresPerMinute: () => number;
}

/** Buckets kept; the longest untouched go first. */
export const mostBuckets = 20_000;
const minute = 60_000;

/** How many failures are still allowed; below 0 when several attempts were under way at once. */
interface Bucket {
  left: number;
  at: number;
  /** The user has logged in from this address. */
  trusted: boolean;
}

/**
 * Makes a lockout of two token buckets for each failure, one for the user at the address and one for the address, each
 * of as many failures as a minute allows. A user who has logged in from an address before is not held up by what others
 * do from it: several people may stand behind one proxy. An attempt whose address the runtime does not tell is not
 * counted, nor is one without a user name: tokens cannot be guessed. IPv6 addresses count by their /64.
 */
export function createLockout({ now, failuresPerMinute }: LockoutOptions): Lockout {
  const buckets = new Map<string, Bucket>();

  function leftOf({ left, at }: Bucket, limit: number): number {
    return Math.min(limit, left + (Math.max(0, now() - at) * limit) / minute);
  }

  function wait(bucket: Bucket, limit: number): number | undefined {
    const left = leftOf(bucket, limit);
    return left >= 1 ? undefined : Math.max(1, Math.ceil(((1 - left) * minute) / limit / 1000));
  }

  /** The bucket as it is now, put behind all others. */
  function touch(key: string, limit: number): Bucket {
    const known = buckets.get(key);
    const bucket = known ?? { left: limit, at: now(), trusted: false };
    bucket.left = leftOf(bucket, limit);
    bucket.at = now();
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > mostBuckets) {
      const [oldest] = buckets.keys();
      if (oldest !== undefined) buckets.delete(oldest);
    }
    return bucket;
  }

  return {
    // Asked for each request: it looks and changes nothing.
    check({ remoteAddress }, userName) {
      if (remoteAddress === undefined || userName === undefined) return undefined;
      const network = networkOf(remoteAddress);
      const ofUser = buckets.get(userKey(network, userName));
      const bucket = ofUser?.trusted ? undefined : buckets.get(network);
      if (ofUser === undefined && bucket === undefined) return undefined;
      const limit = failuresPerMinute();
      if (limit <= 0) return undefined;
      return (ofUser && wait(ofUser, limit)) ?? (bucket && wait(bucket, limit));
    },

    failed({ remoteAddress }, userName) {
      const limit = failuresPerMinute();
      if (limit <= 0 || remoteAddress === undefined || userName === undefined) return;
      const network = networkOf(remoteAddress);
      for (const key of [userKey(network, userName), network]) {
        const bucket = touch(key, limit);
        bucket.left = Math.max(-limit, bucket.left - 1);
      }
    },

    succeeded({ remoteAddress }, userName) {
      if (remoteAddress === undefined || userName === undefined) return;
      const key = userKey(networkOf(remoteAddress), userName);
      if (buckets.get(key)?.trusted) return;
      const limit = failuresPerMinute();
      if (limit > 0) touch(key, limit).trusted = true;
    },
  };
}

/** A name may be as long as a header; what is kept of it is not. */
function userKey(network: string, userName: string): string {
  return `${network} ${userName.slice(0, 255)}`;
}

/** The address itself, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...new Array<string>(zeros).fill("0"), ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
