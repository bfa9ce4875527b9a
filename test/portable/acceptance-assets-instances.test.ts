import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { settingsWith } from "../../src/settings.ts";
import {
  type Client,
  clientOf,
  type Json,
  metadataJson,
  newUser,
  userPassword,
  valuesOf,
} from "./acceptance-assets-client.ts";
import { makeDatabase, type TestDatabase } from "./database.ts";
import { adminPassword, basic } from "./harness.ts";

let database: TestDatabase;
let services: readonly Service[] = [];
let one: Client;
let two: Client;
let now = Date.UTC(2026, 0, 1);
beforeAll(async () => {
  database = await makeDatabase();
  const start = async () =>
    createService({
      ...settingsWith({ adminPassword, extDir: "no-such-folder" }),
      database: await database.open(),
      now: () => now,
      ticking: false,
      securityIni: defaultSecurityIni,
    });
  services = [await start(), await start()];
  [one, two] = services.map(clientAt) as [Client, Client];
  for (const name of ["news_keyword", "news_a", "news_b"]) {
    expect((await one.json(`PUT /API/metadata-field/${name}`, { type: "string-exact" })).status).toBe(200);
  }
  // What one instance knows of definitions and users is at most five seconds old.
  now += 6000;
});
afterAll(async () => {
  for (const service of services) await service.close();
  await database.remove();
});

function clientAt(service: Service): Client {
  const authorization = basic("admin", adminPassword);
  return clientOf(async (path, init = {}) =>
    service.fetch(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { authorization, ...Object.fromEntries(new Headers(init.headers)) },
      }),
      { remoteAddress: "192.0.2.1", rawTarget: path },
    ),
  );
}

const added = (value: string) => ({
  timespan: [{ start: "-INF", end: "+INF", field: [{ name: "news_keyword", value: [{ value, mode: "add" }] }] }],
});

describe("two instances on one database", () => {
  test("give each entity an identifier of its own", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).json("POST /API/import/placeholder", {})),
    );
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(20);
  });

  test("lose no value that both add to one item at once", async () => {
    const { id } = (await one.json("POST /API/import/placeholder", {})).json;
    const words = Array.from({ length: 12 }, (_, index) => `word${index}`);
    const answers = await Promise.all(
      words.map((word, index) => (index % 2 ? one : two).json(`PUT /API/item/${id}/metadata`, added(word))),
    );
    expect(answers.map(({ status }) => status)).toEqual(words.map(() => 200));
    const seen = (await two.json(`GET /API/item/${id}/metadata`)).json.item[0].metadata;
    expect([...valuesOf(seen, "news_keyword")].sort()).toEqual([...words].sort());
    const found = await one.json("PUT /API/item", {
      operator: { operation: "AND", field: words.map((value) => ({ name: "news_keyword", value: [{ value }] })) },
    });
    expect(found.json.item.map((item: Json) => item.id)).toEqual([id]);
  });

  test("let one of two writers with the same revision through", async () => {
    const { id } = (await one.json("POST /API/import/placeholder", metadataJson({ title: "x" }))).json;
    const { revision } = (await two.json(`GET /API/item/${id}/metadata`)).json.item[0].metadata;
    const answers = await Promise.all(
      [one, two].map((client, index) =>
        client.json(`PUT /API/item/${id}/metadata?revision=${revision}`, metadataJson({ title: `by ${index}` })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("find on one what was just written on the other, and no longer what was just deleted", async () => {
    const { id } = (await one.json("POST /API/import/placeholder", metadataJson({ title: "zeppelin" }))).json;
    const find = async () => (await two.json("PUT /API/item", { text: [{ value: "zeppelin" }] })).json.hits;
    expect(await find()).toBe(1);
    await one.json(`DELETE /API/item/${id}`);
    expect([await find(), (await two.json(`GET /API/item/${id}`)).status]).toEqual([0, 404]);
  });

  test("keep every member of a collection that both fill, and no cycle", async () => {
    const { id } = (await one.json("POST /API/collection?name=Both")).json;
    const other = (await two.json("POST /API/collection?name=Other")).json.id;
    const items = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        return (await (index % 2 ? one : two).json("POST /API/import/placeholder", {})).json.id as string;
      }),
    );
    const put = await Promise.all(
      items.map((item, index) => (index % 2 ? one : two).json(`PUT /API/collection/${id}/${item}`)),
    );
    expect(put.map(({ status }) => status)).toEqual(items.map(() => 200));
    const { json } = await two.json(`GET /API/collection/${id}`);
    expect(json.content.map((content: Json) => content.id).sort()).toEqual([...items].sort());
    const crossed = await Promise.all([
      one.json(`PUT /API/collection/${id}/${other}?type=collection`),
      two.json(`PUT /API/collection/${other}/${id}?type=collection`),
    ]);
    expect(crossed.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("close an item on both as soon as its grant is gone", async () => {
    const { id } = (await one.json("POST /API/import/placeholder", metadataJson({ title: "airship" }))).json;
    await newUser(one, "ada", ["_item_read", "_metadata_read"]);
    const ada = clientOf(async (path, init = {}) =>
      (services[1] as Service).fetch(
        new Request(`http://localhost${path}`, {
          ...init,
          headers: {
            authorization: basic("ada", userPassword),
            ...Object.fromEntries(new Headers(init.headers)),
          },
        }),
        { remoteAddress: "192.0.2.1", rawTarget: path },
      ),
    );
    const sees = async () => {
      const search = await ada.json("PUT /API/item", { text: [{ value: "airship" }] });
      return [search.json.hits, (await ada.json(`GET /API/item/${id}`)).status];
    };
    expect(await sees()).toEqual([0, 404]);
    const entry = (await one.json(`POST /API/item/${id}/access`, { user: "ada", permission: "READ" })).json.id;
    expect(await sees()).toEqual([1, 200]);
    await one.json(`DELETE /API/item/${id}/access/${entry}`);
    expect(await sees()).toEqual([0, 404]);
  });
});
