import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import { securityScene } from "./security-scene.ts";

function codeOf(target: string): string {
  try {
    canonicalTarget(target);
    return "read";
  } catch (error) {
    return error instanceof KinoraError ? error.code : String(error);
  }
}

describe("a target", () => {
  test.each([
    ["/item/VX-1", ["item", "VX-1"], "/item/VX-1"],
    ["/API/item/VX-1?content=metadata", ["item", "VX-1"], "/item/VX-1"],
    ["/%41PI/item", ["item"], "/item"],
    ["/API", [], "/"],
    ["/API/", [], "/"],
    ["/", [], "/"],
    ["//item///VX-1//", ["item", "VX-1"], "/item/VX-1"],
    ["http://host:8080/API/item", ["item"], "/item"],
    ["HTTP://HOST", [], "/"],
    ["//host/admin", ["host", "admin"], "/host/admin"],
    ["/;/admin", ["admin"], "/admin"],
    ["/caf%C3%A9", ["café"], "/caf%C3%A9"],
    ["/a%2Fb", ["a/b"], "/a%2Fb"],
    ["/a%252fb", ["a%2fb"], "/a%252fb"],
    ["/a%5cb", ["a\\b"], "/a%5Cb"],
    ["/a%20", ["a "], "/a%20"],
    ["/...", ["..."], "/..."],
    ["/api/item", ["api", "item"], "/api/item"],
  ])("%s is %j", (target, segments, path) => {
    expect(canonicalTarget(target)).toMatchObject({ segments, path });
  });

  test("tells its root and whether it ended in a slash", () => {
    expect(canonicalTarget("/API/item/")).toMatchObject({ root: "API", trailingSlash: true });
    expect(canonicalTarget("/item;a=b")).toMatchObject({ root: "API", trailingSlash: false });
    expect(canonicalTarget("/APInoauth/is-online")).toMatchObject({ root: "APInoauth", path: "/APInoauth/is-online" });
    expect(canonicalTarget("/APIinit")).toMatchObject({ root: "APIinit", path: "/APIinit" });
  });

  test("gives the matrix parameters of all segments, decoded", () => {
    expect(canonicalTarget("/item;first=1;flag/VX-1;field=a%3Db;x=y=z;").matrix).toEqual([
      ["first", "1"],
      ["flag", ""],
      ["field", "a=b"],
      ["x", "y=z"],
    ]);
  });

  test.each([
    [
      "a dot segment",
      ["/../admin", "/./admin", "/x/../admin", "/admin/.", "/..", "/x;/../admin", "/x/..;/admin", "/x/..;a=b"],
    ],
    ["an encoded dot segment", ["/%2e/admin", "/x/%2e%2e/admin", "/x/.%2E/admin", "/x/%2e%2e;/admin", "/%2e"]],
    ["a broken escape", ["/%", "/%z", "/%zz", "/a%2", "/%u0061dmin", "/%c0%ae", "/admin%ff", "/%ed%a0%80"]],
    [
      "a NUL or control character",
      ["/admin%00", "/admin%0a", "/admin%0d%0a", "/admin%09", "/admin%7f", "/%C2%85", "/a;b=%00"],
    ],
    ["a raw character that must be encoded", ["/caf\u00e9", "/a b", "/a\tb", "/\\admin", "/admin#x", "/a\0"]],
    ["no leading slash", ["admin", "*", "?x", "host:443"]],
  ])("with %s is refused", (_, targets) => {
    for (const target of targets)
      expect(`${target} ${codeOf(target)}`).toBe(`${target} ${target === "?x" ? "read" : "invalid-path"}`);
  });

  test("its parts cannot be changed: requests share them", () => {
    const { segments, matrix } = canonicalTarget("/item;a=b");
    expect(Object.isFrozen(segments) && Object.isFrozen(matrix)).toBe(true);
  });
});

