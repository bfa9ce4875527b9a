import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Router } from "../../src/http/router.ts";
import { serve } from "./http-client.ts";

describe("a path leads to its route", () => {
  const client = serve((table) => {
    const declaration = { summary: "Test", role: "authenticated", output: "text" } as const;
    table.get("/user", declaration, () => "list");
    table.get("/user/{userName}", declaration, ({ params }) => `user ${params.userName}`);
    table.get("/user/graph", declaration, () => "graph");
    table.get("/user/{userName}/key/{keyId}", declaration, ({ params }) => `key ${params.keyId} of ${params.userName}`);
    table.put("/user/{userName}", declaration, ({ params }) => `put ${params.userName}`);
    table.get("/user/{userName}/metadata/{path...}", declaration, ({ params }) => `at ${params.path}`);
    table.get("/user/graph/metadata/all", declaration, () => "all of graph");
    table.get("/", declaration, () => "root");
  });

  test.each([
    ["/user", "list"],
    ["/user/", "list"],
    ["/API/user", "list"],
    ["/API/user;first=1/", "list"],
    ["/user/ada", "user ada"],
    ["/user/ada;x=y", "user ada"],
    ["/user/graph", "graph"],
    ["/user/a%2Fb", "user a/b"],
    ["/user/a%252Fb", "user a%2Fb"],
    ["/user/%C3%A5da%20x", "user åda x"],
    ["/user/{userName}".replace("{", "%7B").replace("}", "%7D"), "user {userName}"],
    ["/user/:id", "user :id"],
    ["/user/*", "user *"],
    ["/user/ada/key/KN2", "key KN2 of ada"],
    ["/user/graph/key/KN2", "key KN2 of graph"],
    ["/user/ada/metadata/a", "at a"],
    ["/user/ada/metadata/a/b%2Fc/d", "at a/b/c/d"],
    ["/user/graph/metadata/all", "all of graph"],
    ["/user/graph/metadata/other", "at other"],
    ["/", "root"],
    ["/API", "root"],
  ])("GET %s", async (target, text) => {
    expect(await client.fetch("GET", target)).toMatchObject({ status: 200, text });
  });

  test.each(["/nobody", "/User", "/user/ada/key", "/user/ada/metadata", "/user/ada/key/a/b", "/api/user"])(
    "GET %s leads nowhere",
    async (target) => {
      const answer = await client.fetch("GET", target, { headers: { accept: "application/json" } });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text).notFound.type).toBe("path");
    },
  );

  test.each([
    ["POST", "/user", "GET, HEAD, OPTIONS"],
    ["DELETE", "/user/ada", "GET, HEAD, OPTIONS, PUT"],
    ["PATCH", "/user/ada", "GET, HEAD, OPTIONS, PUT"],
    ["PUT", "/user/graph", "GET, HEAD, OPTIONS"],
  ])("%s %s is not supported, and the answer says what is", async (method, target, allow) => {
    const answer = await client.fetch(method, target);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  });

  test("OPTIONS tells the methods", async () => {
    const answer = await client.fetch("OPTIONS", "/user/ada");
    expect([answer.status, answer.headers.get("allow"), answer.text]).toEqual([204, "GET, HEAD, OPTIONS, PUT", ""]);
    expect((await client.fetch("OPTIONS", "/nobody")).status).toBe(404);
  });

  test("HEAD is GET without the body", async () => {
    const [head, get] = [await client.fetch("HEAD", "/user/ada"), await client.fetch("GET", "/user/ada")];
    expect([head.status, head.text, [...head.headers]]).toEqual([200, "", [...get.headers]]);
    expect(await client.fetch("HEAD", "/nobody")).toMatchObject({ status: 404, text: "", type: "application/xml" });
  });
});

describe("two routes for one place are a defect at start", () => {
  test.each([
    ["the same path and method", "/a/{x}", "/a/{x}", "GET /a/{x} is declared twice"],
    ["the same path under other names", "/a/{x}", "/a/{y}", "/a/{y} and /a/{x} are the same path"],
    ["the same rest under other names", "/a/{x...}", "/a/{y...}", "are the same path"],
  ] as const)("%s", (_, first, second, problem) => {
    const router = new Router<string>();
    router.add("GET", first, "first");
    expect(() => router.add("GET", second, "second")).toThrow(problem);
  });
});

test("of all paths that match, the one with the earlier literal is taken, in whatever order they were declared", () => {
  const segment = fc.constantFrom("a", "b", "{p}");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 });
  const kind = (part: string | undefined): number => (part?.startsWith("{") ? 1 : 0);
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 8, selector: String }),
      fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 }),
      (paths, wanted) => {
        const router = new Router<string>();
        for (const parts of paths) router.add("GET", `/${parts.join("/")}`, parts.join("/"));
        const matching = paths
          .filter(
            (parts) =>
              parts.length === wanted.length && parts.every((part, at) => kind(part) === 1 || part === wanted[at]),
          )
          .sort((left, right) => {
            const at = left.findIndex((part, index) => kind(part) !== kind(right[index]));
            return at < 0 ? 0 : kind(left[at]) - kind(right[at]);
          });
        expect(router.find(`/${wanted.join("/")}`)?.byMethod.get("GET")).toBe(matching[0]?.join("/"));
      },
    ),
  );
});
