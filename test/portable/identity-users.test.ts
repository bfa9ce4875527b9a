import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, openTestApi, plain, type TestApi } from "./identity-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let count = 0;
/** A user of a name that no other test has. */
async function newUser(more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  count += 1;
  const userName = `user${count}`;
  const answer = await api.admin("POST /user", json({ userName, password: "first", ...more }));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("");
  return userName;
}
async function read(userName: string) {
  return (await api.admin(`GET /user/${encodeURIComponent(userName)}`)).json();
}

describe("a user", () => {
  test("is created with everything that its document says, and read without its password", async () => {
    await api.admin("PUT /group/editors");
    const name = await newUser({
      realName: "Alva L",
      alias: ["alva@example.org"],
      groupList: { group: [{ groupName: "editors" }, { groupName: "_item_read" }] },
      metadata: { field: [{ key: "phone/home", value: "1" }] },
    });
    expect(await read(name)).toEqual({
      disabled: false,
      userName: name,
      realName: "Alva L",
      alias: ["alva@example.org"],
      groupList: {
        group: [
          { groupName: "_item_read", role: true },
          { groupName: "editors", role: false },
        ],
      },
      metadata: { field: [{ key: "phone/home", value: "1" }] },
      runAsEnabled: true,
      loc: `http://kinora.test/user/${name}`,
    });
    const xml = await (await api.admin(`GET /user/${name}`, { accept: "application/xml" })).text();
    expect(xml).toContain('<UserDocument xmlns="urn:test" disabled="false">');
    expect(xml).not.toMatch(/password|salt|argon/i);
  });

  test("is created by PUT without a body, once", async () => {
    expect((await api.admin("PUT /user/bare")).status).toBe(200);
    expect((await api.admin("PUT /user/bare")).status).toBe(409);
    expect((await api.admin("POST /user", json({ userName: "bare" }))).status).toBe(409);
  });

  test("of one name is created by one of many callers at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.admin("PUT /user/wanted")));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...new Array<number>(19).fill(409)]);
  });

  test("is changed by a document, which renames it too", async () => {
    const name = await newUser({ realName: "Before" });
    const answer = await api.admin(`PUT /user/${name}`, json({ userName: `${name}-new`, realName: "After" }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ userName: `${name}-new`, realName: "After", disabled: false });
    expect((await api.admin(`GET /user/${name}`)).status).toBe(404);
    const other = await newUser();
    expect((await api.admin(`PUT /user/${other}`, json({ userName: `${name}-new` }))).status).toBe(409);
    expect((await read(other)).userName).toBe(other);
    expect((await api.admin("PUT /user/absent-one", json({ userName: "other" }))).status).toBe(404);
    expect((await api.admin("PUT /user/absent-one", json({ realName: "Now here" }))).status).toBe(200);
  });

  test("is disabled by a soft delete, which may be repeated, and enabled again", async () => {
    const name = await newUser();
    expect((await api.admin(`DELETE /user/${name}?preserveAccess=true`)).status).toBe(200);
    expect(await (await api.admin(`DELETE /user/${name}`)).text()).toBe("");
    expect(await read(name)).toMatchObject({ disabled: true });
    expect(await (await api.admin(`GET /user?disabled=true&name=${name}`)).json()).toMatchObject({ hits: 1 });
    expect((await api.admin(`PUT /user/${name}/enable`)).status).toBe(200);
    expect(await read(name)).toMatchObject({ disabled: false });
  });

  test("is gone for good after a hard delete, which answers a finished job", async () => {
    const name = await newUser({ alias: ["gone@example.org"], metadata: { field: [{ key: "a", value: "b" }] } });
    await api.admin(`POST /user/${name}/key`);
    await api.admin(`GET /user/${name}/token`, { accept: "text/plain" });
    const answer = await api.admin(`DELETE /user/${name}?hard=true`);
    expect(await answer.json()).toMatchObject({
      type: "DELETE_USER",
      status: "FINISHED",
      user: "admin",
      priority: "MEDIUM",
    });
    expect((await api.admin(`GET /user/${name}`)).status).toBe(404);
    expect((await api.admin(`DELETE /user/${name}?hard=true`)).status).toBe(404);
    await newUser({ alias: ["gone@example.org"] });
    expect((await api.admin(`DELETE /user/admin?hard=true&preserveAccess=true`)).status).toBe(400);
  });

  test("has a real name as text", async () => {
    const name = await newUser();
    expect(await (await api.admin(`GET /user/${name}/realname`, { accept: "text/plain" })).text()).toBe("");
    await api.admin(`PUT /user/${name}/realname`, plain("Zoë Ž"));
    expect(await (await api.admin(`GET /user/${name}/realname`, { accept: "text/plain" })).text()).toBe("Zoë Ž");
  });
});

