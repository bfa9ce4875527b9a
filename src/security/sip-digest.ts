/**
 * Makes a keyed digest of short texts: SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012), a
 * pseudorandom function, over the text's UTF-16 code units, each as two bytes, the lower one first. In JavaScript,
 * because a call into a runtime's cryptography costs more than the digest of a few dozen characters.
 *
 * @param key 16 random bytes, never told
 * @returns 16 bytes as eight code units, any of the 65,536: a key for maps, not for people
 */
export function sipDigest(key: Uint8Array): (text: string) => string {
  const words = new DataView(key.buffer, key.byteOffset, 16);
  const k0l = words.getInt32(0, true);
  const k0h = words.getInt32(4, true);
  const k1l = words.getInt32(8, true);
  const k1h = words.getInt32(12, true);

  return (text) => {
    const { length } = text;
    const absorbing = 2 * ((length >> 2) + 1);
    // 64-bit words in halves (h and l), all in local variables: calls and arrays would cost more than the sums.
    let v0l = k0l ^ 0x70736575;
    let v0h = k0h ^ 0x736f6d65;
    let v1l = k1l ^ 0x6e646f6d ^ 0xee;
    let v1h = k1h ^ 0x646f7261;
    let v2l = k0l ^ 0x6e657261;
    let v2h = k0h ^ 0x6c796765;
    let v3l = k1l ^ 0x79746573;
    let v3h = k1h ^ 0x74656462;
    let ml = 0;
    let mh = 0;
    let firstL = 0;
    let firstH = 0;

    for (let round = 0; round < absorbing + 8; round++) {
      if (round < absorbing && (round & 1) === 0) {
        const at = round << 1;
        const left = length - at;
        ml = left > 0 ? text.charCodeAt(at) : 0;
        if (left > 1) ml |= text.charCodeAt(at + 1) << 16;
        mh = left > 2 ? text.charCodeAt(at + 2) : 0;
        // The last word ends in the length in bytes.
        mh |= left > 3 ? text.charCodeAt(at + 3) << 16 : length << 25;
        v3l ^= ml;
        v3h ^= mh;
      } else if (round === absorbing) {
        v2l ^= 0xee;
      } else if (round === absorbing + 4) {
        firstL = v0l ^ v1l ^ v2l ^ v3l;
        firstH = v0h ^ v1h ^ v2h ^ v3h;
        v1l ^= 0xdd;
      }

      let sum = (v0l + v1l) | 0;
      v0h = (v0h + v1h + (sum >>> 0 < v0l >>> 0 ? 1 : 0)) | 0;
      v0l = sum;
      let turned = (v1h << 13) | (v1l >>> 19);
      v1l = ((v1l << 13) | (v1h >>> 19)) ^ v0l;
      v1h = turned ^ v0h;
      turned = v0h;
      v0h = v0l;
      v0l = turned;

      sum = (v2l + v3l) | 0;
      v2h = (v2h + v3h + (sum >>> 0 < v2l >>> 0 ? 1 : 0)) | 0;
      v2l = sum;
      turned = (v3h << 16) | (v3l >>> 16);
      v3l = ((v3l << 16) | (v3h >>> 16)) ^ v2l;
      v3h = turned ^ v2h;

      sum = (v0l + v3l) | 0;
      v0h = (v0h + v3h + (sum >>> 0 < v0l >>> 0 ? 1 : 0)) | 0;
      v0l = sum;
      turned = (v3h << 21) | (v3l >>> 11);
      v3l = ((v3l << 21) | (v3h >>> 11)) ^ v0l;
      v3h = turned ^ v0h;

      sum = (v2l + v1l) | 0;
      v2h = (v2h + v1h + (sum >>> 0 < v2l >>> 0 ? 1 : 0)) | 0;
      v2l = sum;
      turned = (v1h << 17) | (v1l >>> 15);
      v1l = ((v1l << 17) | (v1h >>> 15)) ^ v2l;
      v1h = turned ^ v2h;
      turned = v2h;
      v2h = v2l;
      v2l = turned;

      if (round < absorbing && (round & 1) === 1) {
        v0l ^= ml;
        v0h ^= mh;
      }
    }
    const lastL = v0l ^ v1l ^ v2l ^ v3l;
    const lastH = v0h ^ v1h ^ v2h ^ v3h;
    return String.fromCharCode(firstL, firstL >>> 16, firstH, firstH >>> 16, lastL, lastL >>> 16, lastH, lastH >>> 16);
  };
}
