import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../src/identity/roles.ts";
import { type Entrance, openEntrance, type WayInName, waysIn } from "./ways-in.ts";

let kinora: Entrance;
beforeAll(async () => {
  kinora = await openEntrance();
});
afterAll(() => kinora.close());

const configurationReaders = "_administrator or _configuration_read";
const itself = "_administrator, or to be the user itself";
const keyOwner = `${itself}, not authenticated by an access key or a token`;
const metadataOwner = `${itself} with _user_metadata_write`;

/** Who may call the routes of identity and configuration: the public API's roles where they are known, else by its pattern. */
const expected: Readonly<Record<string, readonly string[]>> = {
  open: ["GET /livez", "GET /readyz"],
  authenticated: ["GET /whoami", "GET /version", "GET /schema.xsd", "GET /token", "DELETE /token"],
  _user_read: [
    "GET /user",
    "PUT /user",
    "GET /user/{userName}",
    "GET /user/{userName}/realname",
    "GET /user/{userName}/groups",
    "GET /user/{userName}/roles",
    "GET /user/{userName}/allgroups",
    "GET /user/graph",
    "GET /user/graph/dot",
  ],
  _administrator: [
    "POST /user",
    "PUT /user/{userName}",
    "DELETE /user/{userName}",
    "PUT /user/{userName}/enable",
    "PUT /user/{userName}/realname",
    "GET /user/{userName}/password/salt",
    "POST /user/{userName}/password/salt",
    "PUT /user/{userName}/groups",
    "PUT /user/{userName}/alias/{alias}",
    "DELETE /user/{userName}/alias/{alias}",
    "PUT /configuration/properties",
    "POST /configuration/properties",
    "DELETE /configuration/properties/{key}",
    "GET /configuration/auth",
    "PUT /configuration/auth",
    "DELETE /configuration/auth",
    "PUT /configuration/cors",
    "GET /log",
  ],
  [`${itself}, authenticated by password`]: ["PUT /user/{userName}/password"],
  [itself]: ["GET /user/{userName}/metadata", "GET /user/{userName}/metadata/{key...}", "GET /user/{userName}/token"],
  [metadataOwner]: [
    "PUT /user/{userName}/metadata",
    "DELETE /user/{userName}/metadata",
    "PUT /user/{userName}/metadata/{key...}",
    "DELETE /user/{userName}/metadata/{key...}",
  ],
  "_administrator or _runas": ["PUT /user/{userName}/validate"],
  [keyOwner]: [
    "GET /user/{userName}/key",
    "POST /user/{userName}/key",
    "GET /user/{userName}/key/{keyId}",
    "PUT /user/{userName}/key/{keyId}",
    "DELETE /user/{userName}/key/{keyId}",
  ],
  _group_read: [
    "GET /group",
    "PUT /group",
    "GET /group/{groupName}",
    "GET /group/{groupName}/role",
    "GET /group/{groupName}/description",
    "GET /group/{groupName}/users",
    "GET /group/{groupName}/parents",
    "GET /group/{groupName}/children",
    "GET /group/{groupName}/metadata",
    "GET /group/{groupName}/metadata/{key...}",
  ],
  _group_write: [
    "DELETE /group",
    "PUT /group/{groupName}",
    "DELETE /group/{groupName}",
    "PUT /group/{groupName}/description",
    "PUT /group/{groupName}/user/{userName}",
    "DELETE /group/{groupName}/user/{userName}",
    "PUT /group/{groupName}/group/{childName}",
    "DELETE /group/{groupName}/group/{childName}",
    "PUT /group/{groupName}/metadata",
    "DELETE /group/{groupName}/metadata",
    "PUT /group/{groupName}/metadata/{key...}",
    "DELETE /group/{groupName}/metadata/{key...}",
  ],
  [configurationReaders]: [
    "GET /configuration",
    "GET /configuration/properties",
    "GET /configuration/properties/{key}",
    "GET /configuration/cors",
  ],
};

