import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi } from "./container-api.ts";

let api: ContainerApi;
beforeAll(async () => {
  api = await openContainerApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.events.length = 0;
});

const status = async (user: string, request: string, document?: unknown) =>
  (await api.as(user)(request, document)).status;

test("a new item is its creator's alone, and others are told that it does not exist", async () => {
  const item = await makeItem(api.as("alva"));
  expect(await status("alva", `GET /item/${item}`)).toBe(200);
  expect(await status("bo", `GET /item/${item}`)).toBe(404);
  const { body } = await api.as("alva")(`GET /item/${item}/access`);
  expect(body.access).toEqual([
    {
      id: body.access[0].id,
      loc: `http://kinora.test/item/${item}/access/${body.access[0].id}`,
      recursive: true,
      appliesTo: [{ value: "all" }],
      permission: "OWNER",
      user: "alva",
    },
  ]);
  const id = body.access[0].id;
  expect((await api.as("alva")(`GET /item/${item}/access/${id}`)).body).toEqual(body.access[0]);
  expect(await status("alva", `DELETE /item/${item}/access/${id}`)).toBe(403);
});

test("entries are announced with the keys of the specification [spec: event-access]", async () => {
  const alva = api.as("alva");
  const item = await makeItem(alva);
  api.events.length = 0;
  const first = (await alva(`POST /item/${item}/access`, { user: "bo", permission: "READ" })).body.id;
  const second = (await alva(`POST /item/${item}/access`, { group: "guests", permission: "WRITE" })).body.id;
  await alva(`POST /item/${item}/access?allowDuplicate=false`, { user: "bo", permission: "WRITE" });
  await alva(`DELETE /item/${item}/access/${second}`);
  const keys = (notificationTrigger: string, accessId: string, permission: string, who: object) => ({
    notificationType: "access",
    notificationTrigger,
    itemId: item,
    accessId,
    permission,
    ...who,
  });
  expect(api.events.map((event) => [event.entity, event.action, event.keys])).toEqual([
    ["access", "CREATE", keys("CREATE", first, "READ", { user: "bo" })],
    ["access", "CREATE", keys("CREATE", second, "WRITE", { group: "guests" })],
    ["access", "CHANGE", keys("CHANGE", first, "WRITE", { user: "bo" })],
    ["access", "DELETE", keys("DELETE", second, "WRITE", { group: "guests" })],
  ]);
  expect((await alva(`GET /item/${item}/access`)).body.access).toHaveLength(2);
});

describe("permissions", () => {
  const needed = [
    ["GET /item/{}", "READ"],
    ["GET /item/{}/access", "READ"],
    ["PUT /item/{}/metadata", "WRITE"],
    ["POST /item/{}/access", "ALL"],
    ["DELETE /item/{}", "ALL"],
    ["PUT /item/{}/access/owner/cy", "OWNER"],
  ] as const;
  const words = ["NONE", "READ", "WRITE", "ALL"] as const;
  test.each(words)("%s allows what it includes and nothing else", async (permission) => {
    for (const [request, least] of needed) {
      const item = await makeItem(api.as("alva"));
      await api.as("alva")(`POST /item/${item}/access`, { user: "bo", permission });
      const document = request.startsWith("PUT /item/{}/m")
        ? {}
        : request.startsWith("POST")
          ? { user: "cy", permission: "READ" }
          : undefined;
      const rank = [...words, "OWNER"].indexOf(permission);
      const expected = rank === 0 ? 404 : rank >= [...words, "OWNER"].indexOf(least) ? 200 : 403;
      expect([request, await status("bo", request.replace("{}", item), document)]).toEqual([request, expected]);
    }
  });
});

