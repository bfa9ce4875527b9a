import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
  type Element,
  metadataJson,
  metadataXml,
  namesIn,
  textAt,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
const ids: string[] = [];
let collection = "";
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  await admin.json("PUT /API/metadata-field/news_program", { type: "string-exact" });
  await admin.json("PUT /API/metadata-field/news_length", { type: "integer-sortable" });
  for (let index = 1; index <= 5; index++) {
    kinora.advance(1000);
    const fields = {
      title: `Harbour ${index}`,
      news_program: index % 2 === 1 ? "Odd" : "Even",
      news_length: `${index}`,
    };
    ids.push((await admin.xml("POST /API/import/placeholder", metadataXml(fields))).xml.attributes.id ?? "");
  }
  kinora.advance(1000);
  collection = (await admin.json("POST /API/collection?name=Harbour%20collection")).json.id;
});
afterAll(() => kinora.close());

const everything = document("ItemSearchDocument", "");
const odd = "<field><name>news_program</name><value>Odd</value></field>";
const idsOf = (list: Element, name: string) => childrenOf(list, name).map(({ attributes }) => attributes.id);
const newestFirst = () => [...ids].reverse();

describe("row 2: PUT /item", () => {
  test.each([
    ";first=2;number=2",
    "?first=2&number=2",
    "/;first=2;number=2",
    ";number=2?first=2",
    ";first=2;number=2?content=metadata,shape&field=title&tag=original&terse=true",
  ])("pages by %s", async (paging) => {
    const { status, xml } = await admin.xml(`PUT /API/item${paging}`, everything);
    expect([status, xml.name, textAt(xml, "hits")]).toEqual([200, "ItemListDocument", "5"]);
    expect(idsOf(xml, "item")).toEqual(newestFirst().slice(1, 3));
  });

  test("an answer has hits and items and nothing else; each item its attributes", async () => {
    const { xml } = await admin.xml("PUT /API/item", document("ItemSearchDocument", odd));
    expect(namesIn(xml)).toEqual(["hits", "item"]);
    expect(childrenOf(xml, "item").map(({ attributes }) => attributes)).toEqual(
      [ids[4], ids[2], ids[0]].map((id) => ({ id, start: "-INF", end: "+INF" })),
    );
  });

  test("hits are told even when there are none", async () => {
    const nothing = "<field><name>title</name><value>nowhere</value></field>";
    const { xml } = await admin.xml("PUT /API/item", document("ItemSearchDocument", nothing));
    expect([namesIn(xml), textAt(xml, "hits")]).toEqual([["hits"], "0"]);
    expect((await admin.json("PUT /API/item", { text: [{ value: "nowhere" }] })).json).toMatchObject({
      hits: 0,
      item: [],
    });
  });

  test("hits are left out when that is asked for", async () => {
    expect(namesIn((await admin.xml("PUT /API/item?count=false", everything)).xml)).toEqual(["item"]);
  });

  test("facets are counted, with the value as an attribute", async () => {
    const facet = '<facet count="true"><field>news_program</field></facet>';
    const { xml } = await admin.xml("PUT /API/item;number=0", document("ItemSearchDocument", facet));
    expect(namesIn(xml)).toEqual(["hits", "facet"]);
    const [first] = childrenOf(xml, "facet");
    expect(first && textAt(first, "field")).toBe("news_program");
    expect(first && childrenOf(first, "count").map(({ attributes, text }) => [attributes.fieldValue, text])).toEqual([
      ["Odd", "3"],
      ["Even", "2"],
    ]);
    const { json } = await admin.json("PUT /API/item?number=0", { facet: [{ field: "news_program", count: true }] });
    expect(json.facet).toMatchObject([
      {
        field: "news_program",
        count: [
          { fieldValue: "Odd", value: 3, count: 3 },
          { fieldValue: "Even", value: 2, count: 2 },
        ],
      },
    ]);
  });

  test("facets of ranges", async () => {
    const facet = '<facet><field>news_length</field><range start="1" end="3"/><range start="3" end="6"/></facet>';
    const { xml } = await admin.xml("PUT /API/item", document("ItemSearchDocument", facet));
    const [first] = childrenOf(xml, "facet");
    const ranges = first && childrenOf(first, "range").map(({ attributes, text }) => [attributes.start, text]);
    expect(ranges).toEqual([
      ["1", "2"],
      ["3", "3"],
    ]);
  });

  test("content of the hits: metadata, terse, of chosen fields", async () => {
    const query = document("ItemSearchDocument", odd);
    const { xml } = await admin.xml("PUT /API/item?content=metadata&field=title&field=news_length", query);
    const [item] = childrenOf(xml, "item");
    const names =
      item && childrenOf(item.children[0] as Element, "timespan")[0]?.children.map((field) => textAt(field, "name"));
    expect([...(names ?? [])].sort()).toEqual(["news_length", "title"]);
    const { json } = await admin.json("PUT /API/item?content=metadata&field=title&terse=true&number=1", {});
    expect(json.item).toMatchObject([{ id: ids[4], terse: { title: [{ value: "Harbour 5" }] } }]);
  });

  test.each([
    [
      "a range of dates that are plain days",
      "<field><name>created</name><range><value>1000-01-01</value><value>2026-01-02</value></range></field>",
      5,
    ],
    [
      "a range with an open end",
      '<field><name>news_length</name><range><value>4</value><value maximum="true"/></range></field>',
      2,
    ],
    [
      "two values of a field, one or the other",
      "<field><name>news_length</name><value>1</value><value>2</value></field>",
      2,
    ],
    ["two fields, both", `${odd}<field><name>news_length</name><value>2</value><value>3</value></field>`, 1],
    ["an operator", `<operator operation="NOT">${odd}</operator>`, 2],
    [
      "a nested operator",
      `<operator operation="AND"><operator operation="OR">${odd}<field><name>news_length</name><value>2</value></field></operator><text>harbour</text></operator>`,
      4,
    ],
    ["the beginning of a word", "<field><name>title</name><value>harb*</value></field>", 5],
    ["the beginning of an exact value", "<field><name>news_program</name><value>Ev*</value></field>", 2],
    ["text in any field", "<text>HARBOUR</text>", 5],
    ["an exact value in another case", "<field><name>news_program</name><value>odd</value></field>", 0],
    ["a filter", `<filter operation="AND">${odd}</filter>`, 3],
    [
      "intervals without times",
      `<intervals>generic</intervals>${odd}`.replace(/^(<intervals>.*<\/intervals>)(.*)$/, "$2$1"),
      3,
    ],
  ])("finds by %s", async (_, criteria, hits) => {
    const { status, xml } = await admin.xml("PUT /API/item", document("ItemSearchDocument", criteria));
    expect([status, textAt(xml, "hits")]).toEqual([200, String(hits)]);
  });

  test("interval=result shows the metadata at the place of the hit", async () => {
    await admin.json("PUT /API/metadata-field/news_note", { type: "string" });
    const note = (start: string, end: string, value: string) => ({
      start,
      end,
      field: [{ name: "news_note", value: [{ value }] }],
    });
    const { id } = (
      await admin.json("POST /API/import/placeholder", {
        timespan: [note("0@PAL", "200@PAL", "gull"), note("250@PAL", "500@PAL", "pier")],
      })
    ).json;
    const shown = async (path: string, value: string) => {
      const { json } = await admin.json(
        `PUT /API${path}?content=metadata,uri&field=news_note,title&terse=true&interval=result`,
        { field: [{ name: "news_note", value: [{ value }] }] },
      );
      return (json.item ?? json.entry.map((entry: { item: object }) => entry.item)) as object[];
    };
    for (const path of ["/item", "/search"]) {
      const [pier, ...others] = await shown(path, "pier");
      expect([others, pier]).toEqual([[], expect.objectContaining({ id, start: "250@PAL", end: "500@PAL" })]);
      expect(pier).toMatchObject({ terse: { news_note: [{ value: "pier", start: "250@PAL" }] } });
      expect(await shown(path, "gull")).toMatchObject([{ terse: { news_note: [{ value: "gull" }] } }]);
    }
    const untimed = await admin.json("PUT /API/item?content=metadata&terse=true&interval=result&number=2", {});
    expect(untimed.json.item[0].terse.news_note).toHaveLength(2);
    const none = await admin.json("PUT /API/collection?content=metadata&terse=true&interval=result", {});
    expect([none.status, none.json.collection]).toMatchObject([200, [{ terse: {} }]]);
    await admin.json(`DELETE /API/item/${id}`);
  });

  test("sorts as asked", async () => {
    const sort = "<sort><field>news_length</field><order>ascending</order></sort>";
    const { xml } = await admin.xml("PUT /API/item?number=3", document("ItemSearchDocument", sort));
    expect(idsOf(xml, "item")).toEqual(ids.slice(0, 3));
    const { json } = await admin.json("PUT /API/item", { sort: [{ field: "title", order: "descending" }] });
    expect(json.item.map(({ id }: { id: string }) => id)).toEqual(newestFirst());
  });

  test("GET takes the search as XML in q", async () => {
    const q = encodeURIComponent(document("ItemSearchDocument", odd));
    expect(textAt((await admin.xml(`GET /API/item?q=${q}&number=1`)).xml, "hits")).toBe("3");
    expect((await admin.text(`GET /API/item;number=2?q=${q}`)).text).toBe(`${ids[4]}\r\n${ids[2]}\r\n`);
  });

  test("finds an item by a search right after its creation, and by its new value right after a write", async () => {
    const { id } = (await admin.json("POST /API/import/placeholder", metadataJson({ title: "quicksilver" }))).json;
    const find = async (value: string) =>
      (await admin.json("PUT /API/item", { text: [{ value }] })).json.item.map((item: { id: string }) => item.id);
    expect(await find("quicksilver")).toEqual([id]);
    await admin.json(`PUT /API/item/${id}/metadata`, metadataJson({ title: "mercury" }));
    expect([await find("quicksilver"), await find("mercury")]).toEqual([[], [id]]);
    await admin.json(`DELETE /API/item/${id}`);
    expect(await find("mercury")).toEqual([]);
  });

  test("an unknown element is refused with its name and line", async () => {
    const { status, xml } = await admin.xml("PUT /API/item", document("ItemSearchDocument", "\n<feild/>"));
    expect([status, xml.children[0]?.name]).toEqual([400, "invalidInput"]);
    expect(textAt(xml, "invalidInput", "explanation")).toMatch(/feild.*line 2/s);
  });
});

