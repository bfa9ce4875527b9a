import { sipDigest } from "./sip-digest.ts";

/** Up to this many characters the portable digest is the faster one on every runtime. */
const short = 96;

type Digest = (text: string) => string | Promise<string>;

/**
 * The digest by which credentials are recognized: keyed, so that what is remembered tells nothing about them to anyone
 * without the process's key. Short texts (passwords, keys, tokens of this service) take the portable one, longer ones
 * (bearer tokens) that of the platform; the two never give the same text, theirs differ in length.
 */
export function credentialDigest(platform: Digest): Digest {
  const portable = sipDigest(crypto.getRandomValues(new Uint8Array(16)));
  return (text) => (text.length <= short ? portable(text) : platform(text));
}