test("what a collection grants reaches what is in it, however deep, as its reach says", async () => {
  const alva = api.as("alva");
  const [outer, inner] = [await makeCollection(alva), await makeCollection(alva)];
  const [near, far] = [await makeItem(alva), await makeItem(alva)];
  await alva(`PUT /collection/${outer}/${inner}?type=collection`);
  await alva(`PUT /collection/${outer}/${near}`);
  await alva(`PUT /collection/${inner}/${far}`);
  const seen = async () => {
    const paths = [`/collection/${outer}`, `/collection/${inner}`, `/item/${near}`, `/item/${far}`];
    const answers: string[] = [];
    for (const path of paths) answers.push((await status("bo", `GET ${path}`)) === 200 ? "x" : "-");
    return answers.join("");
  };
  const cases = [
    [{}, "xxxx"],
    [{ recursive: false }, "x---"],
    [{ appliesTo: [{ value: "all" }] }, "xxxx"],
    [{ appliesTo: [{ value: "self" }] }, "x---"],
    [{ appliesTo: [{ value: "item" }] }, "--xx"],
    [{ appliesTo: [{ value: "item", recursive: false }] }, "--x-"],
    [{ appliesTo: [{ value: "self" }, { value: "collection" }] }, "xx--"],
    [{ appliesTo: [{ value: "all", recursive: false }] }, "xxx-"],
    [{ appliesTo: [{ value: "library" }] }, "----"],
  ] as const;
  for (const [reach, expected] of cases) {
    const { body } = await alva(`POST /collection/${outer}/access`, { group: "editors", permission: "READ", ...reach });
    expect([reach, await seen()]).toEqual([reach, expected]);
    await alva(`DELETE /collection/${outer}/access/${body.id}`);
    expect(await seen()).toBe("----");
  }
});

test("who may only read an item cannot share it by putting it into a collection of their own", async () => {
  const item = await makeItem(api.as("alva"));
  const collection = await makeCollection(api.as("bo"));
  await api.as("alva")(`POST /item/${item}/access`, { user: "bo", permission: "WRITE" });
  await api.as("bo")(`POST /collection/${collection}/access`, { user: "cy", permission: "READ" });
  expect(await status("bo", `PUT /collection/${collection}/${item}`)).toBe(200);
  expect(await status("cy", `GET /item/${item}`)).toBe(404);
  expect(await status("bo", `DELETE /item/${item}`)).toBe(403);
  await api.admin(`PUT /collection/${collection}/${item}`);
  expect(await status("cy", `GET /item/${item}`)).toBe(200);
});

test("nearer entries decide before farther ones, users before groups, and a priority before all", async () => {
  const alva = api.as("alva");
  const collection = await makeCollection(alva);
  const item = await makeItem(alva);
  await alva(`PUT /collection/${collection}/${item}`);
  const permission = async () => {
    const answer = await api.as("bo")(`GET /item/${item}?content=access`);
    return answer.status === 404 ? "NONE" : answer.body.access[0].permission;
  };
  const grant = (path: string, document: object) => alva(`POST ${path}/access`, document);
  await grant(`/collection/${collection}`, { user: "bo", permission: "WRITE" });
  expect(await permission()).toBe("WRITE");
  await grant(`/item/${item}`, { group: "editors", permission: "READ" });
  expect(await permission()).toBe("READ");
  await grant(`/item/${item}`, { user: "bo", permission: "NONE" });
  expect(await permission()).toBe("NONE");
  await grant(`/collection/${collection}`, { group: "editors", permission: "ALL", priority: 1 });
  expect(await permission()).toBe("ALL");
});

test("a grant for metadata alone opens the metadata and the search, nothing else", async () => {
  const item = await makeItem(api.as("alva"), "Only the words");
  await api.as("alva")(`POST /item/${item}/access`, {
    user: "bo",
    permission: "READ",
    operation: { metadata: {} },
  });
  expect(await status("bo", `GET /item/${item}/metadata`)).toBe(200);
  expect(await status("bo", `GET /item/${item}/access`)).toBe(404);
  const { body } = await api.as("bo")("PUT /item", { field: [{ name: "title", value: [{ value: "words" }] }] });
  expect(body.hits).toBe(1);
});

test("an owner hands an item over, and keeps nothing", async () => {
  const item = await makeItem(api.as("alva"));
  const { body } = await api.as("alva")(`PUT /item/${item}/access/owner/bo`);
  expect(body).toMatchObject({ permission: "OWNER", user: "bo" });
  expect(await status("alva", `GET /item/${item}`)).toBe(404);
  expect(await status("bo", `DELETE /item/${item}`)).toBe(200);
  expect((await api.admin(`PUT /item/${await makeItem(api.admin)}/access/owner/nobody`)).status).toBe(404);
});