describe("names of users", () => {
  test.each([
    "a",
    "a b",
    "a/b",
    "a:b",
    "a@b.c",
    "ü",
    "名前",
    "\u{1F511}",
    "a'b\"c",
    "a%b",
    "a;b=c",
    "a?b#c",
    "_x",
    "x".repeat(255),
    "-",
    "...",
  ])("%j is legal", async (name) => {
    const path = `/user/${encodeURIComponent(name)}`;
    expect((await api.admin(`PUT ${path}`)).status).toBe(200);
    expect((await (await api.admin(`GET ${path}`)).json()).userName).toBe(name);
    for (const accept of ["application/xml", "application/json"]) {
      expect((await api.admin(`GET ${path}`, { accept })).status).toBe(200);
    }
    expect((await api.admin(`DELETE ${path}?hard=true`)).status).toBe(200);
  });

  test.each([
    "",
    " a",
    "a ",
    "a\nb",
    "a\u007fb",
    "a\u0085b",
    "\ud800",
    "a\ufffe",
    ".",
    "..",
    "x".repeat(256),
    "a\u2028b",
  ])("%j is illegal", async (userName) => {
    expect((await api.admin("POST /user", json({ userName }))).status).toBe(400);
  });

  test("differ by letter case and by normal form", async () => {
    for (const name of ["Case", "case", "\u00e9", "e\u0301"]) {
      expect((await api.admin(`PUT /user/${encodeURIComponent(name)}`)).status).toBe(200);
    }
  });
});

describe("aliases", () => {
  test("belong to one user, and never are the name of another", async () => {
    const [one, other] = [await newUser(), await newUser()];
    expect((await api.admin(`PUT /user/${one}/alias/shared%2Fname`)).status).toBe(200);
    expect((await api.admin(`PUT /user/${one}/alias/shared%2Fname`)).status).toBe(200);
    expect((await api.admin(`PUT /user/${other}/alias/shared%2Fname`)).status).toBe(409);
    expect((await api.admin(`PUT /user/${other}/alias/${one}`)).status).toBe(409);
    expect((await api.admin("PUT /user/shared%2Fname")).status).toBe(409);
    expect((await api.admin(`DELETE /user/${other}/alias/shared%2Fname`)).status).toBe(200);
    expect((await read(one)).alias).toEqual(["shared/name"]);
    expect((await api.admin(`DELETE /user/${one}/alias/shared%2Fname`)).status).toBe(200);
    expect((await api.admin(`PUT /user/${other}/alias/shared%2Fname`)).status).toBe(200);
    expect((await api.admin("PUT /user/nobody/alias/x")).status).toBe(404);
  });

  test("are at most 100 of one user", async () => {
    const alias = Array.from({ length: 100 }, (_, index) => `alias-${index}`);
    const name = await newUser({ alias });
    expect((await api.admin(`PUT /user/${name}/alias/one-more`)).status).toBe(400);
  });
});

