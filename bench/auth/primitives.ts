/**
 * What the primitives cost by themselves, on Node or on Deno: `primitives.ts KIND SECONDS` prints how many a second.
 * Kinds: `argon2id` (the service's own hasher, kept as busy as by 32 connections), `RS256`, `ES256` (one verification).
 */
import { argv, exit, stdout } from "node:process";
import { createPasswordHasher } from "../../src/identity/password/password-hasher.ts";
import { loadArgon2 } from "../../src/runtime/native-password.ts";

const lanes = 32;
const [kind = "", seconds = "3"] = argv.slice(2);

async function workOf(): Promise<() => Promise<unknown>> {
  if (kind === "argon2id") {
    const { engine } = await loadArgon2();
    const hasher = createPasswordHasher({ engine });
    const stored = await hasher.hash("password");
    return () => hasher.verify("password", stored);
  }
  const rsa = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const generated = kind === "RS256" ? rsa : { name: "ECDSA", namedCurve: "P-256" };
  const signing = kind === "RS256" ? { name: rsa.name } : { name: "ECDSA", hash: "SHA-256" };
  const pair = (await crypto.subtle.generateKey(generated, false, ["sign", "verify"])) as CryptoKeyPair;
  const data = new Uint8Array(300).fill(65);
  const signature = await crypto.subtle.sign(signing, pair.privateKey, data);
  return () => crypto.subtle.verify(signing, pair.publicKey, signature, data);
}

const work = await workOf();
await work();
const end = performance.now() + Number(seconds) * 1000;
const started = performance.now();
let done = 0;
await Promise.all(
  Array.from({ length: lanes }, async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  }),
);
stdout.write(`${(done * 1000) / (performance.now() - started)}\n`, () => exit(0));
