import { describe, expect, test } from "vitest";
import hashed from "../../plugins/matchers/hashed.ts";
import { highestBcryptCost, matchesBcrypt } from "../../plugins/matchers/hashes/bcrypt.ts";
import { mostIterations } from "../../plugins/matchers/hashes/iterated-digest.ts";
import password from "../../plugins/matchers/password.ts";
import sha256 from "../../plugins/matchers/sha256.ts";
import sha384 from "../../plugins/matchers/sha384.ts";
import sha512 from "../../plugins/matchers/sha512.ts";
import simple from "../../plugins/matchers/simple.ts";
import type { CredentialsMatcher, Plugin } from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { createInstance, type TestProperties } from "../../src/plugin/testing/instance.ts";
import { hashIdentity } from "./hash-identity.ts";

function matcherOf(plugin: Plugin, properties: TestProperties = {}): Promise<CredentialsMatcher> {
  return createInstance("credentialsMatcher", plugin, properties, createTestContext({ identity: hashIdentity }));
}

const bytes = (text: string) => new TextEncoder().encode(text);
const hex = (buffer: ArrayBuffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));

/** The digest of the digest … of the text, by Web Crypto. */
async function digestOf(name: string, text: string, iterations: number, salt = ""): Promise<ArrayBuffer> {
  let hash = await crypto.subtle.digest(name, bytes(salt + text));
  for (let done = 1; done < iterations; done++) hash = await crypto.subtle.digest(name, hash);
  return hash;
}

describe("hashed matchers", () => {
  test.each([
    ["SHA-256", sha256, {}],
    ["SHA-384", sha384, {}],
    ["SHA-512", sha512, {}],
    ["SHA-256", hashed, { hashAlgorithmName: "SHA-256" }],
    ["SHA-512", hashed, { hashAlgorithmName: "sha-512" }],
  ] as const)("%s, hexadecimal and Base64, one and many iterations", async (name, plugin, properties) => {
    for (const iterations of [1, 5]) {
      const hash = await digestOf(name, "secret", iterations);
      const common = { ...properties, hashIterations: String(iterations) };
      const byHex = await matcherOf(plugin, common);
      const byBase64 = await matcherOf(plugin, { ...common, storedCredentialsHexEncoded: "false" });
      for (const stored of [hex(hash), hex(hash).toUpperCase()]) expect(byHex.matches("secret", stored)).toBe(true);
      for (const stored of [base64(hash), base64(hash).replace(/=+$/, "")]) {
        expect(byBase64.matches("secret", stored)).toBe(true);
      }
      for (const wrong of ["Secret", "secret ", "", hex(hash)]) expect(byHex.matches(wrong, hex(hash))).toBe(false);
      for (const unreadable of ["", "secret", "xyz", hex(hash).slice(1), `${hex(hash)}00`, base64(hash)]) {
        expect(byHex.matches("secret", unreadable)).toBe(false);
      }
    }
  });

  test("many iterations give way to other work", async () => {
    const iterations = 20_000;
    const matcher = await matcherOf(sha256, { hashIterations: String(iterations) });
    const answer = matcher.matches("secret", hex(await digestOf("SHA-256", "secret", iterations)));
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe(true);
  });

  test.each(["0", "-3"])("%s iterations count as one", async (hashIterations) => {
    const matcher = await matcherOf(sha256, { hashIterations });
    expect(matcher.matches("secret", hex(await digestOf("SHA-256", "secret", 1)))).toBe(true);
  });

  test("a digest that is not offered and too many iterations stop the start", async () => {
    await expect(matcherOf(hashed, { hashAlgorithmName: "MD5" })).rejects.toThrow("only SHA-224, SHA-256");
    await expect(matcherOf(hashed)).rejects.toThrow("hashAlgorithmName must be set");
    await expect(matcherOf(sha256, { hashIterations: String(mostIterations + 1) })).rejects.toThrow("the most is");
    await expect(matcherOf(sha256, { hashIterations: "five" })).rejects.toThrow("whole number");
  });
});