describe("passwords", () => {
  test("are changed by an administrator or by who shows the old one", async () => {
    const name = await newUser();
    expect((await api.admin(`PUT /user/${name}/password`, plain("second"))).status).toBe(200);
    expect((await api.as(name)(`PUT /user/${name}/password?type=raw`, plain("third"))).status).toBe(200);
    for (const method of ["token", "accessKey", "bearer"] as const) {
      expect((await api.as(name, method)(`PUT /user/${name}/password`, plain("x"))).status).toBe(403);
    }
    expect((await api.as(await newUser())(`PUT /user/${name}/password`, plain("x"))).status).toBe(403);
    expect((await api.admin(`PUT /user/${name}/validate`, plain("third"))).status).toBe(200);
    await api.admin("PUT /user/without-password");
    expect((await api.as("without-password")("PUT /user/without-password/password", plain("x"))).status).toBe(403);
  });

  test.each([
    ["PUT /user/admin/password?type=md5", plain("0123456789abcdef0123456789abcdef")],
    ["PUT /user/admin/password?type=other", plain("x")],
    ["PUT /user/admin/password", plain("")],
    ["PUT /user/admin/password", plain("x".repeat(1025))],
    ["POST /user?passwordType=md5", json({ userName: "md5", password: "0123456789abcdef0123456789abcdef" })],
    ["PUT /user/admin/validate?type=md5", plain("x")],
  ])("%s refuses what it cannot take", async (request, send) => {
    const answer = await api.admin(request, { ...send, accept: "*/*" });
    expect(answer.status).toBe(400);
  });

  test("have a salt; a new one invalidates the password", async () => {
    const name = await newUser();
    const salt = async () =>
      new Uint8Array(await (await api.admin(`GET /user/${name}/password/salt`, { accept: "*/*" })).arrayBuffer());
    const first = await salt();
    expect(first).toHaveLength(16);
    const answer = await api.admin(`POST /user/${name}/password/salt`, { accept: "application/octet-stream" });
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    const second = new Uint8Array(await answer.arrayBuffer());
    expect(second).not.toEqual(first);
    expect(await salt()).toEqual(second);
    expect((await api.admin(`PUT /user/${name}/validate`, plain("first"))).status).toBe(403);
  });

  test("are validated for an application, and guessing is slowed down", async () => {
    const name = await newUser();
    const guard = await newUser({ groupList: { group: [{ groupName: "_runas" }] } });
    const answer = await api.as(guard)(`PUT /user/${name}/validate?type=raw`, plain("first"));
    expect([answer.status, await answer.text()]).toEqual([200, "OK"]);
    expect((await api.as(name)(`PUT /user/${name}/validate`, plain("first"))).status).toBe(403);
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await api.as(guard)(`PUT /user/${name}/validate`, plain("guess"))).status).toBe(403);
    }
    const refused = await api.as(guard)(`PUT /user/${name}/validate`, plain("first"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "6"]);
    api.clock.now += 6000;
    expect((await api.as(guard)(`PUT /user/${name}/validate`, plain("first"))).status).toBe(200);
    api.clock.now += 60_000;
  });
});