test("many entries come and go in one request, all or none", async () => {
  const item = await makeItem(api.as("alva"));
  const bulk = `/item/${item}/access/bulk`;
  const wrong = {
    access: [
      { user: "bo", permission: "READ" },
      { user: "nobody", permission: "READ" },
    ],
  };
  expect((await api.as("alva")(`POST ${bulk}`, wrong)).status).toBe(404);
  const both = {
    access: [
      { user: "bo", permission: "READ" },
      { group: "guests", permission: "WRITE" },
    ],
  };
  const { body } = await api.as("alva")(`POST ${bulk}`, both);
  expect(body.access).toHaveLength(2);
  const named = { access: body.access.map(({ id }: { readonly id: string }) => ({ id })) };
  expect(await status("alva", `DELETE ${bulk}`, named)).toBe(200);
  expect((await api.as("alva")(`GET /item/${item}/access`)).body.access).toHaveLength(1);
});

test("entries that make no sense are refused with what is wrong", async () => {
  const item = await makeItem(api.admin);
  const cases = [
    [{ permission: "READ" }, "access"],
    [{ user: "bo" }, "permission"],
    [{ user: "bo", permission: "OWNER" }, "permission"],
    [{ user: "bo", permission: "READ", appliesTo: [{ value: "nothing" }] }, "appliesTo"],
    [{ user: "bo", permission: "READ", priority: 1_000_001 }, "priority"],
  ] as const;
  for (const [document, context] of cases) {
    const answer = await api.admin(`POST /item/${item}/access`, document);
    expect([document, answer.status, answer.body.invalidInput?.context]).toEqual([document, 400, context]);
  }
  expect(
    (await api.admin(`POST /item/${item}/access`, { user: "bo", group: "guests", permission: "READ" })).status,
  ).toBe(400);
});

test("an access list is bounded", async () => {
  const item = await makeItem(api.admin);
  const access = Array.from({ length: 1001 }, () => ({ user: "bo", permission: "READ" }));
  expect((await api.admin(`POST /item/${item}/access/bulk`, { access })).status).toBe(400);
});

test("merged access tells each user's permission and where it comes from", async () => {
  const alva = api.as("alva");
  const collection = await makeCollection(alva);
  const item = await makeItem(alva);
  await alva(`PUT /collection/${collection}/${item}`);
  const entry = (await alva(`POST /collection/${collection}/access`, { group: "editors", permission: "WRITE" })).body
    .id;
  const { body } = await alva(`GET /item/${item}/merged-access`);
  expect(body.access.filter(({ username }: { readonly username: string }) => username === "bo")).toEqual([
    {
      superUser: false,
      priority: 1,
      id: entry,
      username: "bo",
      effectivePermission: "WRITE",
      grantor: "alva",
      permission: "WRITE",
      type: "GENERIC",
      group: "editors",
      collection,
    },
  ]);
  const asked = await alva(`GET /item/${item}/merged-access?username=bo&permission=READ&type=METADATA&extradata=title`);
  expect(asked.body.query).toEqual({
    username: "bo",
    permission: "READ",
    type: "METADATA",
    extradata: "title",
    item,
  });
  expect(asked.body.access[0].matches).toBe(true);
  expect((await alva(`GET /item/${item}/merged-access?username=bo`)).status).toBe(400);
  const groups = (await alva(`GET /item/${item}/merged-access/group`)).body.access;
  expect(groups).toEqual([
    {
      priority: 1,
      id: entry,
      effectivePermission: "WRITE",
      group: "editors",
      grantor: "alva",
      permission: "WRITE",
      type: "GENERIC",
      collection,
    },
  ]);
  const graph = await alva(`GET /item/${item}/access/graph/dot`, undefined, "text/vnd.graphviz");
  expect(graph.body).toContain(`"item ${item}" -> "collection ${collection}"`);
  expect(graph.body).toContain(`"collection ${collection}" -> "group editors" [label="WRITE"]`);
});

