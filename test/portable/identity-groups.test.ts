import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { membership } from "../../src/identity/membership.ts";
import { json, openTestApi, plain, type TestApi } from "./identity-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let count = 0;
async function newGroup(document?: object): Promise<string> {
  count += 1;
  const name = `group${count}`;
  const answer = await api.admin(`PUT /group/${name}`, document ? json(document) : {});
  expect(answer.status).toBe(200);
  return name;
}
async function newUser(): Promise<string> {
  count += 1;
  expect((await api.admin(`PUT /user/member${count}`)).status).toBe(200);
  return `member${count}`;
}
const read = async (name: string) => (await api.admin(`GET /group/${name}`)).json();
async function names(path: string): Promise<readonly string[]> {
  const { group, user } = await (await api.admin(`GET ${path}`)).json();
  return (group ?? user).map((each: { groupName?: string; userName?: string }) => each.groupName ?? each.userName);
}

describe("a group", () => {
  test("is created, described, extended and cleared", async () => {
    const [parent, child, user] = [await newGroup(), await newGroup(), await newUser()];
    const name = await newGroup({
      description: "First",
      metadata: { field: [{ key: "a", value: "b" }] },
      parentGroupList: { group: [{ groupName: parent }] },
      childGroupList: { group: [{ groupName: child }] },
      userList: { user: [{ userName: user }] },
    });
    expect(await read(name)).toEqual({
      groupName: name,
      description: "First",
      role: false,
      metadata: { field: [{ key: "a", value: "b" }] },
      parentGroupList: { hits: 1, group: [{ groupName: parent, role: false }] },
      childGroupList: { hits: 1, group: [{ groupName: child, role: false }] },
      userList: { hits: 1, user: [{ userName: user }] },
      loc: `http://kinora.test/group/${name}`,
    });
    const other = await newUser();
    await api.admin(`PUT /group/${name}`, json({ userList: { user: [{ userName: other }] } }));
    expect(await names(`/group/${name}/users`)).toEqual([user, other]);
    await api.admin(`PUT /group/${name}`, json({ userList: { user: [{ userName: user, remove: true }] } }));
    expect(await names(`/group/${name}/users`)).toEqual([other]);
    await api.admin(`PUT /group/${name}?clear=true`, json({ childGroupList: { group: [{ groupName: child }] } }));
    expect(await read(name)).toMatchObject({
      description: "First",
      parentGroupList: { hits: 0, group: [] },
      childGroupList: { hits: 1 },
      userList: { hits: 0 },
    });
  });

  test("is told apart from a role, and has addresses as text", async () => {
    const name = await newGroup();
    const text = async (path: string) => (await api.admin(`GET ${path}`, { accept: "text/plain" })).text();
    expect(await text(`/group/${name}/role`)).toBe("0");
    expect(await text("/group/_user_read/role")).toBe("1");
    expect(await text(`/group/${name}`)).toBe(`http://kinora.test/group/${name}\r\n`);
    expect(await text("/group?role=true&number=1")).toBe("http://kinora.test/group/_accesscontrol_read\r\n");
    await api.admin(`PUT /group/${name}/description`, plain("What it is for"));
    expect(await text(`/group/${name}/description`)).toBe("What it is for");
    const search = { field: [{ name: "description", value: "what it*" }] };
    expect(await (await api.admin("PUT /group", { ...json(search), accept: "text/plain" })).text()).toBe(`${name}\r\n`);
    const roles = await (await api.admin("GET /group?role=true")).json();
    expect(roles.group.every((group: { role: boolean; description: string }) => group.role && group.description)).toBe(
      true,
    );
    expect((await (await api.admin("PUT /group?role=true", json(search))).json()).hits).toBe(0);
  });

  test("is deleted alone or with others, all or none", async () => {
    const [one, two, three] = [await newGroup(), await newGroup(), await newGroup()];
    await api.admin(`PUT /group/${one}/group/${two}`);
    await api.admin(`PUT /group/${one}/user/${await newUser()}`);
    expect((await api.admin(`DELETE /group?name=${one},no-such`)).status).toBe(404);
    expect((await api.admin(`DELETE /group?name=${one},${two}`)).status).toBe(200);
    expect((await api.admin(`GET /group/${one}`)).status).toBe(404);
    expect((await api.admin(`DELETE /group/${three}`)).status).toBe(200);
    expect((await api.admin(`DELETE /group/${three}`)).status).toBe(404);
    expect((await api.admin("DELETE /group")).status).toBe(400);
  });

  test.each([
    ["a name that is taken", "PUT /group/taken", {}, 409],
    ["the name of a role", "PUT /group/_user_read", {}, 409],
    ["a name like a role's", "PUT /group/_my_role", {}, 400],
    ["a name like a role's in a document", "PUT /group/_my_role", json({}), 400],
    ["an illegal name", "PUT /group/%20a", {}, 400],
    ["another name in the document", "PUT /group/taken", json({ groupName: "other" }), 400],
    ["a user that does not exist", "PUT /group/taken/user/nobody", {}, 404],
    ["a child that does not exist", "PUT /group/taken/group/nothing", {}, 404],
    ["a parent that does not exist", "PUT /group/nothing/group/taken", {}, 404],
    ["a role's removal", "DELETE /group/_user_read", {}, 400],
    ["a role as a child", "PUT /group/taken/group/_user_read", {}, 400],
    ["a role's parents", "PUT /group/_user_read", json({ parentGroupList: { group: [{ groupName: "taken" }] } }), 400],
    ["a role's description", "PUT /group/_user_read/description", plain("Mine"), 400],
    ["itself as a child", "PUT /group/taken/group/taken", {}, 409],
  ])("refuses %s", async (_, request, send, status) => {
    await api.admin("PUT /group/taken");
    expect((await api.admin(request, { ...send, accept: "*/*" })).status).toBe(status);
  });

  test("records what changed with the keys of the group triggers, and nothing when nothing did [spec: event-group] [spec: event-group-modify]", async () => {
    const [group, child, user] = [await newGroup(), await newGroup(), await newUser()];
    const twice = async (request: string) => {
      await api.admin(request);
      await api.admin(request);
    };
    await twice(`PUT /group/${group}/user/${user}`);
    await twice(`PUT /group/${group}/group/${child}`);
    await twice(`DELETE /group/${group}/user/${user}`);
    await twice(`DELETE /group/${group}/group/${child}`);
    await api.admin(`DELETE /group/${group}`);
    const rows = await api.store.query({
      sql: "select keys from event where entity = 'group' and entity_id = ? order by id",
      args: [group],
    });
    const username = "admin";
    expect(rows.map((row) => JSON.parse(String(row.keys)))).toEqual([
      { group, action: "CREATE", username },
      { group, action: "MODIFY", username, mode: "ADD", affectedUser: user },
      { group, action: "MODIFY", username, mode: "ADD", affectedGroup: child },
      { group, action: "MODIFY", username, mode: "REMOVE", affectedUser: user },
      { group, action: "MODIFY", username, mode: "REMOVE", affectedGroup: child },
      { group, action: "DELETE", username },
    ]);
  });

  test("joined by many callers at once is joined once", async () => {
    const [group, user] = [await newGroup(), await newUser()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.admin(`PUT /group/${group}/user/${user}`)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const [row] = await api.store.query({
      sql: "select count(*) as n from event where entity_id = ? and action = 'MODIFY'",
      args: [group],
    });
    expect(row?.n).toBe(1);
  });
});

describe("who may give roles", () => {
  beforeEach(async () => {
    await api.admin("PUT /user/manager");
    await api.admin("PUT /group/_group_write/user/manager");
    await api.admin("PUT /user/friend");
    for (const group of ["powerful", "harmless"]) await api.admin(`PUT /group/${group}`);
    await api.admin("PUT /group/_administrator/group/powerful");
  });

  test.each([
    ["a role itself", "PUT /group/_administrator/user/manager", 403],
    ["a group that leads to a role", "PUT /group/powerful/user/manager", 403],
    ["a child of such a group", "PUT /group/powerful/group/harmless", 403],
    ["the removal of such a group", "DELETE /group/powerful", 403],
    ["a plain group", "PUT /group/harmless/user/friend", 200],
    ["a role that the caller holds", "PUT /group/_group_write/user/friend", 200],
  ])("_group_write alone: %s", async (_, request, status) => {
    expect((await api.as("manager")(request)).status).toBe(status);
  });

  test("_group_write alone: a group's document cannot do it either", async () => {
    const document = json({ parentGroupList: { group: [{ groupName: "_administrator" }] } });
    expect((await api.as("manager")("PUT /group/harmless", document)).status).toBe(403);
    expect((await api.as("manager")("PUT /group/fresh", document)).status).toBe(403);
    expect((await api.admin("GET /group/fresh")).status).toBe(404);
  });
});

describe("the hierarchy", () => {
  test("is walked in both directions, near or far", async () => {
    const [a, b, c, user] = [await newGroup(), await newGroup(), await newGroup(), await newUser()];
    await api.admin(`PUT /group/${a}/group/${b}`);
    await api.admin(`PUT /group/${b}/group/${c}`);
    await api.admin(`PUT /group/${c}/user/${user}`);
    expect(await names(`/group/${a}/children`)).toEqual([b]);
    expect(await names(`/group/${a}/children?traverse=true`)).toEqual([b, c]);
    expect(await names(`/group/${c}/parents`)).toEqual([b]);
    expect(await names(`/group/${c}/parents?traverse=true`)).toEqual([a, b]);
    expect(await names(`/group/${a}/users`)).toEqual([]);
    expect(await names(`/group/${a}/users?traverse=true`)).toEqual([user]);
    expect((await api.admin("GET /group/nothing/parents")).status).toBe(404);
    expect((await api.admin(`PUT /group/${c}/group/${a}`)).status).toBe(409);
  });

  test("refuses a document whose own edges close a circle", async () => {
    const [top, bottom] = [await newGroup(), await newGroup()];
    await api.admin(`PUT /group/${top}/group/${bottom}`);
    const document = json({
      parentGroupList: { group: [{ groupName: bottom }] },
      childGroupList: { group: [{ groupName: top }] },
    });
    expect((await api.admin("PUT /group/circle", document)).status).toBe(409);
    expect((await api.admin("GET /group/circle")).status).toBe(404);
  });

  test("never has a circle, whatever many callers do at once", async () => {
    const groups = await Promise.all(Array.from({ length: 6 }, () => newGroup()));
    const step = fc.record({ parent: fc.nat(5), child: fc.nat(5), add: fc.boolean(), both: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const answers = await Promise.all(
          steps.map(({ parent, child, add, both }) =>
            both
              ? api.admin(
                  `PUT /group/${groups[parent]}`,
                  json({
                    childGroupList: { group: [{ groupName: groups[child] }] },
                    parentGroupList: { group: [{ groupName: groups[(child + 1) % 6] }] },
                  }),
                )
              : api.admin(`${add ? "PUT" : "DELETE"} /group/${groups[parent]}/group/${groups[child]}`),
          ),
        );
        for (const answer of answers) expect([200, 409]).toContain(answer.status);
        const circles = await api.store.query({
          sql: `with recursive walk(origin, id) as (
              select parent_id, child_id from group_child
              union select walk.origin, e.child_id from walk join group_child e on e.parent_id = walk.id
            ) select 1 from walk where origin = id`,
        });
        expect(circles).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ["deep from below", (index: number) => [`deep-a${index}`, `deep-a${index + 1}`]],
    ["deep from above", (index: number) => [`deep-b${10_000 - index}`, `deep-b${10_001 - index}`]],
    ["wide", (index: number) => ["wide-top", `wide-${index}`]],
  ])("of 10,000 groups, %s, is edited and walked", async (kind, edgeOf) => {
    const size = 10_000;
    const edges = Array.from({ length: size }, (_, index) => edgeOf(index));
    const all = [...new Set(edges.flat())];
    const now = api.store.now();
    await api.store
      .change({ userName: "test" })
      .add({
        sql: "insert into user_group (name, created) select value, ? from json_each(?)",
        args: [now, JSON.stringify(all)],
      })
      .add({
        sql: `insert into group_child (parent_id, child_id) select a.id, b.id from json_each(?) e
          join user_group a on a.name = e.value ->> 0 join user_group b on b.name = e.value ->> 1`,
        args: [JSON.stringify(edges.slice(0, -20))],
      })
      .commit();
    for (const [parent, child] of edges.slice(-20)) {
      expect((await api.admin(`PUT /group/${parent}/group/${child}`)).status).toBe(200);
    }
    const user = await newUser();
    const [top, bottom] =
      kind === "wide"
        ? ["wide-top", "wide-9999"]
        : [edges.flat().sort(byNumber)[0], edges.flat().sort(byNumber).at(-1)];
    await api.admin(`PUT /group/${bottom}/user/${user}`);
    await api.admin(`PUT /group/_vxa_read/group/${top}`);
    const member = await membership(api.store, user);
    expect(member.roles).toEqual(["_vxa_read"]);
    expect(member.groups).toHaveLength(kind === "wide" ? 2 : size + 1);
    expect((await api.admin(`PUT /group/${bottom}/group/${top}`)).status).toBe(409);
    const below = await (await api.admin(`GET /group/${top}/children?traverse=true&number=5`)).json();
    expect(below.hits).toBe(size);
    expect(
      (await api.admin(`GET /user/${user}/groups?allgroups=true&traverse=true`, { accept: "application/xml" })).status,
    ).toBe(200);
    expect((await api.admin(`DELETE /group?name=${top},${bottom}`)).status).toBe(200);
  });
});

function byNumber(a: string, b: string): number {
  return Number(a.replace(/\D/g, "")) - Number(b.replace(/\D/g, ""));
}

describe("the graph", () => {
  test("shows users, groups and roles, quoted, whole or in part", async () => {
    await api.admin(`PUT /group/${encodeURIComponent('quo"ted\\')}`);
    await api.admin("PUT /user/quoted");
    await api.admin(`PUT /group/${encodeURIComponent('quo"ted\\')}/user/quoted`);
    const answer = await api.admin("GET /user/graph/dot?users=quoted", { accept: "text/vnd.graphviz" });
    expect(answer.headers.get("content-type")).toBe("text/vnd.graphviz; charset=utf-8");
    expect(await answer.text()).toBe(
      [
        "digraph {",
        "  rankdir=BT;",
        '  "user quoted" [label="quoted", shape=ellipse];',
        '  "group quo\\"ted\\\\" [label="quo\\"ted\\\\", shape=box];',
        '  "user quoted" -> "group quo\\"ted\\\\";',
        "}\n",
      ].join("\n"),
    );
    expect(await (await api.admin("GET /user/graph/dot", { accept: "text/plain" })).text()).toContain("_administrator");
    expect((await api.admin("GET /user/graph", { accept: "*/*" })).status).toBe(501);
  });
});
