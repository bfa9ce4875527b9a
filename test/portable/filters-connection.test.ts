import fc from "fast-check";
import { describe, expect, test } from "vitest";
import ip from "../../filters/ip.ts";
import { isInRanges, readRange } from "../../filters/parts/address.ts";
import port from "../../filters/port.ts";
import ssl from "../../filters/ssl.ts";
import type { Filter } from "../../src/plugin/mod.ts";
import { createTestExchange, type TestExchangeOptions } from "../../src/plugin/testing/exchange.ts";
import { createFilter } from "../../src/plugin/testing/instance.ts";

/** What a caller gets: `next`, a status, or the address it is sent to. */
async function ask(filter: Filter, options: TestExchangeOptions): Promise<string> {
  const outcome = await filter.handle(createTestExchange(options));
  return outcome === "next" ? "next" : (outcome.headers.get("Location") ?? String(outcome.status));
}

describe("ip", () => {
  test.each([
    ["127.0.0.1/9, ::1", "", "127.0.0.1", "next"],
    ["127.0.0.1/9, ::1", "", "127.127.255.255", "next"],
    ["127.0.0.1/9, ::1", "", "127.128.0.0", "403"],
    ["127.0.0.1/9, ::1", "", "::1", "next"],
    ["127.0.0.1/9, ::1", "", "0:0:0:0:0:0:0:1", "next"],
    ["127.0.0.1/9, ::1", "", "::2", "403"],
    ["127.0.0.1/9", "", "::ffff:127.0.0.1", "next"],
    ["::ffff:127.0.0.0/105", "", "127.0.0.1", "next"],
    ["fe80::/10", "", "fe80::1%eth0", "next"],
    ["10.0.0.0/8", "10.1.0.0/16", "10.2.0.1", "next"],
    ["10.0.0.0/8", "10.1.0.0/16", "10.1.0.1", "403"],
    ["0.0.0.0/0", "", "::1", "403"],
    ["0.0.0.0/0", "", "192.0.2.1", "next"],
    ["192.0.2.1", "", "192.0.2.1", "next"],
    ["192.0.2.1", "", "192.0.2.2", "403"],
    ["192.0.2.1", "", "not an address", "403"],
    ["192.0.2.1", "", undefined, "403"],
  ])("authorized %s, denied %j: %s gets %s", async (authorizedIps, deniedIps, remoteAddress, expected) => {
    const filter = await createFilter(ip, { authorizedIps, ...(deniedIps && { deniedIps }) });
    const headers = { "X-Forwarded-For": "127.0.0.1" };
    expect(await ask(filter, { remoteAddress, headers })).toBe(expected);
  });

  test.each([
    "127.0.0.1/33",
    "::1/129",
    "127.0.0.1/",
    "127.0.0.1/-1",
    "127.0.0.1/8x",
    "127.0.0.256",
    "127.0.0",
    "127.0.0.01",
    "host.example",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::12345",
    "::ffff:127.0.0.1/95",
    "",
  ])("refuses to start with %j", async (text) => {
    await expect(createFilter(ip, { authorizedIps: [text] })).rejects.toThrow();
    await expect(createFilter(ip, { authorizedIps: ["::1"], deniedIps: [text] })).rejects.toThrow();
  });

  test("nobody authorized, and words in brackets, stop the start when a chain uses it", async () => {
    expect((await createFilter(ip)).checkWords?.([])).toHaveLength(1);
    expect((await createFilter(ip, { authorizedIps: "::1" })).checkWords?.(["127.0.0.1"])).toHaveLength(1);
    expect((await createFilter(ip, { authorizedIps: "::1" })).checkWords?.([])).toEqual([]);
  });

  test("a range has exactly the addresses that share its first bits", () => {
    const address = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });
    const bitsOf = (bytes: readonly number[]) => bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (base, other, bits) => {
        const range = readRange(`${base.join(".")}/${bits}`);
        const expected = bitsOf(base).slice(0, bits) === bitsOf(other).slice(0, bits);
        expect(isInRanges(other.join("."), [range])).toBe(expected);
      }),
    );
  });
});

describe("port", () => {
  test.each([
    ["on the port", { port: 80 }, "next"],
    ["on another port", { port: 8080, headers: { Host: "h:8080" } }, "http://h/"],
    ["with path and query", { port: 8080, target: "/x?q=1", headers: { Host: "h:8080" } }, "http://h/x?q=1"],
    ["wanted by words", { port: 80, words: ["8081"], headers: { Host: "h" } }, "http://h:8081/"],
    ["encrypted", { port: 8443, secure: true, words: ["443"], headers: { Host: "h:8443" } }, "https://h/"],
    ["to an IPv6 host", { port: 8080, headers: { Host: "[::1]:8080" } }, "http://[::1]/"],
    ["without a host", { port: 8080 }, "400"],
    ["with a host that is no host", { port: 8080, headers: { Host: "evil/x" } }, "400"],
    ["with a host that no URL has", { port: 8080, headers: { Host: "999.999.999.999" } }, "400"],
  ] as const)("%s", async (_, options, expected) => {
    expect(await ask(await createFilter(port), options)).toBe(expected);
  });

  test("never leads to another host by the path", async () => {
    const options = { port: 8080, headers: { Host: "h:8080" } };
    for (const rawTarget of ["//evil.example/x", "/\\evil.example", "http://evil.example/", "@evil.example"]) {
      const exchange = { ...createTestExchange(options), rawTarget };
      const outcome = await (await createFilter(port)).handle(exchange);
      expect(new URL(outcome === "next" ? "" : (outcome.headers.get("Location") ?? "")).host).toBe("h");
    }
  });

  test.each([[["x"]], [["80", "81"]], [["0"]], [["65536"]], [["1e3"]], [[""]], [["-1"]]])(
    "words %j stop the start",
    async (words) => {
      expect((await createFilter(port)).checkWords?.(words)).not.toEqual([]);
      expect((await createFilter(ssl)).checkWords?.(words)).not.toEqual([]);
    },
  );

  test("a property that is no port stops the start", async () => {
    await expect(createFilter(port, { port: "0" })).rejects.toThrow("not a port");
    await expect(createFilter(ssl, { port: "65536" })).rejects.toThrow("not a port");
  });
});

describe("ssl", () => {
  test.each([
    ["encrypted on 443", { secure: true }, "next"],
    ["plain", { target: "/x?q=1", headers: { Host: "h:8080" }, port: 8080 }, "https://h/x?q=1"],
    ["plain on 443", { port: 443, headers: { Host: "h:443" } }, "https://h/"],
    ["encrypted on another port", { secure: true, port: 8443, headers: { Host: "h:8443" } }, "https://h/"],
    ["encrypted on the port wanted", { secure: true, port: 8443, words: ["8443"] }, "next"],
    ["plain, another port wanted", { words: ["8443"], headers: { Host: "h" } }, "https://h:8443/"],
  ] as const)("%s", async (_, options, expected) => {
    expect(await ask(await createFilter(ssl), options)).toBe(expected);
  });

  test("the port of plain HTTP stops the start", async () => {
    expect((await createFilter(ssl)).checkWords?.(["80"])).toHaveLength(1);
  });
});
