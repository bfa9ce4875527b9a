import { describe, expect, test } from "vitest";
import invalidRequest from "../../filters/invalid-request.ts";
import { createTestExchange } from "../../src/plugin/testing/exchange.ts";
import { createFilter, type TestProperties } from "../../src/plugin/testing/instance.ts";
import { differences } from "../conformance/differences.ts";
import cases from "../conformance/shiro-invalidRequest.jsonl?raw";
import { vectors } from "../conformance/vectors.ts";

/** What the filter makes of a path as it was sent and as it was decoded. */
async function allows(properties: TestProperties, raw: string, decoded: string): Promise<boolean> {
  const filter = await createFilter(invalidRequest, properties);
  const exchange = { ...createTestExchange(), rawTarget: raw, segments: decoded.split("/").slice(1) };
  const outcome = await filter.handle(exchange);
  if (outcome !== "next") expect(outcome.status).toBe(400);
  return outcome === "next";
}

interface Input {
  readonly request: {
    readonly uri: string | null;
    readonly servletPath: string | null;
    readonly pathInfo: string | null;
  };
  readonly options?: TestProperties;
}

describe("recorded cases", () => {
  test.each(vectors<Input, { allowed: boolean }>(cases).map((one) => [one.id, one] as const))(
    "%s",
    async (id, { in: { request, options = {} }, out }) => {
      // The reference looks at three texts of the same request, each by itself. In the target a `?` ends the path.
      const texts = [request.uri, request.servletPath, request.pathInfo].filter((text) => text !== null);
      const paths = texts.map((text) => text.replace("?", "%3f"));
      const verdicts = await Promise.all(paths.map((path) => allows(options, path, path)));
      const allowed = verdicts.every(Boolean);
      if (differences[id] === undefined) expect(allowed).toBe(out.allowed);
      else expect(allowed, "a listed difference is none").not.toBe(out.allowed);
    },
  );
});

test("with the default configuration of the service matrix parameters and other alphabets pass", async () => {
  const open = { blockSemicolon: "false", blockBackslash: "false", blockNonAscii: "false" };
  expect(await allows(open, "/item;field=title/VX-1", "/item/VX-1")).toBe(true);
  expect(await allows(open, "/item/caf%C3%A9", "/item/café")).toBe(true);
  expect(await allows(open, "/item/%5Cx", "/item/\\x")).toBe(true);
});

test("settings that contradict each other give the strictest, in whatever order they stand", async () => {
  for (const properties of [
    { blockEncodedPeriod: "true", blockTraversal: "false" },
    { blockTraversal: "false", blockEncodedPeriod: "true" },
  ]) {
    expect(await allows(properties, "/a%2eb", "/a.b")).toBe(false);
  }
});