test("merged access says that administrators may do everything, entry or not", async () => {
  const item = await makeItem(api.as("alva"));
  await api.store.database.batch(
    [
      { sql: "insert or ignore into user_group (name, created) values ('_administrator', 0)" },
      {
        sql: `insert or ignore into group_user (user_id, group_id) select u.id, g.id from user u, user_group g
          where u.name = 'admin' and g.name = '_administrator'`,
      },
    ],
    "write",
  );
  const asked = `/item/${item}/merged-access?username=admin&permission=ALL&type=SHAPE`;
  const everything = { superUser: true, matches: true, username: "admin", effectivePermission: "OWNER" };
  expect((await api.admin(`GET ${asked}`)).body.access).toMatchObject([everything]);
  await api.as("alva")(`POST /item/${item}/access`, { user: "admin", permission: "NONE" });
  expect((await api.admin(`GET ${asked}`)).body.access).toMatchObject([
    everything,
    { superUser: true, priority: 2, matches: false, permission: "NONE", effectivePermission: "OWNER" },
  ]);
});

test("the content merged-access tells callers of themselves alone, by the query that they make", async () => {
  const alva = api.as("alva");
  const item = await makeItem(alva);
  const collection = await makeCollection(alva);
  for (const entity of [`item/${item}`, `collection/${collection}`]) {
    await alva(`POST /${entity}/access`, { user: "bo", permission: "READ" });
    await alva(`POST /${entity}/access`, { user: "cy", permission: "READ" });
    await alva(`POST /${entity}/access`, { user: "cy", permission: "WRITE", operation: { metadata: {} }, priority: 1 });
    const own = (await api.as("bo")(`GET /${entity}?content=merged-access`)).body["merged-access"];
    expect(own.query).toMatchObject({ username: "bo", permission: "NONE", type: "GENERIC" });
    expect(own.access).toMatchObject([{ username: "bo", effectivePermission: "READ", matches: true }]);
    const asked = `GET /${entity}?content=merged-access&mergedType=METADATA&mergedPermission=WRITE&mergedExtradata=title`;
    expect((await api.as("cy")(asked)).body["merged-access"]).toMatchObject({
      query: { username: "cy", permission: "WRITE", type: "METADATA", extradata: "title" },
      access: [
        { username: "cy", permission: "WRITE", type: "METADATA", matches: true },
        { username: "cy", permission: "READ", type: "GENERIC", matches: false },
      ],
    });
    expect((await api.as("bo")(asked)).body["merged-access"].access).toMatchObject([{ matches: false }]);
    expect((await alva(`GET /${entity}?content=merged-access&mergedType=ANY`)).body).toMatchObject({
      invalidInput: { context: "mergedType", value: "ANY" },
    });
  }
});

test("what a disabled user granted is suspended until it is enabled again; what a deleted one held is gone", async () => {
  const item = await makeItem(api.as("alva"));
  await api.as("alva")(`POST /item/${item}/access`, { user: "bo", permission: "READ" });
  const record = (entity: string, action: string, name: string, sql?: string) => {
    const change = api.store.change({ userName: "admin" });
    if (sql !== undefined) change.add({ sql, args: [name] });
    return change.record({ entity, action, entityId: name, keys: {} }).commit();
  };
  await record("user", "DISABLE", "alva", "update user set disabled = 1 where name = ?");
  expect(await status("bo", `GET /item/${item}`)).toBe(404);
  await record("user", "DISABLE", "alva", "update user set disabled = 1, access_preserved = 1 where name = ?");
  expect(await status("bo", `GET /item/${item}`)).toBe(200);
  await record("user", "ENABLE", "alva", "update user set disabled = 0, access_preserved = 0 where name = ?");
  expect(await status("bo", `GET /item/${item}`)).toBe(200);
  await record("user", "DELETE", "bo");
  expect(await status("bo", `GET /item/${item}`)).toBe(404);
  expect((await api.as("alva")(`GET /item/${item}/access`)).body.access).toHaveLength(1);
});

