/** Where an attempt comes from. */
export interface AttemptSource {
  readonly remoteAddress: string | undefined;
}

/** Slows down guessing of passwords. Nothing is ever counted for a user name alone, so nobody can lock another out. */
export interface Lockout {
  /** Whether nothing has failed for so long that nobody can be locked out. */
  isCalm(time: number): boolean;
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

/** Buckets kept; those of the longest untouched address go first. */
export const mostBuckets = 20_000;
const mostNetworks = 1000;
const minute = 60_000;
/** A bucket that is as empty as one can be allows an attempt after two minutes, also with a limit of one. */
const recovery = 2 * minute;
/** A name may be as long as a header; what is kept of it is not. */
const longestName = 255;

/** How many failures are still allowed; below 0 when several attempts were under way at once. */
interface Bucket {
  left: number;
  at: number;
  /** The user has logged in from this address. */
  trusted: boolean;
}

/** What is known of an address. */
interface Place {
  /** Of all that failed from it; absent while nothing did. */
  all: Bucket | undefined;
  readonly users: Map<string, Bucket>;
}

/**
 * Makes a lockout of two token buckets for each failure, one for the user at the address and one for the address, each
 * of as many failures as a minute allows. A user who has logged in from an address before is not held up by what others
 * do from it: several people may stand behind one proxy. An attempt whose address the runtime does not tell is not
 * counted, nor is one without a user name: tokens cannot be guessed. IPv6 addresses count by their /64.
 */
export function createLockout({ now, failuresPerMinute }: LockoutOptions): Lockout {
  /** The longest untouched first. */
  const places = new Map<string, Place>();
  let kept = 0;
  let lastFailure = Number.NEGATIVE_INFINITY;
  /** Networks of IPv6 addresses, which take a while to read. */
  const networks = new Map<string, string>();

  function placeOf(address: string): string {
    if (!address.includes(":")) return address;
    const known = networks.get(address);
    if (known !== undefined) return known;
    if (networks.size >= mostNetworks) networks.clear();
    const network = networkOf(address);
    networks.set(address, network);
    return network;
  }

  function leftOf({ left, at }: Bucket, limit: number): number {
    return Math.min(limit, left + (Math.max(0, now() - at) * limit) / minute);
  }

  function wait(bucket: Bucket, limit: number): number | undefined {
    // Nothing has failed since: the usual case costs no look at the clock.
    if (bucket.left >= limit) return undefined;
    const left = leftOf(bucket, limit);
    return left >= 1 ? undefined : Math.max(1, Math.ceil(((1 - left) * minute) / limit / 1000));
  }

  /** The place as it is now, put behind all others. */
  function touch(network: string): Place {
    const place = places.get(network) ?? { all: undefined, users: new Map<string, Bucket>() };
    places.delete(network);
    places.set(network, place);
    return place;
  }

  function newBucket(limit: number): Bucket {
    kept += 1;
    return { left: limit, at: now(), trusted: false };
  }

  /** The user's bucket, put behind those of all others at the place. */
  function touchUser(place: Place, userName: string, limit: number): Bucket {
    const name = userName.slice(0, longestName);
    const bucket = place.users.get(name) ?? newBucket(limit);
    place.users.delete(name);
    place.users.set(name, bucket);
    return bucket;
  }

  function count(bucket: Bucket, limit: number): void {
    bucket.left = Math.max(-limit, leftOf(bucket, limit) - 1);
    bucket.at = now();
  }

  function forgetSome(): void {
    for (const [network, { all, users }] of places) {
      if (kept <= mostBuckets) return;
      if (places.size > 1) {
        places.delete(network);
        kept -= users.size + (all === undefined ? 0 : 1);
        continue;
      }
      // All of it comes from one address: then its own oldest users go.
      for (const name of users.keys()) {
        if (kept <= mostBuckets) return;
        users.delete(name);
        kept -= 1;
      }
    }
  }

  return {
    isCalm: (time) => Math.abs(time - lastFailure) > recovery,

    // Asked for each request: it looks and changes nothing.
    check(source, userName) {
      if (userName === undefined || places.size === 0) return undefined;
      const { remoteAddress } = source;
      if (remoteAddress === undefined) return undefined;
      const place = places.get(placeOf(remoteAddress));
      if (place === undefined) return undefined;
      const ofUser = place.users.get(userName.length > longestName ? userName.slice(0, longestName) : userName);
      const ofAll = ofUser?.trusted ? undefined : place.all;
      if (ofUser === undefined && ofAll === undefined) return undefined;
      const limit = failuresPerMinute();
      if (limit <= 0) return undefined;
      return (ofUser && wait(ofUser, limit)) ?? (ofAll && wait(ofAll, limit));
    },

    failed(source, userName) {
      const limit = failuresPerMinute();
      if (limit <= 0 || userName === undefined) return;
      const { remoteAddress } = source;
      if (remoteAddress === undefined) return;
      lastFailure = now();
      const place = touch(placeOf(remoteAddress));
      count(touchUser(place, userName, limit), limit);
      place.all ??= newBucket(limit);
      count(place.all, limit);
      forgetSome();
    },

    succeeded(source, userName) {
      if (userName === undefined) return;
      const { remoteAddress } = source;
      if (remoteAddress === undefined) return;
      const network = placeOf(remoteAddress);
      if (places.get(network)?.users.get(userName)?.trusted) return;
      const limit = failuresPerMinute();
      if (limit <= 0) return;
      touchUser(touch(network), userName, limit).trusted = true;
      forgetSome();
    },
  };
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
