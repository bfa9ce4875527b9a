import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import { migrate } from "../../src/store/migration.ts";
import { migrations } from "../../src/store/migrations/index.ts";
import { makeDatabase } from "./database.ts";
import { type MediaApi, openMediaApi } from "./media-api.ts";

async function openWithNamespaces(): Promise<MediaApi> {
  const api = await openMediaApi();
  await api.admin("PUT /external-id/house", { body: { pattern: "H-[0-9]+", priority: 10 } });
  await api.admin("PUT /external-id/any", { body: { pattern: ".*", priority: 20 } });
  return api;
}

describe("namespaces of external identifiers", () => {
  test("are listed by priority, changed and deleted with their identifiers", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    expect((await admin("GET /external-id")).body).toEqual({ namespace: [] });
    const wrongRoot = "<ExternalIdentifierNamespace><pattern>[a-z]+</pattern></ExternalIdentifierNamespace>";
    expect((await admin("PUT /external-id/letters", { body: wrongRoot, type: "application/xml" })).status).toBe(200);
    await admin("PUT /external-id/first", { body: { pattern: "a.*", priority: -1 } });
    expect((await admin("GET /external-id")).body.namespace).toEqual([
      { name: "first", pattern: "a.*", priority: -1 },
      { name: "letters", pattern: "[a-z]+", priority: 0 },
    ]);
    const item = await api.item();
    await admin(`PUT /item/${item}/external-id/abc`);
    await admin(`PUT /item/${item}/external-id/bcd`);
    expect((await admin(`GET /item/${item}/external-id`)).body.id).toEqual([
      { entityId: item, entityType: "item", namespace: "first", externalId: "abc" },
      { entityId: item, entityType: "item", namespace: "letters", externalId: "bcd" },
    ]);
    expect((await admin("DELETE /external-id/first")).status).toBe(200);
    expect((await admin(`GET /item/${item}/external-id`)).body.id).toHaveLength(1);
    expect((await admin("DELETE /external-id/first")).body).toMatchObject({
      notFound: { type: "external-id-namespace", id: "first" },
    });
    expect((await admin("PUT /external-id/letters", { body: { pattern: "(" } })).status).toBe(400);
    expect((await admin("PUT /external-id/letters", { body: { name: "other", pattern: "a" } })).status).toBe(400);
    expect((await api.as("ada", "_external_id_write")("DELETE /external-id/letters")).status).toBe(403);
  });

  test("take a pattern that would make other matchers run for years", async () => {
    const api = await openMediaApi();
    await api.admin("PUT /external-id/evil", { body: { pattern: "(a+)+b" } });
    const item = await api.item();
    expect((await api.admin(`PUT /item/${item}/external-id/${"a".repeat(255)}`)).status).toBe(400);
    expect((await api.admin(`PUT /item/${item}/external-id/${"a".repeat(200)}b`)).status).toBe(200);
  });
});

