import { afterAll, beforeAll, expect, test } from "vitest";
import { mount, type RouteDescription } from "../../src/http/dispatcher.ts";
import { routes } from "../../src/http/route-table.ts";
import { roles } from "../../src/identity/roles.ts";
import { type Fetcher, startService, type TestService } from "./harness.ts";

let kinora: TestService;
beforeAll(async () => {
  kinora = await startService();
});
afterAll(() => kinora.close());

const known = new Set(roles.map((role) => role.name));

const holders = new Map<string, Promise<Fetcher>>();

/** Someone who holds exactly these roles; logs in by an access key, which costs no hash. */
function holderOf(...held: readonly string[]): Promise<Fetcher> {
  const userName = `holder${held.join("")}`;
  const known = holders.get(userName) ?? makeHolder(userName, held);
  holders.set(userName, known);
  return known;
}

async function makeHolder(userName: string, held: readonly string[]): Promise<Fetcher> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const groupList = { group: held.map((groupName) => ({ groupName })) };
  const body = JSON.stringify({ userName, groupList });
  expect((await kinora.admin("/API/user", { method: "POST", headers, body })).status).toBe(200);
  const key = await kinora.admin(`/API/user/${userName}/key`, { method: "POST", headers });
  const { id, secret } = (await key.json()) as { readonly id: string; readonly secret: string };
  return kinora.as(id, secret);
}

/** How a request of the route fares that names things which do not exist and has no body. */
async function fateOf(
  send: Fetcher,
  { method, path }: RouteDescription,
): Promise<"anonymous" | "lacks a role" | "let in"> {
  const answer = await send(`/API${path.replace(/\{[^}]+\}/g, "no-such-thing")}`, {
    method,
    headers: { accept: "*/*" },
  });
  const text = await answer.text();
  if (answer.status === 401) return "anonymous";
  return answer.status === 403 && text.includes("The caller needs") ? "lacks a role" : "let in";
}

test("every route is refused to those who lack its role, and to nobody who holds it [spec: run-as-roles-of-user]", async () => {
  const nobody = await holderOf();
  // An administrator who acts as a user is that user.
  const runningAs =
    (userName: string): Fetcher =>
    (path, init) =>
      kinora.admin(path, { ...init, headers: { ...(init?.headers as Record<string, string>), RunAs: userName } });
  const asNobody = runningAs("holder");
  expect(kinora.service.routes.length).toBeGreaterThan(40);
  for (const route of kinora.service.routes) {
    const title = `${route.method} ${route.path}: ${route.role}`;
    if (route.open) {
      expect(await fateOf(kinora.fetch, route), title).toBe("let in");
      continue;
    }
    expect(await fateOf(kinora.fetch, route), `${title}, anonymous`).toBe("anonymous");
    expect(await fateOf(kinora.admin, route), `${title}, administrator`).toBe("let in");
    if (route.role === "authenticated") {
      expect(await fateOf(nobody, route), `${title}, no role`).toBe("let in");
      expect(await fateOf(asNobody, route), `${title}, as somebody without a role`).toBe("let in");
      continue;
    }
    expect(await fateOf(nobody, route), `${title}, no role`).toBe("lacks a role");
    expect(await fateOf(asNobody, route), `${title}, as somebody without a role`).toBe("lacks a role");
    const named: readonly string[] = route.role.match(/_[a-z_]+/g) ?? [];
    expect(
      named.filter((role) => !known.has(role)),
      `${title}, roles that do not exist`,
    ).toEqual([]);
    expect(named, title).not.toEqual([]);
    // A rule in words asks for more than a role.
    if (route.role !== named.join(" or ")) continue;
    for (const role of named) {
      expect(await fateOf(await holderOf(role), route), `${title}, ${role}`).toBe("let in");
      expect(await fateOf(runningAs(`holder${role}`), route), `${title}, as ${role}`).toBe("let in");
      const other = role.endsWith("_read") ? role.replace(/_read$/, "_write") : role.replace(/_write$/, "_read");
      if (known.has(other) && !named.includes(other)) {
        expect(await fateOf(await holderOf(other), route), `${title}, ${other}`).toBe("lacks a role");
      }
    }
  }
});

test("a route that declares nothing about who may call it cannot be served", () => {
  const table = routes();
  table.get("/undeclared", { summary: "Test", role: undefined as never, output: "text" }, () => "secret");
  const services = { now: () => 0, change: () => expect.fail("nothing changes"), onDefect: () => undefined };
  expect(() => mount([table], { namespace: "urn:test", ...services })).toThrow("GET /undeclared declares no role");
});
