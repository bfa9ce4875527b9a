import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
beforeAll(async () => {
  kinora = await startService();
});
afterAll(() => kinora.close());

describe("a service with the built-in security.ini", () => {
  test("tells callers who they are: text/plain, 200 [spec: whoami]", async () => {
    const answer = await kinora.admin("/API/whoami");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await answer.text()).toBe("admin");
  });

  test("tells its version as a document [spec: version]", async () => {
    const answer = await kinora.admin("/API/version", { headers: { accept: "application/json" } });
    expect(await answer.json()).toMatchObject({
      component: expect.arrayContaining([expect.objectContaining({ name: "API", version: "24.1.0" })]),
    });
  });

  test.each([
    ["no credentials", undefined],
    ["a wrong password", "Basic YWRtaW46d3Jvbmc="],
    ["Base64 that is none", "Basic %%%"],
    ["an unknown scheme", "Negotiate abc"],
  ])("with %s answers 401, the challenge and an error document", async (_, authorization) => {
    const headers = authorization === undefined ? undefined : { authorization };
    const answer = await kinora.fetch("/API/version", headers && { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="serviceRealm"');
    expect(await answer.text()).toContain("<notAuthorized>");
  });

  test.each(["/livez", "/readyz", "/APInoauth/is-online"])("answers %s without login", async (path) => {
    expect((await kinora.fetch(path)).status).toBe(200);
  });

  test.each(["/API/../API/whoami", "/API/%2e%2e/whoami", "/API/who%ami", "/API\\whoami", "/API/whoami%00"])(
    "refuses the path %s with 400",
    async (path) => {
      expect((await kinora.admin(path)).status).toBe(400);
    },
  );

  test("every answer has a request id of its own", async () => {
    const ids = await Promise.all([1, 2].map(async () => (await kinora.fetch("/livez")).headers.get("x-request-id")));
    expect(ids[0]).toBeTruthy();
    expect(ids[0]).not.toBe(ids[1]);
  });
});