describe("groups of a user", () => {
  test("are listed alone, with parents, as a hierarchy, and beside roles", async () => {
    for (const group of ["g1", "g2", "g3"]) await api.admin(`PUT /group/${group}`);
    await api.admin("PUT /group/g2/group/g1");
    await api.admin("PUT /group/g3/group/g2");
    await api.admin("PUT /group/_file_read/group/g3");
    const name = await newUser({ groupList: { group: [{ groupName: "g1" }, { groupName: "_job_read" }] } });
    const list = async (path: string) => {
      const { group } = await (await api.admin(`GET /user/${name}/${path}`)).json();
      return group.map((each: { groupName: string }) => each.groupName);
    };
    expect(await list("groups")).toEqual(["g1"]);
    expect(await list("groups?allgroups=true")).toEqual(["g1", "g2", "g3"]);
    expect(await list("roles")).toEqual(["_file_read", "_job_read"]);
    expect(await list("allgroups")).toEqual(["_file_read", "_job_read", "g1", "g2", "g3"]);
    const tree = await (await api.admin(`GET /user/${name}/groups?allgroups=true&traverse=true`)).json();
    const [, g1] = tree.group;
    expect(g1).toMatchObject({ groupName: "g1", parentGroupList: { group: [{ groupName: "g2" }] } });
    expect(g1.parentGroupList.group[0].parentGroupList.group[0].parentGroupList.group[0]).toMatchObject({
      groupName: "_file_read",
    });
  });

  test("are added, or replaced without touching roles", async () => {
    for (const group of ["m1", "m2"]) await api.admin(`PUT /group/${group}`);
    const name = await newUser({ groupList: { group: [{ groupName: "m1" }, { groupName: "_job_read" }] } });
    const put = (query: string, group: object[]) => api.admin(`PUT /user/${name}/groups${query}`, json({ group }));
    const direct = async () =>
      (await read(name)).groupList.group.map((group: { groupName: string }) => group.groupName);
    expect((await put("", [{ groupName: "m2" }])).status).toBe(200);
    expect(await direct()).toEqual(["_job_read", "m1", "m2"]);
    expect((await put("?move=true", [{ groupName: "m2" }])).status).toBe(200);
    expect(await direct()).toEqual(["_job_read", "m2"]);
    expect((await put("", [{ groupName: "_job_read", remove: true }])).status).toBe(200);
    expect(await direct()).toEqual(["m2"]);
    expect((await put("", [{ groupName: "no-such" }])).status).toBe(404);
    expect((await api.admin("PUT /user/nobody/groups", json({ group: [] }))).status).toBe(404);
  });
});

describe("metadata of a user", () => {
  test("has keys with slashes, patterns that read and delete, and one's own without a role", async () => {
    const name = await newUser();
    const own = api.as(name);
    await api.admin(
      `PUT /user/${name}/metadata`,
      json({
        field: [
          { key: "a", value: "1" },
          { key: "a/b", value: "2" },
        ],
      }),
    );
    await api.admin(`PUT /user/${name}/metadata/a/c`, plain("3"));
    await api.admin(`PUT /user/${name}/metadata/d%2Fe`, plain("4"));
    expect(await (await own(`GET /user/${name}/metadata`)).json()).toEqual({
      field: [
        { key: "a", value: "1" },
        { key: "a/b", value: "2" },
        { key: "a/c", value: "3" },
        { key: "d/e", value: "4" },
      ],
    });
    expect(await (await own(`GET /user/${name}/metadata/a/b`, { accept: "*/*" })).text()).toBe("2");
    expect(await (await own(`GET /user/${name}/metadata/d*`, { accept: "*/*" })).text()).toBe("4");
    expect((await own(`GET /user/${name}/metadata/a*`, { accept: "*/*" })).status).toBe(400);
    expect((await own(`GET /user/${name}/metadata/z`, { accept: "*/*" })).status).toBe(404);
    expect((await own(`PUT /user/${name}/metadata/a`, plain("5"))).status).toBe(403);
    expect((await own("GET /user/admin/metadata")).status).toBe(403);
    await api.admin(`PUT /group/_user_metadata_write/user/${name}`);
    expect((await own(`PUT /user/${name}/metadata/a`, plain("5"))).status).toBe(200);
    expect((await own(`DELETE /user/${name}/metadata/a/*`)).status).toBe(200);
    expect((await (await own(`GET /user/${name}/metadata`)).json()).field).toHaveLength(2);
    expect((await own(`DELETE /user/${name}/metadata`)).status).toBe(200);
    expect(await (await own(`GET /user/${name}/metadata`)).json()).toEqual({});
    expect((await api.admin("GET /user/nobody/metadata")).status).toBe(404);
    expect((await api.admin("PUT /user/nobody/metadata/a", plain("x"))).status).toBe(404);
  });

  test.each([
    ["a wildcard in a key", [{ key: "a*", value: "" }]],
    ["an empty part of a key", [{ key: "/a", value: "" }]],
    ["a control character", [{ key: "a", value: "\u0001" }]],
    ["a key that is too long", [{ key: "x".repeat(256), value: "" }]],
    ["more than 1,000 pairs", Array.from({ length: 1001 }, (_, index) => ({ key: `k${index}`, value: "" }))],
  ])("refuses %s", async (_, field) => {
    expect((await api.admin(`PUT /user/${await newUser()}/metadata`, json({ field }))).status).toBe(400);
  });
});

