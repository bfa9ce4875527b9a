// What access entries have to do with users and groups that come and go, and in whose name changes are on record.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { type Client, clientOf, type Json } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

const password = "a good password";

let kinora: TestService;
let database: Database;
let admin: Client;
beforeAll(async () => {
  kinora = await startService({
    watched: (opened) => {
      database = opened;
      return opened;
    },
  });
  admin = clientOf(kinora.admin);
});
afterAll(() => kinora.close());

let names = 0;
async function newName(kind: "user" | "group", groups: readonly string[] = []): Promise<string> {
  names += 1;
  const name = `${kind}${names}`;
  const groupList = { group: groups.map((groupName) => ({ groupName })) };
  const user = { userName: name, password, groupList };
  const made = kind === "user" ? await admin.json("POST /API/user", user) : await admin.json(`PUT /API/group/${name}`);
  expect(made.status).toBe(200);
  return name;
}

const makeItem = async (): Promise<string> => (await admin.json("POST /API/import/placeholder")).json.id;

/** The events behind the last call: entity, action, keys, and who is on record. */
async function recorded(): Promise<readonly Json[]> {
  const { rows } = await database.query({
    sql: "select id, entity, action, keys, actor, run_as from event where id > ? order by id",
    args: [seen],
  });
  seen = Number(rows.at(-1)?.id ?? seen);
  return rows.map(({ entity, action, keys, actor, run_as }) => [
    entity,
    action,
    JSON.parse(String(keys)),
    actor,
    run_as,
  ]);
}
let seen = 0;

const remove = {
  user: (name: string) => admin.json(`DELETE /API/user/${name}?hard=true`),
  group: (name: string) => admin.json(`DELETE /API/group/${name}`),
};

describe.each(["user", "group"] as const)("the access entries of a %s that is deleted", (kind) => {
  test("go with it, each announced as one that is removed [spec: event-access]", async () => {
    const [name, other] = [await newName(kind), await newName(kind)];
    const item = await makeItem();
    const collection = (await admin.json("POST /API/collection?name=Rushes")).json.id;
    const library = (await admin.json("POST /API/library", { item: [{ id: item }] })).json.uri[0];
    const entities = [
      ["access", "itemId", item, `item/${item}`],
      ["collection-access", "collectionId", collection, `collection/${collection}`],
      ["library-access", "libraryId", library, `library/${encodeURIComponent(library)}`],
    ] as const;
    const expected: Json[] = [];
    for (const [entity, idKey, id, path] of entities) {
      for (const [who, permission] of [
        [name, "READ"],
        [other, "READ"],
        [name, "NONE"],
      ] as const) {
        const made = await admin.json(`POST /API/${path}/access`, { [kind]: who, permission });
        expect(made.status).toBe(200);
        if (who !== name) continue;
        const keys = { [idKey]: id, accessId: made.json.id, permission, [kind]: name };
        const trigger = { notificationType: "access", notificationTrigger: "DELETE" };
        expected.push([entity, "DELETE", { ...trigger, ...keys }, "admin", null]);
      }
    }
    await recorded();
    expect((await remove[kind](name)).status).toBe(200);
    const events = await recorded();
    const ofAccess = events.filter(([entity]) => String(entity).endsWith("access"));
    expect(ofAccess).toHaveLength(6);
    expect(ofAccess).toEqual(expect.arrayContaining(expected));
    expect(events.filter(([entity, action]) => entity === kind && action === "DELETE")).toHaveLength(1);

    for (const [, , , path] of entities) {
      const { access } = (await admin.json(`GET /API/${path}/access`)).json;
      const left = access.map((one: Json) => one[kind]).filter((one: Json) => one === name || one === other);
      expect(left).toEqual([other]);
    }
    await kinora.service.tick();
    expect(await recorded()).toEqual([]);
  });

  test("are announced in the background where they are many, each once", async () => {
    const name = await newName(kind);
    const item = await makeItem();
    const access = Array.from({ length: 750 }, () => ({ [kind]: name, permission: "READ" }));
    const made = await admin.json(`POST /API/item/${item}/access/bulk`, { access });
    expect([made.status, made.json.access.length]).toEqual([200, 750]);
    const ids = made.json.access.map((one: Json) => one.id);
    await recorded();
    expect((await remove[kind](name)).status).toBe(200);
    expect((await admin.json(`GET /API/item/${item}/access`)).json.access, "nobody has them").toHaveLength(1);
    const told = async () =>
      (await recorded())
        .filter(([entity, action, , actor]) => entity === "access" && action === "DELETE" && actor === "admin")
        .map(([, , keys]) => keys.accessId);
    const atOnce = await told();
    await kinora.service.tick();
    const later = await told();
    await kinora.service.tick();
    expect([atOnce.length, later.length, (await told()).length]).toEqual([500, 250, 0]);
    expect([...atOnce, ...later].sort()).toEqual([...ids].sort());
  });

  test("are not those of another of its name", async () => {
    const name = await newName(kind);
    const item = await makeItem();
    await admin.json(`POST /API/item/${item}/access`, { [kind]: name, permission: "READ" });
    await remove[kind](name);
    if (kind === "user") await admin.json("POST /API/user", { userName: name, password });
    else await admin.json(`PUT /API/group/${name}`);
    const granted = await admin.json(`POST /API/item/${item}/access`, { [kind]: name, permission: "WRITE" });
    const { access } = (await admin.json(`GET /API/item/${item}/access`)).json;
    expect(access.filter((one: Json) => one[kind] === name).map((one: Json) => one.id)).toEqual([granted.json.id]);
  });
});

