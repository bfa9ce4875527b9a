import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { credentialDigest } from "../../src/security/credential-digest.ts";
import { sipDigest } from "../../src/security/sip-digest.ts";

const key = Uint8Array.from({ length: 16 }, (_, i) => i);

/** The bytes 0, 1, 2 … as code units. */
const counting = (bytes: number): string =>
  String.fromCharCode(...Array.from({ length: bytes / 2 }, (_, i) => (2 * i) | ((2 * i + 1) << 8)));

const hexOf = (digest: string): string =>
  Array.from({ length: digest.length }, (_, i) => digest.charCodeAt(i))
    .flatMap((unit) => [unit & 0xff, unit >> 8])
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

describe("the portable digest", () => {
  // The test vectors of the algorithm's authors for 128 bits: inputs of as many bytes under the key 00 01 … 0f.
  test.each([
    [0, "a3817f04ba25a8e66df67214c7550293"],
    [2, "8177228da4a45dc7fca38bdef60affe4"],
    [8, "3b62a9ba6258f5610f83e264f31497b4"],
  ])("of %i bytes is that of SipHash-2-4-128", (bytes, expected) => {
    expect(hexOf(sipDigest(key)(counting(bytes)))).toBe(expected);
  });

  test("is another one under another key, and of another text", () => {
    const other = sipDigest(Uint8Array.from(key, (byte) => byte ^ 1));
    const text = fc.string({ unit: "binary", maxLength: 40 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const digest = sipDigest(key);
        expect(digest(one)).toHaveLength(8);
        expect(digest(one)).not.toBe(other(one));
        expect(digest(one) === digest(two)).toBe(one === two);
      }),
    );
  });

  test("tells texts apart that differ by zeros at their end", () => {
    const digests = Array.from({ length: 20 }, (_, zeros) => sipDigest(key)("\0".repeat(zeros)));
    expect(new Set(digests).size).toBe(20);
  });
});

test("long credentials take the platform's digest, and no two services give the same one", async () => {
  const long = credentialDigest((text) => `platform ${text.length}`);
  expect(long("x".repeat(500))).toBe("platform 500");
  const short = `password 5 admin${"x".repeat(20)}`;
  expect(long(short)).toBe(long(short));
  expect(credentialDigest(() => "")(short)).not.toBe(long(short));
});