test("the simple matcher compares as it stands", async () => {
  const matcher = await matcherOf(simple);
  expect(matcher.matches("secret", "secret")).toBe(true);
  expect(matcher.matches("", "")).toBe(true);
  for (const wrong of ["Secret", "secret ", ""]) expect(matcher.matches(wrong, "secret")).toBe(false);
});

describe("PasswordMatcher", () => {
  const argon2 =
    "$shiro2$argon2id$v=19$t=1,m=65536,p=4$XOZ+dvqiqk55QeesvwQDvw$am6JHLu6BqX1xuKcJZOCr9UouOfHFFxS+QPaZucLDQE";
  const bcrypt = "$shiro2$2y$10$vimgRQPKKUbcpAS1ak7MIeIbvCpN4NPjX0dgrZL34ul40Wnmk3c46";

  test.each([argon2, bcrypt])("checks %s", async (stored) => {
    const matcher = await matcherOf(password);
    expect(await matcher.matches("secret", stored)).toBe(true);
    expect(await matcher.matches("Secret", stored)).toBe(false);
    expect(await matcher.matches("", stored)).toBe(false);
  });

  test.each([
    ["SHA-256", 1, "salt"],
    ["SHA-512", 2, "salt"],
    ["SHA-384", 3, ""],
  ])("checks $shiro1$%s$%i with the salt %j", async (name, iterations, salt) => {
    const matcher = await matcherOf(password);
    const hash = base64(await digestOf(name, "secret", iterations, salt));
    const stored = `$shiro1$${name}$${iterations}$${btoa(salt)}$${hash}`;
    expect(await matcher.matches("secret", stored)).toBe(true);
    expect(await matcher.matches("Secret", stored)).toBe(false);
  });

  test.each([
    "secret",
    "",
    "$shiro1$",
    "$shiro1$MD5$1$$Xr4ilOzQ4PCOq3aQ0qbuaQ==",
    "$shiro1$SHA-256$x$$K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=",
    "$shiro1$SHA-256$1$%$K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=",
    "$shiro1$SHA-256$999999999$$K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=",
    "$shiro2$argon2id$v=19$t=1",
    "$shiro2$2y$10$short",
    "$shiro3$x",
  ])("never matches %j, not even by itself", async (stored) => {
    const matcher = await matcherOf(password);
    for (const submitted of ["secret", stored, ""]) expect(await matcher.matches(submitted, stored)).toBe(false);
  });
});

describe("bcrypt", () => {
  // Made by the crypt function of a Debian system.
  test.each([
    ["", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s."],
    ["", "$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq"],
    ["secret", "$2b$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a"],
    ["a", "$2b$04$......................ab4uk7zdS0i/IlhKXBIf8klDpk4gLJu"],
    ["~!@#$%^&*()", "$2y$04$zzzzzzzzzzzzzzzzzzzzzOFlRjPJDnm2Zy5To6Pt12RRynVW.ECKm"],
    ["ü§ x".repeat(30), "$2b$04$abcdefghijklmnopqrstuulPBVI7VqXkaxeWNTZRHHdr0vCLxpdga"],
    ["x".repeat(71), "$2b$04$abcdefghijklmnopqrstuu.gc7UY/21CSNJGJg21jJzx9QiOpJ9bO"],
    ["x".repeat(72), "$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"],
    ["x".repeat(73), "$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"],
  ])("%j matches %s", async (text, stored) => {
    expect(await matchesBcrypt(bytes(text), stored)).toBe(true);
    expect(await matchesBcrypt(bytes(`?${text}`), stored)).toBe(false);
  });

  test.each([3, highestBcryptCost + 1, 31])("a cost of %i is never computed", async (cost) => {
    const stored = `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a`;
    expect(await matchesBcrypt(bytes("secret"), stored)).toBe(false);
  });
});