describe("an external identifier", () => {
  test("stands in place of the id in the paths of its type", async () => {
    const api = await openWithNamespaces();
    const { admin } = api;
    const item = await api.item();
    await admin(`PUT /item/${item}/external-id/H-1`);
    const collection = await api.collection("Rushes");
    await admin(`PUT /collection/${collection}/external-id/reel%2F9`);
    const shape = (await admin(`POST /item/H-1/shape/create`)).body.id;
    await admin(`PUT /item/H-1/shape/${shape}/external-id/the%20shape`);
    const file = await api.file("a.mp4");
    await admin(`PUT /file/${file}/external-id/f`);
    expect((await admin("GET /item/H-1?content=external")).body).toEqual({
      id: item,
      externalId: [{ entityId: item, entityType: "item", namespace: "house", externalId: "H-1" }],
    });
    expect((await admin("GET /collection/reel%2F9?content=external")).body.externalId).toEqual([
      { entityId: collection, entityType: "collection", namespace: "any", externalId: "reel/9" },
    ]);
    expect((await admin("GET /item/H-1/metadata")).body.item[0].id).toBe(item);
    expect((await admin("GET /item/H-1/shape/the%20shape")).body.id).toBe(shape);
    expect((await admin("GET /storage/file/f")).body.id).toBe(file);
    expect((await admin("PUT /collection/reel%2F9/H-1?type=item")).status).toBe(200);
    expect((await admin("GET /collection/reel%2F9/item")).body.item).toMatchObject([{ id: item }]);
    expect((await admin("GET /collection/H-1")).status, "of another type").toBe(404);
    const found = await admin("PUT /item", { body: { field: [{ name: "__externalId", value: [{ value: "H-1" }] }] } });
    expect(found.body.item).toMatchObject([{ id: item }]);
  });

  test("stands in place of the names of fields and field groups, and goes with them", async () => {
    const api = await openWithNamespaces();
    const { admin } = api;
    await admin("PUT /metadata-field/news_title", { body: { type: "string" } });
    for (const group of ["Asset", "Part"]) await admin(`PUT /metadata-field/field-group/${group}`);
    await admin("PUT /metadata-field/news_title/external-id/H-1");
    await admin("PUT /metadata-field/field-group/Asset/external-id/H-1");
    await admin("PUT /metadata-field/field-group/Part/external-id/H-2");
    expect((await admin("GET /metadata-field/H-1")).body).toMatchObject({ name: "news_title" });
    expect((await admin("PUT /metadata-field/H-1", { body: { type: "string", defaultValue: "x" } })).status).toBe(200);
    expect((await admin("GET /metadata-field/news_title")).body).toMatchObject({ defaultValue: "x" });
    expect((await admin("GET /metadata-field/H-1/values")).status).toBe(200);
    const entry = { user: "ada", permission: "READ" };
    expect((await admin("POST /metadata-field/H-1/access", { body: entry })).body).toMatchObject({
      field: "news_title",
    });
    expect((await admin("PUT /metadata-field/field-group/H-1/H-1")).status).toBe(200);
    expect((await admin("PUT /metadata-field/field-group/H-1/group/H-2")).status).toBe(200);
    expect((await admin("GET /metadata-field/field-group/H-1?content=true")).body).toMatchObject({
      name: "Asset",
      field: [{ name: "news_title" }],
      group: [{ name: "Part" }],
    });
    expect((await admin("GET /metadata-field/H-3")).body).toMatchObject({ notFound: { type: "namespace", id: "H-3" } });
    expect((await admin("DELETE /metadata-field/field-group/H-1")).status).toBe(200);
    expect((await admin("DELETE /metadata-field/H-1")).status).toBe(200);
    expect((await admin("GET /metadata-field/field-group/H-1")).status).toBe(404);
    expect((await admin("PUT /metadata-field/field-group/Part/external-id/H-1")).status, "free again").toBe(200);
  });

  test("belongs to one entity of a type, and may belong to one of another [spec: external-identifiers-unique]", async () => {
    const api = await openWithNamespaces();
    const { admin } = api;
    const [one, two] = [await api.item(), await api.item()];
    const collection = await api.collection("Rushes");
    expect((await admin(`PUT /item/${one}/external-id/x`)).status).toBe(200);
    expect((await admin(`PUT /item/${one}/external-id/x`)).status, "again").toBe(200);
    const taken = await admin(`PUT /item/${two}/external-id/x`);
    expect([taken.status, taken.body.conflict.value]).toEqual([409, "x"]);
    expect((await admin(`PUT /collection/${collection}/external-id/x`)).status).toBe(200);
    await admin(`DELETE /item/${one}`);
    expect((await admin(`PUT /item/${two}/external-id/x`)).status, "the item is deleted").toBe(200);
    expect((await admin("DELETE /external-id/id/x")).status).toBe(200);
    expect((await admin("GET /item/x")).status).toBe(404);
    expect((await admin("GET /collection/x")).status).toBe(404);
    expect((await admin("DELETE /external-id/id/x")).status).toBe(404);
  });

  test("is taken away by all the paths that there are for it [spec: delete-external-identifier]", async () => {
    const api = await openWithNamespaces();
    const { admin } = api;
    const item = await api.item();
    const collection = await api.collection("Rushes");
    const [library] = (await admin("POST /library", { body: { item: [{ id: item }] } })).body.uri;
    await admin("PUT /metadata-field/news_title", { body: { type: "string" } });
    const file = await api.file("a.mp4");
    for (const path of [
      `/item/${item}`,
      `/collection/${collection}`,
      `/library/${encodeURIComponent(library)}`,
      "/metadata-field/news_title",
      `/file/${file}`,
    ]) {
      const list = async () => (await admin(`GET ${path}/external-id`)).body.id.length;
      for (const identifier of ["", "/external-id", ...(path === "/metadata-field/news_title" ? [] : ["/id"])]) {
        expect((await admin(`PUT ${path}/external-id/H-7`)).status, path).toBe(200);
        expect(await list(), path).toBe(1);
        expect((await admin(`DELETE ${path}${identifier}/H-7`)).status, `${path}${identifier}`).toBe(200);
        expect(await list(), `${path}${identifier}`).toBe(0);
      }
      expect((await admin(`DELETE ${path}/external-id/H-7`)).status, path).toBe(404);
    }
    await admin(`PUT /item/${item}/external-id/a`);
    await admin(`PUT /item/${item}/external-id/b`);
    expect((await admin(`DELETE /item/${item}/external-id`)).status).toBe(200);
    expect((await admin(`GET /item/${item}/external-id`)).body).toEqual({ id: [] });
    expect((await admin(`DELETE /item/${item}/a`)).body).toMatchObject({ notFound: { type: "external-id", id: "a" } });
  });

  test.each(["VX-12", "VX*3", ".", "x".repeat(256), "tab%09"])("cannot be %s", async (identifier) => {
    const api = await openWithNamespaces();
    const item = await api.item();
    expect((await api.admin(`PUT /item/${item}/external-id/${identifier}`).catch(() => ({ status: 400 }))).status).toBe(
      400,
    );
  });

  test("needs a namespace whose pattern matches the whole of it", async () => {
    const api = await openMediaApi();
    await api.admin("PUT /external-id/house", { body: { pattern: "H-[0-9]+" } });
    const item = await api.item();
    expect((await api.admin(`PUT /item/${item}/external-id/H-1a`)).status).toBe(400);
    expect((await api.admin(`PUT /item/${item}/external-id/H-1`)).status).toBe(200);
  });

  test("is given by those who may write the entity", async () => {
    const api = await openWithNamespaces();
    const item = await api.item();
    const ada = api.as("ada", "_external_id_write", "_external_id_read");
    expect((await ada(`PUT /item/${item}/external-id/x`)).status).toBe(404);
    await api.admin(`POST /item/${item}/access`, { body: { user: "ada", permission: "READ" } });
    expect((await ada(`PUT /item/${item}/external-id/x`)).status).toBe(403);
    expect((await ada(`GET /item/${item}/external-id`)).status).toBe(200);
  });
});

