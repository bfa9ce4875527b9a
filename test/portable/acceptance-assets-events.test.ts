import { afterAll, beforeAll, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { settingsWith } from "../../src/settings.ts";
import type { Database } from "../../src/store/database.ts";
import { type Client, clientOf, type Json } from "./acceptance-assets-client.ts";
import { anyId, type Operation, operations, type Recorded, silent } from "./asset-events-table.ts";
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
  await admin.json("POST /API/user", { userName: "ada", password: "a good password" });
  await admin.json("PUT /API/group/editors");
  await admin.json("PUT /API/metadata-field/news_word", { type: "string" });
  await admin.json("PUT /API/shape-tag/web", {});
  await recorded();
});
afterAll(async () => {
  await reading.close();
  await service.close();
  await database.remove();
});

let last = 0;
/** What was kept since the last call. */
async function recorded(): Promise<readonly Recorded[]> {
  const { rows } = await reading.query({
    sql: "select id, entity, action, keys from event where id > ? order by id",
    args: [last],
  });
  last = Number(rows.at(-1)?.id ?? last);
  return rows.map(({ entity, action, keys }) => [String(entity), String(action), JSON.parse(String(keys))]);
}

const known = new Map<string, string>();
/** With the names replaced by what they stand for. */
function filled<Value>(value: Value, inPath = false): Value {
  const text = JSON.stringify(value).replace(/\{([a-z]+)\}/g, (whole, name: string) => {
    const one = known.get(name) ?? whole;
    return inPath ? encodeURIComponent(one) : one;
  });
  return JSON.parse(text) as Value;
}

/** Whether an event is the one that is meant: where any identifier may stand, there is one. */
function isMeant([entity, action, keys]: Recorded, [wantedEntity, wantedAction, wantedKeys]: Recorded): boolean {
  const plain = Object.fromEntries(
    Object.entries(keys).map(([key, value]) => [
      key,
      wantedKeys[key] === anyId && /^VX-\d+$/.test(String(value)) ? anyId : value,
    ]),
  );
  return entity === wantedEntity && action === wantedAction && isSame(plain, wantedKeys);
}

function isSame(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const sorted = (keys: object) => JSON.stringify(Object.entries(keys).sort());
  return sorted(a) === sorted(b);
}

function partAt(document: Json, path: string): string {
  return path.split(".").reduce((part, name) => part?.[name], document);
}

function bodyOf(body: Operation["body"]) {
  if (body === undefined) return {};
  if (typeof body === "string") return { type: "text/plain", body };
  return { type: "application/json", body: JSON.stringify(filled(body)) };
}

async function expectRecords({ sends, body, keeps = {}, records, refused = false }: Operation): Promise<void> {
  const [method = "", path = ""] = sends.split(" ");
  const accepts = path.includes("/folder-name") || path.includes("/shape/placeholder") ? "*/*" : "application/json";
  const answer = await admin.send(`${method} /API${filled(path, true)}`, {
    accept: accepts,
    ...bodyOf(body),
  });
  for (const [name, at] of Object.entries(keeps)) known.set(name, partAt(answer.json, at));
  expect([sends, answer.status >= 400, answer.text]).toEqual([sends, refused, answer.text]);
  const events = [...(await recorded())];
  const missing = filled(records).filter((wanted) => {
    const at = events.findIndex((event) => isMeant(event, wanted));
    if (at >= 0) events.splice(at, 1);
    return at < 0;
  });
  expect({ sends, missing, unexpected: events }).toEqual({ sends, missing: [], unexpected: [] });
}

test("every change of assets is kept with the keys of the specification, in the batch of the change [spec: event-item-create] [spec: event-item-modify] [spec: event-item-delete] [spec: event-access] [spec: event-shape] [spec: event-collection] [spec: event-collection-metadata] [spec: event-collection-modify]", async () => {
  for (const operation of operations) await expectRecords(operation);
});

/** The route of a request: of those that match, that with the fewest names. */
function routeOf(request: string): string | undefined {
  const [target = ""] = request.split("?");
  const names = (path: string) => path.split("{").length;
  return service.routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => {
      const pattern = route.replace(/\{\w+\.\.\.\}/g, ".+").replace(/\{\w+\}/g, "[^/]+");
      return new RegExp(`^${pattern}$`).test(target);
    })
    .sort((a, b) => names(a) - names(b))[0];
}

test("the table of events has every route that changes assets", () => {
  const inTable = new Set(operations.map(({ sends }) => routeOf(sends)));
  const isAsset =
    /^\w+ \/(item|collection|library|import|shape-tag|metadata|document|file|storage|relation|thumbnail|poster|external-id|deletion-lock|search|reindex|site)/;
  const missing = service.routes
    .filter(({ method, summary }) => method !== "GET" && !summary.startsWith("Planned with"))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => isAsset.test(route) && !inTable.has(route) && !silent.some((pattern) => pattern.test(route)));
  expect(missing).toEqual([]);
});
