import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fetcher, startService, type TestService } from "./harness.ts";

const xml = { "content-type": "application/xml", accept: "application/xml" };
const json = { "content-type": "application/json", accept: "application/json" };

let kinora: TestService;
let carl: Fetcher;
beforeAll(async () => {
  kinora = await startService();
  const put = await kinora.admin("/API/user/carl", {
    method: "PUT",
    headers: json,
    body: JSON.stringify({ userName: "carl", password: "carls password" }),
  });
  expect(put.status).toBe(200);
  carl = kinora.as("carl", "carls password");
});
afterAll(() => kinora.close());

/** What a client of the public API does with an item, from the first request to the last. */
describe("an item, as clients use it", () => {
  it("is created, described, read in several forms and deleted", async () => {
    const field = await kinora.admin("/API/metadata-field/news_keyword", {
      method: "PUT",
      headers: xml,
      body: `<MetadataFieldDocument xmlns="http://xml.vidispine.com/schema/vidispine"><type>string</type></MetadataFieldDocument>`,
    });
    expect(field.status).toBe(200);

    const created = await kinora.admin("/API/import/placeholder?container=1", {
      method: "POST",
      headers: xml,
      body: `<MetadataDocument xmlns="http://xml.vidispine.com/schema/vidispine"><timespan start="-INF" end="+INF">
        <field><name>title</name><value>Harbour at dawn</value></field></timespan></MetadataDocument>`,
    });
    const id = /id="(VX-\d+)"/.exec(await created.text())?.[1] as string;
    expect([created.status, id]).toEqual([200, expect.stringMatching(/^VX-\d+$/)]);

    const written = await kinora.admin(`/API/item/${id}/metadata/`, {
      method: "PUT",
      headers: json,
      body: JSON.stringify({
        timespan: [
          { start: "-INF", end: "+INF", field: [{ name: "news_keyword", value: [{ value: 123, mode: "add" }] }] },
        ],
      }),
    });
    expect(written.status).toBe(200);
    const answer = (await written.json()) as { item: { id: string; metadata: { revision: string } }[] };
    expect(answer.item[0]?.id).toBe(id);
    expect(answer.item[0]?.metadata.revision.split(",").length).toBeGreaterThanOrEqual(4);

    const matrix = await kinora.admin(`/API/item/${id};field=title,news_keyword?content=metadata&terse=true`, {
      headers: json,
    });
    const terse = (await matrix.json()) as { terse: Record<string, { value: string }[]> };
    expect(terse.terse.news_keyword?.[0]?.value).toBe("123");
    expect(Object.keys(terse.terse)).toEqual(["title", "news_keyword"]);

    const unknown = await kinora.admin(`/API/item/${id}/metadata`, {
      method: "PUT",
      headers: json,
      body: JSON.stringify({ timespan: [{ field: [{ name: "news_unknown", value: [{ value: "x" }] }] }] }),
    });
    expect([unknown.status, ((await unknown.json()) as { notFound: unknown }).notFound]).toEqual([
      404,
      { type: "metadata-field", id: "news_unknown", context: null },
    ]);

    const deleted = await kinora.admin(`/API/item/${id}`, { method: "DELETE" });
    expect([deleted.status, await deleted.text()]).toEqual([200, ""]);
    const gone = await kinora.admin(`/API/item/${id}?content=metadata`, { headers: json });
    expect([gone.status, ((await gone.json()) as { notFound: { type: string } }).notFound.type]).toEqual([404, "Item"]);
  });

  it("needs a role for each thing that is done with it", async () => {
    for (const [method, path] of [
      ["POST", "/import/placeholder"],
      ["GET", "/item/VX-1"],
      ["GET", "/item/VX-1/metadata"],
      ["PUT", "/item/VX-1/metadata"],
      ["DELETE", "/item/VX-1"],
      ["GET", "/metadata-field"],
      ["PUT", "/metadata-field/a_b"],
      ["PUT", "/metadata"],
      ["GET", "/document"],
      ["GET", "/item/VX-1/relation"],
    ]) {
      const asCarl = await carl(`/API${path}`, { method: method as string, headers: json });
      expect([method, path, asCarl.status]).toEqual([method, path, 403]);
      const anonymous = await kinora.fetch(`/API${path}`, { method: method as string });
      expect([method, path, anonymous.status]).toEqual([method, path, 401]);
    }
  });

  it("belongs to its creator, and nobody else sees it until it is shared", async () => {
    for (const role of ["_import", "_item_read", "_item_write", "_metadata_read", "_metadata_write"]) {
      await kinora.admin(`/API/group/${role}/user/carl`, { method: "PUT" });
    }
    kinora.advance(6000);
    const made = await carl("/API/import/placeholder", { method: "POST", headers: json });
    const { id } = (await made.json()) as { id: string };
    expect((await carl(`/API/item/${id}/metadata`, { headers: json })).status).toBe(200);
    const other = await kinora.admin("/API/import/placeholder", { method: "POST", headers: json });
    const { id: foreign } = (await other.json()) as { id: string };
    expect((await carl(`/API/item/${foreign}`, { headers: json })).status).toBe(404);
    expect((await carl(`/API/item/${foreign}/metadata`, { method: "PUT", headers: json, body: "{}" })).status).toBe(
      404,
    );
    expect((await carl(`/API/item/${id}`, { method: "DELETE" })).status).toBe(200);
  });
});