test("whoever writes at the same time, each identifier belongs to one item, and what is found agrees", async () => {
  const api = await openWithNamespaces();
  const senders = [api.admin, await api.onAnother()];
  const items = [await api.item(), await api.item(), await api.item()];
  const step = fc.record({
    sender: fc.nat(1),
    item: fc.nat(2),
    value: fc.constantFrom("a", "b", "c"),
    gives: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), async (rounds) => {
      for (const round of rounds) {
        const answers = await Promise.all(
          round.map(({ sender, item, value, gives }) =>
            (senders[sender] as MediaApi["admin"])(
              `${gives ? "PUT" : "DELETE"} /item/${items[item]}/external-id/${value}`,
            ),
          ),
        );
        for (const { status } of answers) expect([200, 404, 409]).toContain(status);
      }
      const rows = await api.store.query({ sql: "select value, entity from external_id where type = 'item'" });
      expect(new Set(rows.map(({ value }) => value)).size).toBe(rows.length);
      for (const item of items) {
        const own = rows.filter(({ entity }) => `VX-${entity}` === item).map(({ value }) => String(value));
        const { body } = await api.admin(`GET /item/${item}/metadata?terse=true&field=__externalId`);
        const shown = (body.item[0].__externalId ?? []).map(({ value }: { value: string }) => value);
        expect([...shown].sort()).toEqual([...own].sort());
      }
    }),
    { numRuns: 15 },
  );
});

describe("the migration that makes external identifiers unique", () => {
  async function olderDatabase() {
    const made = await makeDatabase();
    const database = await made.open();
    onTestFinished(async () => {
      await database.close();
      await made.remove();
    });
    await migrate(database, { migrations: migrations.filter(({ id }) => id < 9) });
    await database.batch(
      [
        {
          sql: "insert into external_id_namespace (id, name, pattern, priority) values (1, 'a', '.*', 1), (2, 'b', '.*', 2)",
        },
        {
          sql: `insert into external_id (type, value, namespace, entity) values
            ('item', 'tape 1', 1, 3), ('item', 'tape 1', 2, 4), ('item', 'tape 2', 1, 3), ('collection', 'tape 2', 1, 3)`,
        },
      ],
      "write",
    );
    return database;
  }

  test("lists duplicates and refuses to go on until they are removed [spec: external-identifiers-unique]", async () => {
    const database = await olderDatabase();
    const refused = await migrate(database).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(KinoraError);
    const { message } = refused as KinoraError;
    expect(message).toContain("1 are not");
    expect(message).toContain("DELETE /{type}/{id}/{identifier}");
    expect(message).toContain("item\ttape 1\tnumber 3\tnamespace a");
    expect(message).toContain("item\ttape 1\tnumber 4\tnamespace b");
    expect(message).not.toContain("tape 2\t");
    await expect(migrate(database, { dryRun: true })).rejects.toThrow("tape 1");
    expect((await database.query({ sql: "select 1 from external_id" })).rows).toHaveLength(4);
    await database.batch([{ sql: "insert into external_id values ('item', 'tape 2', 2, 9)" }], "write");

    await database.batch([{ sql: "delete from external_id where namespace = 2" }], "write");
    expect((await migrate(database)).steps.map(({ id }) => id)).toContain(9);
    expect((await database.query({ sql: "select 1 from external_id" })).rows).toHaveLength(3);
    const twice = { sql: "insert into external_id (type, value, namespace, entity) values ('item', 'tape 1', 2, 5)" };
    await expect(database.batch([twice], "write")).rejects.toThrow();
  });
});
