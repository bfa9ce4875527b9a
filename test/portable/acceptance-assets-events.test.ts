import { afterAll, beforeAll, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { settingsWith } from "../../src/settings.ts";
import type { Database } from "../../src/store/database.ts";
import { type Client, clientOf, metadataJson } from "./acceptance-assets-client.ts";
import { makeDatabase, type TestDatabase } from "./database.ts";
import { adminPassword, basic } from "./harness.ts";

let database: TestDatabase;
let reading: Database;
let service: Service;
let admin: Client;
beforeAll(async () => {
  database = await makeDatabase();
  service = await createService({
    ...settingsWith({ adminPassword, extDir: "no-such-folder" }),
    database: await database.open(),
    ticking: false,
    securityIni: defaultSecurityIni,
  });
  reading = await database.open();
  const authorization = basic("admin", adminPassword);
  admin = clientOf(async (path, init = {}) =>
    service.fetch(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { authorization, ...Object.fromEntries(new Headers(init.headers)) },
      }),
      { remoteAddress: "192.0.2.1", rawTarget: path },
    ),
  );
});
afterAll(async () => {
  await reading.close();
  await service.close();
  await database.remove();
});

let last = 0;
/** What was kept since the last call: entity, action and keys. */
async function recorded(): Promise<readonly (readonly [string, string, unknown])[]> {
  const { rows } = await reading.query({
    sql: "select id, entity, action, keys from event where id > ? order by id",
    args: [last],
  });
  last = Number(rows.at(-1)?.id ?? last);
  return rows.map(({ entity, action, keys }) => [String(entity), String(action), JSON.parse(String(keys))]);
}

test("every change of assets is kept with the keys of the specification, in the batch of the change [spec: event-item-create] [spec: event-item-modify] [spec: event-item-delete] [spec: event-access] [spec: event-shape] [spec: event-collection] [spec: event-collection-metadata] [spec: event-collection-modify]", async () => {
  await recorded();
  const item = (await admin.json("POST /API/import/placeholder", metadataJson({ title: "Harbour" }))).json.id;
  const made = await recorded();
  expect(made).toContainEqual(["item", "CREATE", { itemId: item, action: "CREATE" }]);
  expect(made.filter(([entity]) => entity === "metadata")).toEqual([
    ["metadata", "MODIFY", { itemId: item, changeSetId: expect.stringMatching(/^VX-\d+$/), title: "Harbour" }],
  ]);

  await admin.json(`PUT /API/item/${item}/metadata`, metadataJson({ title: "Two" }));
  expect(await recorded()).toEqual([
    ["metadata", "MODIFY", { itemId: item, changeSetId: expect.stringMatching(/^VX-\d+$/), title: "Two" }],
  ]);
  expect((await admin.json(`PUT /API/item/${item}/metadata`, metadataJson({ none_such: "x" }))).status).toBe(404);
  expect(await recorded()).toEqual([]);

  const entry = (await admin.json(`POST /API/item/${item}/access`, { user: "admin", permission: "READ" })).json.id;
  const access = { notificationType: "access", itemId: item, accessId: entry, permission: "READ", user: "admin" };
  expect(await recorded()).toEqual([["access", "CREATE", { ...access, notificationTrigger: "CREATE" }]]);
  await admin.json(`DELETE /API/item/${item}/access/${entry}`);
  expect(await recorded()).toEqual([["access", "DELETE", { ...access, notificationTrigger: "DELETE" }]]);

  const shape = (await admin.json(`POST /API/item/${item}/shape/create?tag=original`, {})).json.id;
  const ofShape = { notificationType: "shape", itemId: item, shapeId: shape };
  const shapes = async () => (await recorded()).filter(([entity]) => entity === "shape");
  expect(await shapes()).toEqual([["shape", "CREATE", { ...ofShape, notificationTrigger: "CREATE" }]]);
  await admin.json(`PUT /API/item/${item}/shape/${shape}/metadata`, { field: [{ key: "a", value: "b" }] });
  expect(await shapes()).toEqual([["shape", "MODIFY", { ...ofShape, notificationTrigger: "MODIFY" }]]);
  await admin.json(`DELETE /API/item/${item}/shape/${shape}`);
  expect(await shapes()).toEqual([["shape", "DELETE", { ...ofShape, notificationTrigger: "DELETE" }]]);

  const collection = (await admin.json("POST /API/collection?name=Rushes")).json.id;
  expect(await recorded()).toContainEqual(["collection", "CREATE", { collectionId: collection, action: "CREATE" }]);
  await admin.json(`PUT /API/collection/${collection}/metadata`, metadataJson({ title: "Two" }));
  expect(await recorded()).toEqual([
    [
      "collection-metadata",
      "MODIFY",
      { collectionId: collection, changeSetId: expect.stringMatching(/^VX-\d+$/), title: "Two" },
    ],
  ]);
  await admin.json(`PUT /API/collection/${collection}/${item}`);
  const content = { notificationType: "collection", notificationTrigger: "MODIFY", collectionId: collection };
  expect(await recorded()).toEqual([["collection", "MODIFY", content]]);
  await admin.json(`DELETE /API/collection/${collection}`);
  expect(await recorded()).toContainEqual(["collection", "DELETE", { collectionId: collection, action: "DELETE" }]);

  await admin.json(`DELETE /API/item/${item}`);
  expect(await recorded()).toContainEqual(["item", "DELETE", { itemId: item, action: "DELETE" }]);
});