describe("large and deep documents", () => {
  it("of 2,000 fields in groups and 1,000 languages are taken", async () => {
    await kinora.admin("/API/metadata-field/field-group/news_shot", { method: "PUT" });
    const { id } = (await (
      await kinora.admin("/API/import/placeholder", { method: "POST", headers: json })
    ).json()) as { id: string };
    const group = Array.from({ length: 2000 }, (_, index) => ({
      name: "news_shot",
      mode: "add",
      field: [{ name: "title", value: [{ value: `shot ${index}` }] }],
    }));
    const value = Array.from({ length: 1000 }, (_, index) => ({ value: `title ${index}`, lang: `x-l${index}` }));
    const body = JSON.stringify({
      timespan: [{ start: "-INF", end: "+INF", field: [{ name: "title", value }], group }],
    });
    const put = await kinora.admin(`/API/item/${id}/metadata?onlyReturnChanges=true`, {
      method: "PUT",
      headers: json,
      body,
    });
    expect(put.status).toBe(200);
    const one = await kinora.admin(`/API/item/${id}/metadata?field=title&language=x-l7&group=-news_shot`, {
      headers: json,
    });
    const read = (await one.json()) as { item: { metadata: { timespan: { field: { value: unknown[] }[] }[] } }[] };
    expect(read.item[0]?.metadata.timespan[0]?.field[0]?.value).toHaveLength(1);
  });

  it.each([
    [413, `{"timespan":[{"field":[{"name":"title","value":[{"value":"${"x".repeat(17 * 1024 * 1024)}"}]}]}]}`],
    [400, `{"timespan":${'[{"group":'.repeat(200)}[]${"}]".repeat(200)}}`],
    [400, `{"timespan":[{"start":"12:00:00","end":"+INF","field":[{"name":"title","value":[{"value":"x"}]}]}]}`],
    [400, `{"timespan":[{"fields":[]}]}`],
  ])("are refused with %i and a sentence", async (status, body) => {
    const { id } = (await (
      await kinora.admin("/API/import/placeholder", { method: "POST", headers: json })
    ).json()) as { id: string };
    const put = await kinora.admin(`/API/item/${id}/metadata`, { method: "PUT", headers: json, body });
    expect(put.status).toBe(status);
    const answer = (await put.json()) as { invalidInput: { explanation: string } };
    expect(answer.invalidInput.explanation.length).toBeGreaterThan(10);
  });
});
