import { expect, test } from "vitest";
import { nobleArgon2 } from "../../src/identity/password/noble-argon2.ts";
import { createPasswordHasher } from "../../src/identity/password/password-hasher.ts";
import { loadArgon2 } from "../../src/runtime/native-password.ts";

test("native and portable hashing check each other's hashes", async () => {
  const { engine, fallback } = await loadArgon2();
  expect(fallback).toBeUndefined();
  expect(engine.name).toBe("native");
  const native = createPasswordHasher({ engine });
  const portable = createPasswordHasher({ engine: nobleArgon2 });
  for (const password of ["secret", "", "ü§ \u{1F511}"]) {
    const [byNative, byPortable] = await Promise.all([native.hash(password), portable.hash(password)]);
    expect(await portable.verify(password, byNative)).toBe("match");
    expect(await native.verify(password, byPortable)).toBe("match");
    expect(await portable.verify(`${password}x`, byNative)).toBe("mismatch");
    expect(await native.verify(`${password}x`, byPortable)).toBe("mismatch");
    expect(native.needsRehash(byPortable)).toBe(false);
  }
});