describe("lists of users", () => {
  beforeAll(async () => {
    for (const [userName, realName, team] of [
      ["find-a", "Ann One", "red"],
      ["find-b", "Bob Two", "blue"],
      ["find-c", "Ann Three", "blue"],
    ]) {
      await api.admin("POST /user", json({ userName, realName, metadata: { field: [{ key: "team", value: team }] } }));
    }
  });
  const found = async (search: object, query = "") => {
    const { user, hits } = await (await api.admin(`PUT /user${query}`, json(search))).json();
    return [hits, ...user.map((each: { userName: string }) => each.userName)];
  };

  test.each([
    ["a name", { field: [{ name: "username", value: "FIND-A" }] }, [1, "find-a"]],
    ["a pattern", { field: [{ name: "username", value: "find-*" }] }, [3, "find-a", "find-b", "find-c"]],
    [
      "two fields",
      {
        field: [
          { name: "realName", value: "ann*" },
          { name: "team", value: "blue" },
        ],
      },
      [1, "find-c"],
    ],
    [
      "one of two fields",
      {
        operator: {
          operation: "OR",
          field: [
            { name: "team", value: "red" },
            { name: "username", value: "find-?" },
          ],
        },
      },
      [3, "find-a", "find-b", "find-c"],
    ],
    [
      "an order",
      {
        field: [{ name: "username", value: "find-*" }],
        sort: [
          { field: "team", order: "descending" },
          { field: "realname", order: "ascending" },
        ],
      },
      [3, "find-a", "find-c", "find-b"],
    ],
    ["a text that looks like SQL", { field: [{ name: "username", value: "' or 1=1 --" }] }, [0]],
    ["literal wildcards of SQL", { field: [{ name: "username", value: "find_%" }] }, [0]],
  ])("search by %s", async (_, search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  test("page a search by 10, a list by all, and count from 1", async () => {
    const search = { field: [{ name: "username", value: "find-*" }] };
    expect(await found(search, "?first=2&number=1")).toEqual([3, "find-b"]);
    expect(await found(search, ";first=0;number=1")).toEqual([3, "find-a"]);
    const lines = await api.admin("PUT /user", { ...json(search), accept: "text/plain" });
    expect(await lines.text()).toBe("find-a\tAnn One\r\nfind-b\tBob Two\r\nfind-c\tAnn Three\r\n");
    const all = await (await api.admin("GET /user?name=find-a,find-c&name=nobody")).json();
    expect(all.user.map((user: { userName: string }) => user.userName)).toEqual(["find-a", "find-c"]);
    expect((await api.admin("GET /user?number=10001")).status).toBe(400);
    expect((await (await api.admin("GET /user?number=10000")).json()).hits).toBeGreaterThan(10);
  });
});

describe("roles", () => {
  test.each([
    ["GET /user", "_user_read"],
    ["GET /user/admin", "_user_read"],
    ["GET /user/admin/groups", "_user_read"],
    ["GET /user/graph/dot", "_user_read"],
    ["GET /group", "_group_read"],
    ["GET /group/_user_read", "_group_read"],
    ["GET /group/_user_read/users", "_group_read"],
  ])("%s needs %s", async (request, role) => {
    const name = await newUser();
    expect((await api.as(name)(request, { accept: "*/*" })).status).toBe(403);
    await api.admin(`PUT /group/${role}/user/${name}`);
    expect((await api.as(name)(request, { accept: "*/*" })).status).toBe(200);
  });
});
