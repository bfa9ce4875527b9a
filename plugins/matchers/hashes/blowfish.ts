/** The state of a Blowfish cipher (B. Schneier, 1993): 18 subkeys and four substitution boxes in one array. */
export interface BlowfishState {
  readonly subkeys: Int32Array;
  readonly boxes: Int32Array;
}

const subkeyCount = 18;
const boxWords = 4 * 256;

let initial: BlowfishState | undefined;

/** A copy of the state that every key schedule starts from: the fraction of pi, in words of 32 bits. */
export function startState(): BlowfishState {
  initial ??= initialState();
  return { subkeys: initial.subkeys.slice(), boxes: initial.boxes.slice() };
}

/** Computed instead of listed: about 50 ms, once, and only where such hashes are used. */
function initialState(): BlowfishState {
  const words = piFraction(subkeyCount + boxWords);
  return { subkeys: words.slice(0, subkeyCount), boxes: words.slice(subkeyCount) };
}

/** The first bits behind the binary point of pi, by Machin's formula. */
function piFraction(count: number): Int32Array {
  const guard = 64n;
  const one = 1n << (BigInt(count * 32) + guard);
  const pi = 4n * (4n * arctanOfInverse(5n, one) - arctanOfInverse(239n, one));
  const digits = ((pi - 3n * one) >> guard).toString(16).padStart(count * 8, "0");
  return Int32Array.from({ length: count }, (_, at) => Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16) | 0);
}

function arctanOfInverse(x: bigint, one: bigint): bigint {
  const square = x * x;
  let power = one / x;
  let sum = power;
  let sign = -1n;
  for (let divisor = 3n; power !== 0n; divisor += 2n) {
    power /= square;
    sum += sign * (power / divisor);
    sign = -sign;
  }
  return sum;
}

/** Enciphers the block of two words that starts at `at`, in place. */
export function encipher({ subkeys, boxes }: BlowfishState, block: Int32Array, at: number): void {
  let left = block[at] ?? 0;
  let right = block[at + 1] ?? 0;
  for (let round = 0; round < 16; round += 2) {
    left ^= subkeys[round] as number;
    right ^= mix(boxes, left);
    right ^= subkeys[round + 1] as number;
    left ^= mix(boxes, right);
  }
  block[at] = right ^ (subkeys[17] as number);
  block[at + 1] = left ^ (subkeys[16] as number);
}

function mix(boxes: Int32Array, word: number): number {
  const a = boxes[word >>> 24] as number;
  const b = boxes[256 + ((word >>> 16) & 0xff)] as number;
  const c = boxes[512 + ((word >>> 8) & 0xff)] as number;
  const d = boxes[768 + (word & 0xff)] as number;
  return (((a + b) ^ c) + d) | 0;
}