/** Pieces of paths, tricks among them. */
const piece = fc.oneof(
  fc.constantFrom(
    "",
    "API",
    "item",
    "admin",
    "VX-1",
    "%2f",
    "%2e",
    "..",
    ".",
    ";",
    ";a=b",
    "%41PI",
    "%",
    "%00",
    "\\",
    "é",
    "a%20",
    "%252e",
  ),
  fc.string({ unit: "grapheme", maxLength: 5 }).map(encodeURIComponent),
);
const target = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("/")}`);

describe("whatever the target", () => {
  test("a canonical path is its own canonical path", () => {
    fc.assert(
      fc.property(target, (raw) => {
        fc.pre(codeOf(raw) === "read");
        const { path, segments } = canonicalTarget(raw);
        expect(canonicalTarget(path)).toMatchObject({ path, segments });
      }),
    );
  });

  test("it is read, or refused as an invalid path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        expect(["read", "invalid-path"]).toContain(codeOf(raw));
      }),
    );
  });

  test("the chain is the same with and without the prefix /API", async () => {
    const { pipeline } = await securityScene(
      "[urls]\n/API/item/* = anon\n/item/** = anon\n/admin = anon\n/API/admin/** = anon\n/*/x = anon\n/API = anon\n/a?/** = anon\n",
    );
    const lineOf = (raw: string) => pipeline().explain(raw, "GET").chain?.line;
    fc.assert(
      fc.property(target, (raw) => {
        fc.pre(codeOf(raw) === "read");
        expect(lineOf(`/API${raw}`)).toBe(lineOf(raw));
      }),
    );
  });
});

describe("tricks of the past", () => {
  const tricks = [
    ["2010-3863", ["/./admin", "//admin", "/x/../admin", "/admin/./"]],
    ["2016-6802", ["/x/../API/admin", "/./API/admin", "/API/../API/admin"]],
    ["2020-1957", ["/admin/", "/x;/../admin", "/fdsf;/../admin", "/x/..;/admin"]],
    ["2020-11989", ["/;/API/admin", "/API/;/admin", "/;/admin"]],
    ["2020-13933", ["/admin/%3bname", "/admin;name"]],
    ["2020-17510", ["/admin/%2e", "/%2e/admin", "/admin/%2e%2e", "/x/%2e%2e/admin"]],
    ["2020-17523", ["/admin/%20", "/admin/%20/"]],
    ["2022-32532", ["/admin/a%0ab", "/admin%0d%0a"]],
    ["2023-34478", ["/admin/../x", "/admin/x/../../y"]],
    ["2023-46749", ["/public;/../admin", "/public/..;/admin", "/public/%2e%2e;/admin"]],
    ["2026-23903", ["/Admin", "/ADMIN", "/%41dmin", "/API/aDMIN"]],
    ["2837", ["/../admin", "/%2e%2e/admin", "/x/../../admin"]],
    ["absolute form", ["http://h/admin", "HTTP://H/admin", "http://h//admin/"]],
  ] as const;

  test.each(tricks)("%s: what names a protected path, in whatever form, is never served", async (_, targets) => {
    for (const rule of ["/admin = authcBasic\n/admin/** = authcBasic", "/admin/** = authcBasic"]) {
      const { send } = await securityScene(`[urls]\n${rule}\n/** = anon\n`);
      for (const raw of targets) {
        const status = await send(raw).then(
          (sent) => sent.status,
          (error: unknown) => (error instanceof KinoraError ? error.status : 500),
        );
        expect([raw, status === 400 || status === 401]).toEqual([raw, true]);
      }
    }
  });

  test("a path that one chain protects with a slash at its end and another opens without is not served", async () => {
    const { send, pipeline } = await securityScene("[urls]\n/admin/* = anon\n/** = authcBasic\n");
    await expect(send("/admin/")).rejects.toMatchObject({ code: "no-chain" });
    expect((await send("/admin")).status).toBe(401);
    expect((await send("/admin/x/")).status).toBe(200);
    expect(pipeline().explain("/admin/", "GET").text.join("\n")).toContain("another chain than without");
  });
});
