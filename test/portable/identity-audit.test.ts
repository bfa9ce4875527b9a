import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pruneAuditTrail } from "../../src/identity/audit-retention.ts";
import { createAuditTrail } from "../../src/identity/audit-trail.ts";
import { createUpkeep } from "../../src/operations/upkeep.ts";
import { json, openTestApi, plain, type TestApi } from "./identity-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

async function log(query = ""): Promise<readonly Record<string, unknown>[]> {
  await api.audit.flush();
  return (await (await api.admin(`GET /log?sort=asc&rows=1000&${query}`)).json()).entry;
}
const set = (key: string, value: string) => api.admin("PUT /configuration/properties", json({ key, value }));

describe("the audit trail", () => {
  test("has who changed what, also when it was refused, with both names of RunAs", async () => {
    await api.admin("PUT /user/runner");
    await api.admin("PUT /group/_runas/user/runner");
    await api.admin("PUT /user/target");
    await api.as("runner")("PUT /group/new;colour=red?clear=true&password=x", { headers: { RunAs: "target" } });
    expect(await log("path=/group/new")).toEqual([
      {
        username: "runner",
        runAs: "target",
        method: "PUT",
        path: "/group/new",
        queryParameters: "clear=true&password=[redacted]",
        matrixParameters: "colour=red",
        status: 403,
        requestId: expect.any(String),
        timestamp: "2026-01-02T03:04:05.000+0000",
      },
    ]);
  });

  test("is written in the batch of the change", async () => {
    await api.admin("PUT /user/in-the-batch");
    const rows = await api.store.query({ sql: "select path, status from audit where path = '/user/in-the-batch'" });
    expect(rows).toEqual([{ path: "/user/in-the-batch", status: 200 }]);
    expect(await log("path=/user/in-the-batch")).toHaveLength(1);
  });

  test("has one entry for a request that failed after it had begun to change", async () => {
    await api.admin("PUT /user/twice");
    await api.admin("PUT /user/twice");
    expect((await log("path=/user/twice")).map((entry) => entry.status)).toEqual([200, 409]);
  });

  test("has reads only when that is switched on", async () => {
    await api.admin("GET /user/target");
    expect(await log("path=/user/target&method=get")).toEqual([]);
    await set("auditTrailIncludeReads", "true");
    await api.admin("GET /user/target");
    await set("auditTrailIncludeReads", "false");
    expect(await log("path=/user/target&method=get")).toMatchObject([{ method: "GET", username: "admin" }]);
  });

  test("has bodies only when that is switched on, and never one with a password", async () => {
    const document = json({ description: "Made for the trail" });
    await api.admin("PUT /group/without-body", document);
    await set("auditTrailIncludeBody", "true");
    const sized = (send: { body?: string }) => ({
      ...send,
      headers: { "content-length": String(send.body?.length ?? 0) },
    });
    await api.admin("PUT /group/with-body", sized(document));
    await api.admin("PUT /user/target/password", sized(plain("the-password")));
    await api.admin("PUT /user/target", sized(json({ password: "the-password" })));
    await set("auditTrailIncludeBody", "false");
    expect(await log("path=/group/with-body")).toMatchObject([
      { body: '{"description":"Made for the trail"}', contentType: "application/json", contentLength: 36 },
    ]);
    expect((await log("path=/group/with-body&body=false"))[0]).not.toHaveProperty("body");
    expect((await log("path=/group/without-body"))[0]).not.toHaveProperty("body");
    expect(JSON.stringify(await log())).not.toContain("the-password");
  });

  test("is searched by path, user, method and time, and paged", async () => {
    const start = api.clock.now + 1000;
    api.clock.now = start;
    for (const name of ["a", "b", "c"]) {
      await api.admin(`PUT /group/page-${name}`);
      api.clock.now += 1000;
    }
    await api.admin("PUT /group/page-a/description", plain("x"));
    const paths = async (query: string) => (await log(query)).map((entry) => entry.path);
    expect(await paths("path=/group/page-")).toEqual([
      "/group/page-a",
      "/group/page-b",
      "/group/page-c",
      "/group/page-a/description",
    ]);
    expect(await paths("path=/group/page-a&wildcard=false")).toEqual(["/group/page-a"]);
    expect(await paths("path=/group/*/description")).toEqual(["/group/page-a/description"]);
    expect(
      await paths(`path=/group/page-&starttime=${start + 1000}&endtime=${new Date(start + 2000).toISOString()}`),
    ).toEqual(["/group/page-b"]);
    expect(await paths("path=/group/page-&username=runner")).toEqual([]);
    expect(await paths("path=/group/page_")).toEqual([]);
    await api.audit.flush();
    const page = await (await api.admin("GET /log?path=/group/page-&first=1&rows=1&performCount=true")).json();
    expect(page).toMatchObject({ count: 4, entry: [{ path: "/group/page-c" }] });
    expect((await api.admin("GET /log?rows=1001")).status).toBe(400);
    expect((await api.admin("GET /log?starttime=yesterday")).status).toBe(400);
    const xml = await (await api.admin("GET /log?rows=1", { accept: "application/xml" })).text();
    expect(xml).toMatch(/<entry timestamp="2026-[^"]+\+00:00"><username>admin/);
  });

  test("loses nothing when the database cannot write for a while", async () => {
    let broken = true;
    const real = api.store;
    const store = {
      ...real,
      change: (actor: { userName: string }) => {
        if (broken) throw new Error("The database is away");
        return real.change(actor);
      },
    };
    const trail = createAuditTrail({
      store,
      includeReads: () => true,
      includeBody: () => false,
      failed: () => undefined,
    });
    for (let index = 0; index < 3; index++) {
      trail.begin({
        requestId: `away-${index}`,
        method: "GET",
        path: `/away/${index}`,
        target: "/",
        matrix: [],
        subject: { userName: "a", callerName: "a" },
        header: () => undefined,
      });
      trail.end(`away-${index}`, 200);
    }
    await expect(trail.flush()).rejects.toThrow("away");
    broken = false;
    await trail.flush();
    expect((await log("path=/away/")).map((entry) => entry.path)).toEqual(["/away/0", "/away/1", "/away/2"]);
  });

  test("is pruned after its time, by one instance a minute", async () => {
    await api.audit.flush();
    const upkeep = createUpkeep(api);
    const count = async () => Number((await api.store.query({ sql: "select count(*) as n from audit" }))[0]?.n);
    const before = await count();
    expect(before).toBeGreaterThan(0);
    expect(await upkeep.tick()).toBe(5000);
    expect(await count()).toBe(before);
    api.clock.now += 366 * 86_400_000;
    await upkeep.tick();
    expect(await count()).toBe(0);
    expect(await pruneAuditTrail(api.store, 0)).toBe(0);
    expect(api.auditFaults).toEqual([]);
  });
});
