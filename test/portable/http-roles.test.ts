import { describe, expect, test } from "vitest";
import { describeRole, type RoleRule, roleRule } from "../../src/http/role-rule.ts";
import { admin, caller, serve } from "./http-client.ts";

const summary = "Test";
const self = roleRule("_administrator, or the user itself", ({ subject, params }) =>
  subject === undefined ? false : subject.hasRole("_administrator") || subject.userName === params.userName,
);

const client = serve((table) => {
  const answer = () => "ok";
  table.get("/any", { summary, role: "authenticated", output: "text" }, answer);
  table.get("/one", { summary, role: "_item_read", output: "text" }, answer);
  table.get("/some", { summary, role: ["_item_read", "_item_write"], output: "text" }, answer);
  table.get("/own/{userName}", { summary, role: self, output: "text" }, answer);
  table.get("/open", { summary, role: "open", output: "text" }, ({ subject }) => subject?.userName ?? "nobody");
  table.put("/closed", { summary, role: "_administrator", input: "text", output: "none" }, () => undefined);
});

const nobody = null;
const plain = caller("ada");
const reader = caller("ada", "_item_read");
const writer = caller("ada", "_item_write");

describe("a route lets in whom its rule names", () => {
  test.each([
    ["/any", nobody, 401],
    ["/any", plain, 200],
    ["/one", nobody, 401],
    ["/one", plain, 403],
    ["/one", writer, 403],
    ["/one", reader, 200],
    ["/one", admin, 200],
    ["/some", plain, 403],
    ["/some", reader, 200],
    ["/some", writer, 200],
    ["/own/ada", nobody, 401],
    ["/own/ada", plain, 200],
    ["/own/eva", plain, 403],
    ["/own/eva", admin, 200],
    ["/open", nobody, 200],
    ["/open", plain, 200],
  ])("%s for %j answers %i", async (path, as, status) => {
    expect((await client.fetch("GET", path, { as })).status).toBe(status);
  });

  test.each([
    ["/one", "The caller needs _item_read"],
    ["/some", "The caller needs _item_read or _item_write"],
    ["/own/eva", "The caller needs _administrator, or the user itself"],
  ])("and a refusal of %s names what is missing", async (path, explanation) => {
    const { text } = await client.fetch("GET", path, { as: plain, headers: { accept: "application/json" } });
    expect(JSON.parse(text).forbidden).toEqual({ context: null, id: null, explanation });
  });

  test("and an anonymous caller is challenged", async () => {
    const answer = await client.fetch("GET", "/any", { as: nobody });
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Kinora"');
  });

  test("before a byte of the body is read", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const init = { as: plain, body, duplex: "half", headers: { "content-type": "text/plain" } } as const;
    expect([(await client.fetch("PUT", "/closed", init)).status, pulled]).toEqual([403, 0]);
  });
});

test("every route is listed with its rule, for the docs and the tests of all roles", () => {
  const listed = client.dispatcher.routes.map(({ method, path, role, open }) => [method, path, role, open]);
  expect(listed).toEqual([
    ["GET", "/any", "authenticated", false],
    ["GET", "/one", "_item_read", false],
    ["GET", "/some", "_item_read or _item_write", false],
    ["GET", "/own/{userName}", "_administrator, or the user itself", false],
    ["GET", "/open", "open", true],
    ["PUT", "/closed", "_administrator", false],
    ["GET", "/schema.xsd", "authenticated", false],
  ]);
});

test.each([
  ["/open", true],
  ["/any", false],
  ["/nowhere", false],
])("whether %s is open is known before anybody is asked who calls", (path, open) => {
  expect(client.dispatcher.isOpen(path)).toBe(open);
});

test.each<[RoleRule, string]>([
  ["authenticated", "authenticated"],
  [["_a", "_b"], "_a or _b"],
])("the rule %j reads %j", (rule, words) => {
  expect(describeRole(rule)).toBe(words);
});