describe("row 2: PUT /search", () => {
  test("has items and collections, newest first, with the document inside", async () => {
    const { status, xml } = await admin.xml("PUT /API/search;first=1;number=2", everything);
    expect([status, xml.name, textAt(xml, "hits")]).toEqual([200, "SearchResultDocument", "6"]);
    expect(namesIn(xml)).toEqual(["hits", "entry"]);
    const entries = childrenOf(xml, "entry");
    expect(entries.map(({ attributes }) => attributes)).toMatchObject([
      { type: "Collection", id: collection },
      { type: "Item", id: ids[4], start: "-INF", end: "+INF" },
    ]);
    expect(entries[0] && textAt(entries[0], "collection", "id")).toBe(collection);
    expect(entries[1]?.children[0]).toMatchObject({ name: "item", attributes: { id: ids[4] } });
  });

  test("in JSON: empty lists, entries with their type", async () => {
    const { json } = await admin.json("PUT /API/search?number=1", {
      text: [{ value: "harbour" }],
      field: [{ name: "news_length", value: [{ value: 3 }] }],
    });
    expect(json).toMatchObject({
      hits: 1,
      suggestion: [],
      autocomplete: [],
      facet: [],
      entry: [
        {
          type: "Item",
          id: ids[2],
          start: "-INF",
          end: "+INF",
          item: { id: ids[2], start: "-INF", end: "+INF" },
          timespan: [{ start: "-INF", end: "+INF", field: [] }],
        },
      ],
    });
  });

  test("gives metadata of both", async () => {
    const { json } = await admin.json("PUT /API/search?content=metadata&field=title&terse=true&number=2", {});
    expect(json.entry).toMatchObject([
      { collection: { id: collection, terse: { title: [{ value: "Harbour collection" }] } } },
      { item: { terse: { title: [{ value: "Harbour 5" }] } } },
    ]);
  });
});

