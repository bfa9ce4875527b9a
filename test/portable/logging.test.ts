import { afterEach, describe, expect, test } from "vitest";
import { type AccessEntry, accessLogIsOn, logAccess } from "../../src/logging/access-log.ts";
import { logOf } from "../../src/logging/log.ts";
import { redactTarget, redactText } from "../../src/logging/redact.ts";
import { setUpLogging } from "../../src/logging/set-up.ts";
import { settingsWith } from "../../src/settings.ts";

function capture(settings: Parameters<typeof settingsWith>[0] = {}, terminal = false): { text: () => string } {
  let text = "";
  setUpLogging(settingsWith(settings), {
    write: (lines) => {
      text += lines;
    },
    terminal,
    colours: false,
  });
  return { text: () => text };
}
afterEach(() => {
  capture({ logLevel: "off" });
});

const whoami: AccessEntry = {
  method: "GET",
  target: "/API/whoami",
  status: 200,
  durationMs: 1.23456,
  userName: "admin",
  requestId: "r-1",
  remoteAddress: "127.0.0.1",
};

describe("access log", () => {
  test("is one JSON object a line when the output is no terminal", () => {
    const log = capture();
    logAccess(whoami);
    logAccess({ ...whoami, runAs: "bob" });
    const [first, second, end] = log.text().split("\n");
    expect(JSON.parse(first ?? "")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "info",
      logger: "kinora.access",
      message: "GET /API/whoami 200",
      method: "GET",
      path: "/API/whoami",
      status: 200,
      durationMs: 1.235,
      user: "admin",
      requestId: "r-1",
      address: "127.0.0.1",
    });
    expect(JSON.parse(second ?? "")).toMatchObject({ user: "admin", runAs: "bob" });
    expect(end).toBe("");
  });

  test("is a line for a person on a terminal", () => {
    const log = capture({}, true);
    logAccess({ ...whoami, runAs: "bob" });
    expect(log.text()).toMatch(/^\S+ info {4}GET \/API\/whoami 200 1\.235 ms admin as bob 127\.0\.0\.1 r-1\n$/);
  });

  test("never lets a path command the terminal or break the line", () => {
    const log = capture({}, true);
    logAccess({ ...whoami, target: "/a\x1b[2J\x9b31m\r\nGET /forged 200" });
    expect(log.text()).toContain("/a\\x1b[2J\\x9b31m\\x0d\\x0aGET");
    expect(log.text().split("\n")).toHaveLength(2);
  });

  test.each([
    [{ accessLog: false }, false],
    [{ logLevel: "off" }, false],
    [{ logLevel: "error" }, false],
    [{}, true],
  ] as const)("with %j it is on: %j", (settings, on) => {
    const log = capture(settings);
    expect(accessLogIsOn()).toBe(on);
    logAccess(whoami);
    expect(log.text() !== "").toBe(on);
  });
});

describe("secrets", () => {
  test.each([
    ["/a?token=abc", "/a?token=[redacted]"],
    ["/a?x=1&TOKEN=abc&y=2", "/a?x=1&TOKEN=[redacted]&y=2"],
    ["/a;hash=abc/b?passkey=d", "/a;hash=[redacted]/b?passkey=[redacted]"],
    ["/a?%74oken=abc", "/a?%74oken=[redacted]"],
    ["/a?%zz=abc&password=p%26q", "/a?%zz=abc&password=[redacted]"],
    ["/a?q=token&first=1", "/a?q=token&first=1"],
    ["/token/abc", "/token/abc"],
  ])("target %s is written %s", (target, written) => {
    expect(redactTarget(target)).toBe(written);
  });

  test.each([
    ["Authorization: Basic YWRtaW46cGFzcw==", "Authorization: Basic [redacted]"],
    ["got Bearer eyJhbGciOiJub25lIn0.e30.x", "got Bearer [redacted]"],
    ["token 6c1b2f8Aq9", "token [redacted]"],
    ["fetch http://user:pass@host/a failed", "fetch http://[redacted]@host/a failed"],
    ["GET /a?access_token=abc&x=1 failed", "GET /a?access_token=[redacted]&x=1 failed"],
    ["the token expired, basic authentication needed", "the token expired, basic authentication needed"],
  ])("text %j is written %j", (text, written) => {
    expect(redactText(text)).toBe(written);
  });

  test.each(["json", "pretty"] as const)("are nowhere in a %s record, however deep", (logFormat) => {
    const log = capture({ logFormat });
    const error = new Error("no login with Basic c2VjcmV0OnNlY3JldA==", { cause: { password: "hush-1" } });
    logOf("test").error("failed with Bearer c2VjcmV0VG9rZW4", {
      error,
      authorization: "hush-2",
      nested: [{ apiSecret: "hush-3", headers: new Map([["cookie", "hush-4"]]) }],
      url: new URL("http://u:hush-5@host/?token=hush-6"),
    });
    expect(log.text()).toContain("no login with Basic [redacted]");
    expect(log.text()).not.toMatch(/hush|c2Vj/);
  });
});

describe("records", () => {
  test("keep their properties, and what is not JSON is made so", () => {
    const log = capture();
    const cyclic: Record<string, unknown> = { big: 12n, at: new Date(0), bytes: new Uint8Array(3) };
    cyclic.self = cyclic;
    logOf("store").warn("Odd {values}", { cyclic, level: "kept out", time: "kept out" });
    const record = JSON.parse(log.text());
    expect(record).toMatchObject({ level: "warning", logger: "kinora.store", message: "Odd {values}" });
    expect(record.cyclic).toMatchObject({ big: "12", at: "1970-01-01T00:00:00.000Z", bytes: "3 bytes" });
  });

  test("below the level are not written", () => {
    const log = capture({ logLevel: "warning" });
    logOf("store").info("quiet");
    logOf("store").warn("loud");
    expect(log.text().trim().split("\n")).toHaveLength(1);
  });

  test("are bounded in depth, length and width", () => {
    const log = capture();
    logOf("x").info("wide", { list: Array.from({ length: 10_000 }, (_, i) => i), text: "x".repeat(1_000_000) });
    expect(log.text().length).toBeLessThan(20_000);
  });
});