/** First segments of the paths whose every route stands in the table. */
const domains: ReadonlySet<string | undefined> = new Set([
  ...["livez", "readyz", "whoami", "version", "schema.xsd", "token", "user", "group", "configuration", "log"],
]);

describe("roles of routes", () => {
  test("are those of the table, for every route of identity and configuration [spec: configuration-auth-administrator]", () => {
    const declared: Record<string, string[]> = {};
    for (const { method, path, role, summary } of kinora.service.routes) {
      if (!domains.has(path.split("/")[1]) || summary.startsWith("Planned with")) continue;
      declared[role] = [...(declared[role] ?? []), `${method} ${path}`];
    }
    const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(table).map(([role, routes]) => [role, [...routes].sort()]));
    expect(sorted(declared)).toEqual(sorted(expected));
  });

  test("follow one pattern everywhere: what reads needs no role to write, what changes is more than reading", () => {
    const known = new Set(roles.map(({ name }) => name));
    const odd = kinora.service.routes.filter(({ method, role }) => {
      const named: readonly string[] = role.match(/_[a-z_]+/g) ?? [];
      if (named.some((name) => !known.has(name))) return true;
      if (named.length === 0) return role !== "open" && role !== "authenticated";
      return method === "GET"
        ? named.every((name) => name.endsWith("_write"))
        : method !== "PUT" && named.every((name) => name.endsWith("_read"));
    });
    expect(odd.map(({ method, path, role }) => `${method} ${path}: ${role}`)).toEqual([]);
  });
});

const json = { "content-type": "application/json", accept: "*/*" };
const text = { "content-type": "text/plain", accept: "*/*" };

/** What users may do to themselves, without a role, by how they authenticated. */
const own: readonly (readonly [route: string, body: string | undefined, letIn: readonly WayInName[]])[] = [
  ["GET /metadata", undefined, ["password", "alias", "access key", "token", "bearer"]],
  ["GET /token", undefined, ["password", "alias", "access key", "token", "bearer"]],
  ["PUT /metadata/a", "b", []],
  ["DELETE /metadata", undefined, []],
  ["GET /key", undefined, ["password", "alias", "bearer"]],
  ["POST /key", undefined, ["password", "alias", "bearer"]],
  ["PUT /password", "right", ["password", "alias"]],
  ["PUT /realname", "Alva", []],
  ["PUT /validate", "right", []],
  ["GET /roles", undefined, []],
];

describe("the user itself", () => {
  test.each(own)("%s", async (route, body, letIn) => {
    const [method = "", path = ""] = route.split(" ");
    for (const [name, give] of Object.entries(waysIn)) {
      const userName = await kinora.user();
      const credential = await give(kinora, userName);
      const headers = { ...text, authorization: credential.good };
      const sent = body === undefined ? {} : { body };
      const ask = (whose: string) => kinora.fetch(`/API/user/${whose}${path}`, { method, headers, ...sent });
      expect((await ask(userName)).status, name).toBe(letIn.includes(name as WayInName) ? 200 : 403);
      expect((await ask("admin")).status, `${name}, of another user`).toBe(403);
    }
  });

  test("is not who acts as it: a long-lived credential is not made through RunAs", async () => {
    const [runner, target] = [await kinora.user({ roles: ["_runas"] }), await kinora.user()];
    const { good } = await waysIn.password(kinora, runner);
    const headers = { ...json, authorization: good, RunAs: target };
    const ask = (method: string, path: string) =>
      kinora.fetch(`/API/user/${target}${path}`, { method, headers, ...(method === "PUT" ? { body: "x" } : {}) });
    expect((await ask("POST", "/key")).status).toBe(403);
    expect((await ask("PUT", "/password")).status).toBe(403);
    expect((await ask("GET", "/metadata")).status).toBe(200);
  });
});