describe("access entries of fields and field groups", () => {
  test.each(["news_secret", "field-group/news_shot"])("of %s name users, groups and roles that exist", async (path) => {
    await admin.json("PUT /API/metadata-field/news_secret", { type: "string" });
    await admin.json("PUT /API/metadata-field/field-group/news_shot");
    const [user, group] = [await newName("user"), await newName("group")];
    const item = await makeItem();
    const add = async (at: string, entry: object) => {
      const { status, json } = await admin.json(`POST /API/${at}/access`, { ...entry, permission: "READ" });
      return [status, json.notFound];
    };
    for (const entry of [{ user: "nobody" }, { group: "nobodies" }, { user: group }, { group: user }]) {
      const refused = await add(`metadata-field/${path}`, entry);
      expect(refused[0]).toBe(404);
      expect(refused, "as of an item").toEqual(await add(`item/${item}`, entry));
    }
    const list = async () => (await admin.json(`GET /API/metadata-field/${path}/access`)).json.access ?? [];
    expect(await list()).toEqual([]);
    for (const entry of [{ user }, { group }, { group: "_item_read" }, {}]) {
      expect((await add(`metadata-field/${path}`, entry))[0]).toBe(200);
    }
    expect(await list()).toHaveLength(4);
  });
});

describe("behind RunAs both names are on record", () => {
  const roles = ["_item_read", "_library_read", "_library_write"];
  const runAs = async (named: string, request: string, body: object) =>
    admin.send(request, {
      accept: "application/json",
      type: "application/json",
      body: JSON.stringify(body),
      headers: { RunAs: named },
    });

  test("of a library that a search makes, with the change itself", async () => {
    const named = await newName("user", roles);
    const answer = await runAs(named, "PUT /API/item?result=library", {});
    expect(answer.status).toBe(200);
    const { rows } = await database.query({
      sql: "select user_name, run_as, method from audit where path = '/item' and run_as = ?",
      args: [named],
    });
    expect(
      rows.map((row) => [row.user_name, row.run_as, row.method]),
      "before any tick",
    ).toEqual([["admin", named, "PUT"]]);
    const library = (await admin.json(`GET /API/library/${encodeURIComponent(answer.json.library)}/access`)).json;
    expect(library.access).toMatchObject([{ user: named, permission: "OWNER" }]);
  });

  test("of the entries that all items get and lose", async () => {
    const named = await newName("user", ["_administrator"]);
    await makeItem();
    await recorded();
    await runAs(named, "POST /API/item/access", { user: named, permission: "READ" });
    await admin.send("DELETE /API/item/access", { headers: { RunAs: named } });
    const events = (await recorded()).filter(([entity]) => entity === "access");
    expect(new Set(events.map(([, action, , ...who]) => [action, ...who].join(" ")))).toEqual(
      new Set([`CREATE admin ${named}`, `DELETE admin ${named}`]),
    );
  });
});
