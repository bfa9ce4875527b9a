import { expect, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";

test("an error carries the status of its code", () => {
  expect(new KinoraError("conflict").status).toBe(409);
});