describe("row 2: PUT /collection", () => {
  test("finds collections", async () => {
    const body = "<field><name>title</name><value>harbour</value></field>";
    const { xml } = await admin.xml("PUT /API/collection;first=1;number=100", document("ItemSearchDocument", body));
    expect([xml.name, namesIn(xml), textAt(xml, "hits")]).toEqual([
      "CollectionListDocument",
      ["hits", "collection"],
      "1",
    ]);
    expect([textAt(xml, "collection", "id"), textAt(xml, "collection", "name")]).toEqual([
      collection,
      "Harbour collection",
    ]);
    const versioned = await admin.xml(
      "PUT /API/collection",
      `<CollectionSearchDocument version="2">${body}</CollectionSearchDocument>`,
    );
    expect([versioned.status, textAt(versioned.xml, "hits")]).toEqual([200, "1"]);
    const { json } = await admin.json("PUT /API/collection?number=1", {});
    expect(json).toMatchObject({ hits: 1, collection: [{ id: collection, name: "Harbour collection" }] });
  });
});

describe("cursors [spec: cursor-5.5]", () => {
  test.each([
    ["/item", "item"],
    ["/search", "entry"],
    ["/collection", "collection"],
  ])("PUT %s gives a valid cursor always; the end is fewer hits, or the same cursor", async (path, name) => {
    const all = (await admin.json(`PUT /API${path}`, {})).json[name].map(({ id }: { id: string }) => id);
    const walked: string[] = [];
    let cursor = "*";
    for (let turns = 0; turns < 20; turns++) {
      const { json } = await admin.json(`PUT /API${path}?number=2&cursor=${encodeURIComponent(cursor)}`, {});
      expect(json.nextCursor).toEqual(expect.stringMatching(/./));
      walked.push(...json[name].map(({ id }: { id: string }) => id));
      const ended = json[name].length < 2 || json.nextCursor === cursor;
      cursor = json.nextCursor;
      if (ended) break;
    }
    expect(walked).toEqual(all);
    const after = await admin.json(`PUT /API${path}?number=2&cursor=${encodeURIComponent(cursor)}`, {});
    expect([after.json[name], after.json.nextCursor]).toEqual([[], cursor]);
  });

  test("in XML only who asked for a cursor is given one", async () => {
    const { xml } = await admin.xml("PUT /API/item?number=2&cursor=*", everything);
    expect(namesIn(xml)).toEqual(["hits", "item", "nextCursor"]);
    const next = encodeURIComponent(textAt(xml, "nextCursor") ?? "");
    const second = await admin.xml(`PUT /API/item;number=2;cursor=${next}`, everything);
    expect(idsOf(second.xml, "item")).toEqual(newestFirst().slice(2, 4));
    expect(namesIn((await admin.xml("PUT /API/item?number=2", everything)).xml)).toEqual(["hits", "item"]);
  });
});

describe("PUT /search/autocomplete", () => {
  test("completes what somebody types", async () => {
    const body = { text: "Harb", field: "title", maximumSuggestions: 3 };
    const { status, json } = await admin.json("PUT /API/search/autocomplete", body);
    expect([status, json.suggestion?.[0]]).toEqual([200, expect.stringMatching(/^harbour/i)]);
  });
});

describe("row 42: PUT /reindex/{index}", () => {
  test.each(["item", "collection", "acl"])("%s [spec: reindex-acl]", async (index) => {
    const { status, json } = await admin.json(`PUT /API/reindex/${index}/?priority=500&status=IN_QUEUE`);
    expect([status, json]).toMatchObject([
      200,
      { index, priority: 500, status: "IN_QUEUE", start: expect.any(String) },
    ]);
    const { xml } = await admin.xml(`GET /API/reindex/${index}`);
    expect([xml.name, textAt(xml, "index")]).toEqual(["ReindexRequestDocument", index]);
  });
});
