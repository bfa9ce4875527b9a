import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The service with an example's folder as its ext folder and its `security.ini`, on a database of its own. */
async function serveExample(name: string): Promise<Service> {
  const instanceRoot = await mkdtemp(join(tmpdir(), "kinora-example-"));
  const service = await createService({
    instanceRoot,
    extDir: join(examples, name),
    securityIni: await readFile(join(examples, name, "security.ini"), "utf8"),
    adminPassword: "change me",
  });
  closing.push(async () => {
    await service.close();
    await rm(instanceRoot, { recursive: true, force: true });
  });
  return service;
}

async function ask(
  service: Service,
  path: string,
  headers: Record<string, string>,
): Promise<readonly [number, string]> {
  const answer = await service.fetch(new Request(`http://localhost:8080${path}`, { headers }));
  return [answer.status, await answer.text()];
}

const basic = (userName: string, password: string) => ({ authorization: `Basic ${btoa(`${userName}:${password}`)}` });

test("with the realm of the example a request is accepted when either realm accepts it [spec: plugin-install]", async () => {
  const service = await serveExample("custom-realm");
  const statusFor = async (headers: Record<string, string>) => (await ask(service, "/API/version", headers))[0];
  expect(await statusFor(basic("alice", "wonder"))).toBe(200);
  expect(await statusFor(basic("bob", "builder"))).toBe(200);
  expect(await statusFor(basic("admin", "change me"))).toBe(200);
  expect(await statusFor(basic("alice", "change me"))).toBe(401);
  expect(await statusFor(basic("admin", "wonder"))).toBe(401);
  expect(await statusFor(basic("nobody", "wonder"))).toBe(401);
  expect(await statusFor({})).toBe(401);
  expect(await ask(service, "/API/whoami", basic("alice", "wonder"))).toEqual([200, "alice"]);
});

test("with the filter of the example a key lets a program in, and everyone else is asked for a password", async () => {
  const service = await serveExample("custom-filter");
  expect(await ask(service, "/API/whoami", { "x-api-key": "6f1c8a52e0" })).toEqual([200, "reports"]);
  expect((await ask(service, "/API/whoami", { "x-api-key": "wrong" }))[0]).toBe(401);
  expect((await ask(service, "/API/whoami", {}))[0]).toBe(401);
  expect(await ask(service, "/API/whoami", basic("admin", "change me"))).toEqual([200, "admin"]);
});

test("with the info provider of the example whoever logs in becomes a user", async () => {
  const service = await serveExample("custom-user-info");
  const admin = basic("admin", "change me");
  const group = new Request("http://localhost:8080/API/group/staff", { method: "PUT", headers: admin });
  expect((await service.fetch(group)).status).toBe(200);
  expect((await ask(service, "/API/user/alice", admin))[0]).toBe(404);
  expect(await ask(service, "/API/whoami", basic("alice", "wonder"))).toEqual([200, "alice"]);
  const [status, text] = await ask(service, "/API/user/alice", { ...admin, accept: "application/json" });
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    { realName: "Alice Liddell", groupList: { group: [{ groupName: "staff" }] } },
  ]);
});

test("the code and the configuration of each example fit on a page", async () => {
  for (const file of [
    "custom-realm/static-users.ts",
    "custom-realm/security.ini",
    "custom-filter/api-key.ts",
    "custom-filter/security.ini",
    "custom-user-info/staff-info.ts",
    "custom-user-info/security.ini",
  ]) {
    expect((await readFile(join(examples, file), "utf8")).split("\n").length, file).toBeLessThan(40);
  }
});