describe("import defaults", () => {
  test("groups get access to what a user imports", async () => {
    await api.as("alva")("PUT /import/access/group/guests?permission=READ");
    expect((await api.as("alva")("GET /import/access")).body).toEqual({
      group: [{ name: "guests", permission: "READ" }],
    });
    expect((await api.as("cy")("GET /import/access")).body).toEqual({ group: [] });
    api.events.length = 0;
    const item = await makeItem(api.as("alva"));
    expect(api.events.filter(({ entity }) => entity === "access").map(({ keys }) => keys.group)).toEqual(["guests"]);
    api.groups.set("cy", new Set(["guests"]));
    expect(await status("cy", `GET /item/${item}`)).toBe(200);
    await api.as("alva")("DELETE /import/access/group/guests");
    expect(await status("cy", `GET /item/${await makeItem(api.as("alva"))}`)).toBe(404);
    expect(await status("alva", "DELETE /import/access/group/guests")).toBe(404);
    expect(await status("alva", "PUT /import/access/group/nobody?permission=READ")).toBe(404);
  });

  test("a profile that is named takes their place, for items and for collections", async () => {
    const profile = { access: [{ user: "cy", permission: "WRITE", appliesTo: [{ value: "self" }] }] };
    const { body } = await api.as("alva")("POST /import/settings", profile);
    expect((await api.as("cy")(`GET /import/settings/${body.id}`)).body.access).toEqual([
      { ...profile.access[0], recursive: false },
    ]);
    const collection = (await api.as("alva")(`POST /collection?settings=${body.id}`)).body.id;
    expect(await status("cy", `PUT /collection/${collection}/rename?name=x`)).toBe(200);
    expect(await status("cy", `PUT /import/settings/${body.id}`, { access: [] })).toBe(403);
    expect(await status("alva", `PUT /import/settings/${body.id}`, { access: [] })).toBe(200);
    expect(
      await status("cy", `GET /collection/${(await api.as("alva")(`POST /collection?settings=${body.id}`)).body.id}`),
    ).toBe(404);
    expect(await status("alva", `DELETE /import/settings/${body.id}`)).toBe(200);
    expect(await status("alva", `POST /collection?settings=${body.id}`)).toBe(404);
  });

  test("a profile that names an owner hands over what is imported with it", async () => {
    const [bo, alva] = [api.as("bo"), api.as("alva")];
    const owner = { user: "cy", permission: "OWNER", recursive: true };
    const { body } = await bo("POST /import/settings", { access: [owner, { group: "editors", permission: "READ" }] });
    expect(body.access[0]).toMatchObject(owner);
    const { id } = (await bo(`POST /import/placeholder?settings=${body.id}`)).body;
    const { access } = (await api.as("cy")(`GET /item/${id}/access`)).body;
    expect(access).toMatchObject([
      { user: "cy", permission: "OWNER" },
      { group: "editors", permission: "READ", grantor: "cy" },
    ]);
    expect(access).toHaveLength(2);
    const metadata = (await api.as("cy")(`GET /item/${id}/metadata?field=user`)).body.item[0].metadata;
    expect(metadata.timespan[0].field[0].value[0].value).toBe("cy");
    expect(await status("bo", `DELETE /item/${id}`)).toBe(403);
    expect(await status("alva", `GET /item/${id}`)).toBe(404);
    for (const wrong of [
      [owner, { ...owner, user: "bo" }],
      [{ group: "editors", permission: "OWNER" }],
      [{ ...owner, operation: { metadata: {} } }],
    ]) {
      expect((await alva("POST /import/settings", { access: wrong })).body).toMatchObject({
        invalidInput: { context: "permission" },
      });
    }
  });
});

test("entries for all items reach those that there are, and are taken away again", async () => {
  const before = await makeItem(api.as("alva"));
  expect(await status("alva", "POST /item/access", { user: "cy", permission: "READ" })).toBe(403);
  expect((await api.admin("POST /item/access", { user: "cy", permission: "READ" })).status).toBe(200);
  expect(await status("cy", `GET /item/${before}`)).toBe(200);
  expect(await status("cy", `GET /item/${await makeItem(api.as("alva"))}`)).toBe(404);
  expect((await api.admin("DELETE /item/access")).status).toBe(200);
  expect(await status("cy", `GET /item/${before}`)).toBe(404);
  expect(await status("alva", `GET /item/${before}`)).toBe(200);
});

test("working everything out anew changes nothing", async () => {
  const classes = () =>
    api.store.query({ sql: "select s.id, c.key from access_set s join access_class c on c.id = s.class" });
  const before = await classes();
  const { createAccess } = await import("../../src/assets/access/create-access.ts");
  const access = createAccess({ store: api.store, memberOf: () => [] });
  let after: number | undefined = 0;
  while (after !== undefined) after = await access.rebuild(after, 3);
  expect(await classes()).toEqual(before);
});
