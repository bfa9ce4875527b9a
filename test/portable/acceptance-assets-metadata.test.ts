import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
  type Element,
  type Json,
  metadataJson,
  metadataXml,
  textAt,
  valuesOf,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  await admin.json("PUT /API/metadata-field/news_note", { type: "string", defaultValue: "none yet" });
  await admin.json("PUT /API/metadata-field/news_at", { type: "timeCode" });
  await admin.json("PUT /API/metadata-field/news_count", { type: "integer" });
  await admin.json("PUT /API/metadata-field/team_label", { type: "string", inheritance: "true" });
  await admin.json("PUT /API/metadata-field/field-group/news_shot", { field: [{ name: "news_note" }] });
  await admin.json("PUT /API/metadata-field/field-group/team_rights", {
    inheritance: "true",
    field: [{ name: "news_note" }],
    group: [{ name: "news_shot" }],
  });
});
afterAll(() => kinora.close());

const span = (inner: object, start = "-INF", end = "+INF") => ({ timespan: [{ start, end, ...inner }] });
const valued = (name: string, ...values: string[]) => ({ name, value: values.map((value) => ({ value })) });

async function makeItem(body: object = metadataJson({ title: "Harbour" })): Promise<string> {
  return (await admin.json("POST /API/import/placeholder", body)).json.id;
}

async function metadataOf(id: string, query = "includeTransientMetadata=false"): Promise<Json> {
  return (await admin.json(`GET /API/item/${id}/metadata?${query}`)).json.item[0].metadata;
}

const put = (id: string, body: object, query = "") => admin.json(`PUT /API/item/${id}/metadata${query}`, body);

async function changeSets(id: string): Promise<readonly string[]> {
  const { json } = await admin.json(`GET /API/item/${id}/metadata/changes`);
  return json.changeSet.map((changeSet: { readonly id: string }) => changeSet.id);
}

/** An item in a collection, from which it inherits a field and a group, untimed and in a timespan. */
async function inheriting(): Promise<{ readonly item: string; readonly collection: string }> {
  const item = await makeItem();
  const collection = (await admin.json("POST /API/collection?name=Rushes")).json.id;
  await admin.json(`PUT /API/collection/${collection}/${item}?type=item`);
  const inner = (note: string) => ({
    field: [valued("team_label", `label ${note}`)],
    group: [
      { name: "team_rights", mode: "add", field: [valued("news_note", note)], group: [{ name: "news_shot" }] },
      { name: "team_rights", mode: "add", field: [valued("news_note", `${note} too`)] },
    ],
  });
  const timespan = [
    { start: "-INF", end: "+INF", ...inner("always") },
    { start: "250@PAL", end: "500@PAL", ...inner("at dawn") },
  ];
  await admin.json(`PUT /API/collection/${collection}/metadata`, { timespan });
  return { item, collection };
}

/** What a program reads from an XML answer to send it back: the content of the metadata element. */
function innerXml(text: string): string {
  return /<metadata>(.*)<\/metadata>/s.exec(text)?.[1] ?? "";
}

describe("metadata that is put back as it was read", () => {
  test("makes nothing of what is inherited an own value", async () => {
    const { item } = await inheriting();
    const [shown, before] = [await metadataOf(item), await changeSets(item)];
    expect(JSON.stringify(shown)).toContain("label at dawn");
    const json = await put(item, shown, "?onlyReturnChanges=true");
    expect([json.status, json.json.item[0].metadata.timespan]).toEqual([200, undefined]);
    const { text } = await admin.xml(`GET /API/item/${item}/metadata`);
    const xml = await admin.xml(`PUT /API/item/${item}/metadata`, document("MetadataDocument", innerXml(text)));
    expect(xml.status).toBe(200);
    expect(await metadataOf(item)).toEqual(shown);
    expect(await changeSets(item)).toEqual(before);
  });

  test("with a value changed has that as its own, and all groups of the name with it", async () => {
    const { item, collection } = await inheriting();
    const shown = await metadataOf(item);
    const [untimed] = shown.timespan;
    untimed.group[0].field[0].value[0].value = "mine";
    expect((await put(item, shown)).status).toBe(200);
    const label = span({ field: [valued("team_label", "new label")] });
    await admin.json(`PUT /API/collection/${collection}/metadata`, label);
    const [after, timed] = (await metadataOf(item)).timespan;
    const notes = (one: Json) => one.group.map((group: Json) => group.field[0].value[0].value);
    expect([notes(after), notes(timed)]).toEqual([
      ["mine", "always too"],
      ["at dawn", "at dawn too"],
    ]);
    expect(after.group.map((group: Json) => group.inheritance)).toEqual([undefined, undefined]);
    expect(after.group[0].group).toHaveLength(1);
    expect(timed.group[0].inheritance).toBe(`Collection/${collection}`);
    expect(valuesOf({ timespan: [after] }, "team_label")).toEqual(["new label"]);
  });

  test("keeps its references, and takes nothing in from where they lead", async () => {
    const shot = { name: "news_shot", field: [valued("news_note", "in it")] };
    const shared = span({ field: [valued("news_note", "shared")], group: [shot] });
    const target = await metadataOf(await makeItem(shared));
    const [{ field, group }] = target.timespan;
    const reference = (entry: Json) => ({ name: entry.name, reference: entry.uuid });
    const note = field.find(({ name }: Json) => name === "news_note");
    const item = await makeItem(span({ field: [reference(note)], group: [reference(group[0])] }));
    const [shown, before] = [await metadataOf(item), await changeSets(item)];
    expect(JSON.stringify(shown)).toContain("in it");
    expect((await put(item, shown)).status).toBe(200);
    expect([await metadataOf(item), await changeSets(item)]).toEqual([shown, before]);
    const copy = await makeItem(shown);
    expect(JSON.stringify(await metadataOf(copy))).toContain('"referenced"');
  });

  test("to a new item makes a copy, groups and all", async () => {
    const shot = (note: string) => ({ name: "news_shot", mode: "add", field: [valued("news_note", note)] });
    const item = await makeItem(span({ field: [valued("title", "Original")], group: [shot("a"), shot("b")] }));
    const copy = await admin.json("POST /API/import/placeholder", await metadataOf(item));
    expect(copy.status).toBe(200);
    const { timespan } = await metadataOf(copy.json.id);
    expect(timespan[0].group.map((group: Json) => group.field[0].value[0].value)).toEqual(["a", "b"]);
    expect(valuesOf({ timespan }, "itemId")).toEqual([copy.json.id]);
  });
});

describe("timespans", () => {
  test("take the time base of the attribute base where their ends name none", async () => {
    const id = await makeItem();
    const note = "<field><name>news_note</name><value>x</value></field>";
    const timespans = [
      `<timespan start="250" end="500" base="PAL">${note}</timespan>`,
      `<timespan start="1000@PAL" end="+INF" base="30000:1001">${note}</timespan>`,
    ];
    await admin.xml(`PUT /API/item/${id}/metadata`, document("MetadataDocument", timespans.join("")));
    const { timespan } = await metadataOf(id, "field=news_note");
    expect(timespan.map(({ start, end }: Json) => [start, end])).toEqual([
      ["250@PAL", "500@PAL"],
      ["1000@PAL", "+INF"],
    ]);
    const bad = `<timespan start="1" end="2" base="SECAM">${note}</timespan>`;
    const refused = await admin.xml(`PUT /API/item/${id}/metadata`, document("MetadataDocument", bad));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("SECAM")]);
  });

  test("stand behind the untimed metadata, also those without beginning", async () => {
    const id = await makeItem();
    await put(id, span({ field: [valued("news_note", "before")] }, "-INF", "5"));
    const { timespan } = await metadataOf(id);
    expect(timespan.map(({ end }: Json) => end)).toEqual(["+INF", "5"]);
  });

  test("of wrong values name the field: a time base that nobody knows", async () => {
    const refused = await put(await makeItem(), metadataJson({ news_at: "12@SECAM" }));
    expect(refused.json.invalidInput).toMatchObject({ context: "metadata-field", id: "news_at", value: "12@SECAM" });
  });
});

describe("two writers from one revision", () => {
  test("who want the same: one of them learns that the other was there before", async () => {
    const id = await makeItem(metadataJson({ news_note: "free" }));
    const { revision } = await metadataOf(id);
    const claims = await Promise.all(
      [1, 2, 3].map(() => put(id, metadataJson({ news_note: "taken" }), `?revision=${revision}`)),
    );
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test("who want the same in one group", async () => {
    const id = await makeItem(span({ group: [{ name: "news_shot", field: [valued("news_note", "free")] }] }));
    const { revision, timespan } = await metadataOf(id);
    const claim = span({ group: [{ uuid: timespan[0].group[0].uuid, field: [valued("news_note", "taken")] }] });
    expect((await put(id, claim, `?revision=${revision}`)).status).toBe(200);
    const late = await put(id, claim, `?revision=${revision}`);
    expect([late.status, late.json.conflict.explanation]).toEqual([409, expect.stringContaining("news_note")]);
  });

  test("who put the whole back, are told apart by what they changed", async () => {
    const id = await makeItem(metadataJson({ news_note: "a", news_count: 1 }));
    const whole = await metadataOf(id);
    await put(id, metadataJson({ team_label: "theirs" }));
    expect((await put(id, whole)).status).toBe(200);
    expect(valuesOf(await metadataOf(id), "team_label")).toEqual(["theirs"]);
  });
});

describe("the history", () => {
  test("that is edited counts as a change, for programs that follow changes", async () => {
    const id = await makeItem();
    await put(id, metadataJson({ title: "second" }));
    const modified = async () => valuesOf(await metadataOf(id, ""), "__metadata_last_modified")[0] ?? "";
    const changes = [await modified()];
    for (const request of ["PUT", "DELETE"]) {
      kinora.advance(60_000);
      const path = `${request} /API/item/${id}/metadata/changes/${(await changeSets(id)).at(-1)}`;
      expect((await admin.json(path, request === "PUT" ? metadataJson({ title: "third" }) : undefined)).status).toBe(
        200,
      );
      changes.push(await modified());
      const range = {
        name: "__metadata_last_modified",
        range: [{ value: [{ value: changes.at(-1) }, { value: "2100-01-01T00:00:00Z" }] }],
      };
      const found = await admin.json("PUT /API/item?number=1", { field: [range] });
      expect(found.json.item.map((item: Json) => item.id)).toEqual([id]);
    }
    expect(changes).toEqual([...new Set(changes)].sort());
    expect(changes).toHaveLength(3);
  });

  test("is not touched by several sets of which one is not there", async () => {
    const id = await makeItem();
    const before = [await metadataOf(id), await changeSets(id)];
    const { status, json } = await admin.json(`PUT /API/item/${id}/metadata/changes`, {
      changeSet: [
        { metadata: metadataJson({ title: "new" }) },
        { id: "VX-999999", metadata: metadataJson({ title: "other" }) },
      ],
    });
    expect([status, json.notFound]).toMatchObject([404, { type: "change-set", id: "VX-999999" }]);
    expect([await metadataOf(id), await changeSets(id)]).toEqual(before);
  });

  test("compares what the item has itself, not what it inherits", async () => {
    const { item } = await inheriting();
    await put(item, metadataJson({ team_label: "own" }));
    await put(item, span({ field: [{ name: "team_label" }] }));
    const { json } = await admin.json(
      `GET /API/item/${item}/metadata/changes/${(await changeSets(item)).at(-1)}/compareTo/previous`,
    );
    expect(JSON.stringify(json)).not.toContain("label always");
    expect(json.timespan[0].field[0]).toMatchObject({ name: "team_label", mode: "remove" });
  });

  test("takes a blank revision for the present", async () => {
    const id = await makeItem();
    expect((await admin.json(`GET /API/item/${id}/metadata?revision=&sampleRate=`)).status).toBe(200);
    expect((await admin.json(`GET /API/item/${id}?content=metadata&revision=`)).status).toBe(200);
  });
});

describe("entries", () => {
  test("that are changed in one request: all of thousands, or none", async () => {
    const values = Array.from({ length: 5000 }, (_, index) => `v${index}`);
    const id = await makeItem(metadataJson({ news_note: values }));
    const noteOf = async () => (await metadataOf(id, "field=news_note")).timespan[0].field[0].value;
    const before = await noteOf();
    const entry = before.map(({ uuid, value }: Json) => ({ value: { uuid, value: `new ${value}` } }));
    const changed = await admin.json(`PUT /API/item/${id}/metadata/entry`, { entry });
    expect(changed.status).toBe(200);
    const after = await noteOf();
    expect(after.map(({ value }: Json) => value)).toEqual(values.map((value) => `new ${value}`));
    const wrong = {
      entry: [{ value: { uuid: before[0].uuid, value: "x" } }, { value: { uuid: "nobody's", value: "y" } }],
    };
    expect((await admin.json(`PUT /API/item/${id}/metadata/entry`, wrong)).status).toBe(404);
    expect(await noteOf()).toEqual(after);
  });

  test("keep the rules of their fields: languages, fields of the service", async () => {
    const id = await makeItem();
    const { timespan } = await metadataOf(id);
    const firstOf = (name: string) => timespan[0].field.find((one: Json) => one.name === name).value[0].uuid;
    const entry = (uuid: string, value: object) => admin.json(`PUT /API/item/${id}/metadata/entry/${uuid}`, { value });
    const language = await entry(firstOf("title"), { value: "x", lang: "no language" });
    expect([language.status, language.json.invalidInput.value]).toEqual([400, "no language"]);
    expect((await entry(firstOf("mediaType"), { mode: "remove" })).status).toBe(403);
    const field = timespan[0].field.find((one: Json) => one.name === "mediaType");
    expect((await admin.json(`PUT /API/item/${id}/metadata/move?uuid=${field.uuid}&start=1&end=2`)).status).toBe(403);
    expect(valuesOf(await metadataOf(id), "mediaType")).toEqual(["none"]);
  });

  test("are held by the access lists of the groups around them", async () => {
    const roles = ["_item_read", "_metadata_read", "_metadata_write", "_import"];
    const groupList = { group: roles.map((groupName) => ({ groupName })) };
    await admin.json("POST /API/user", { userName: "ada", password: "ada has a password", groupList });
    const ada = clientOf(kinora.as("ada", "ada has a password"));
    await admin.json("PUT /API/metadata-field/field-group/legal_deal", { field: [{ name: "news_note" }] });
    await admin.json("PUT /API/metadata-field/legal_price", { type: "integer" });
    const deal = { name: "legal_deal", field: [valued("news_note", "signed"), valued("legal_price", "5")] };
    const id = (await ada.json("POST /API/import/placeholder", span({ group: [deal] }))).json.id;
    const [{ group }] = (await metadataOf(id)).timespan;
    const [{ uuid, field }] = group;
    const remove = () => ada.json(`PUT /API/item/${id}/metadata/entry/${uuid}`, { group: { mode: "remove" } });
    const list = (path: string, permission: string) =>
      admin.json(`POST /API/metadata-field/${path}/access`, {
        user: path === "legal_price" ? "admin" : "ada",
        permission,
      });

    await list("legal_price", "DELETE");
    expect((await remove()).status).toBe(403);
    await list("field-group/legal_deal", "READ");
    const note = await ada.json(`PUT /API/item/${id}/metadata/entry/${field[0].value[0].uuid}`, {
      value: { value: "void" },
    });
    expect([note.status, note.json.forbidden.id]).toEqual([403, "legal_deal"]);
    expect(JSON.stringify(await metadataOf(id))).toContain("signed");
  });
});

describe("definitions", () => {
  test("that are there from the start stay: the title of items cannot be deleted", async () => {
    for (const name of ["title", "startTimeCode", "itemId"]) {
      expect((await admin.json(`DELETE /API/metadata-field/${name}`)).status).toBe(403);
    }
    expect((await admin.json("POST /API/collection?name=Still%20there")).json.name).toBe("Still there");
  });

  test("are included with default values as with others", async () => {
    await admin.send("PUT /API/metadata-field/news_note/colour", { type: "text/plain", body: "red" });
    const id = await makeItem();
    const shown = await metadataOf(id, "field=news_note&defaultValue=true&include=colour,type");
    const [note] = shown.timespan[0].field;
    expect(note).toMatchObject({ value: [{ value: "none yet" }], data: [{ key: "colour", value: "red" }] });
    expect(note.type.name).toBe("news_note");
  });

  test("that do not exist are not locked", async () => {
    const id = await makeItem();
    const refused = await admin.json(`POST /API/item/${id}/metadata-lock?field=title,news_none`);
    expect([refused.status, refused.json.notFound]).toMatchObject([404, { type: "metadata-field", id: "news_none" }]);
    const lock = (await admin.json(`POST /API/item/${id}/metadata-lock?field=title`)).json.id;
    expect((await admin.json(`PUT /API/item/${id}/metadata-lock/${lock}?field=news_none`)).status).toBe(404);
  });
});

describe("references", () => {
  test("lead from fields to fields and from groups to groups", async () => {
    const target = await makeItem(span({ group: [{ name: "news_shot", field: [valued("news_note", "x")] }] }));
    const [{ group }] = (await metadataOf(target)).timespan;
    const [{ uuid, field }] = group;
    const wrong = [
      span({ field: [{ name: "news_note", reference: uuid }] }),
      span({ group: [{ name: "news_shot", reference: field[0].uuid }] }),
    ];
    for (const body of wrong) {
      const refused = await admin.json("POST /API/import/placeholder", body);
      expect([refused.status, refused.json.invalidInput.value]).toEqual([
        400,
        body === wrong[0] ? uuid : field[0].uuid,
      ]);
    }
  });
});

test("XML answers begin with the untimed metadata, too", async () => {
  const id = await makeItem();
  await admin.xml(`PUT /API/item/${id}/metadata`, metadataXml({ news_note: "a" }));
  await put(id, span({ field: [valued("news_note", "b")] }, "-INF", "7"));
  const { xml } = await admin.xml(`GET /API/item/${id}/metadata?field=news_note`);
  const timespans = childrenOf(childrenOf(xml, "item")[0]?.children[0] as Element, "timespan");
  expect(timespans.map((one) => [one.attributes.end, textAt(one, "field", "value")])).toEqual([
    ["+INF", "a"],
    ["7", "b"],
  ]);
});

describe("selectors", () => {
  test.each([
    ["field=title:a%3E%3Cb", 400],
    ["field=title:1x", 400],
    ["field=title:id", 400],
    ["field=title:name", 200],
  ])("terse: %s has names that every form of the answer can hold", async (query, status) => {
    const id = await makeItem();
    for (const path of [
      `/API/item/${id}/metadata?`,
      `/API/item/${id}?content=metadata&`,
      "/API/item?content=metadata&",
    ]) {
      for (const send of [admin.xml, admin.json]) {
        expect((await send(`GET ${path}terse=true&${query}`)).status).toBe(status);
      }
    }
  });

  test("name groups with spaces, and what is nested in them by a plus sign as it is typed", async () => {
    await admin.json("PUT /API/metadata-field/field-group/Legal%20rights", { group: [{ name: "news_shot" }] });
    const shot = { name: "news_shot", field: [valued("news_note", "inside")] };
    const id = await makeItem(span({ group: [{ name: "Legal rights", group: [shot] }] }));
    const shown = async (query: string) =>
      JSON.stringify(await metadataOf(id, `${query}&includeTransientMetadata=false`));
    expect(await shown("group=Legal%20rights")).not.toContain("inside");
    for (const query of ["group=Legal%20rights+", "group=Legal%20rights%2B", "group=Legal%20rights+:rights,title"]) {
      expect(await shown(query)).toContain("inside");
    }
  });

  test("show documents and global metadata in the terse form as well", async () => {
    for (const path of ["/API/document/house-rules", "/API/metadata"]) {
      await admin.json(`PUT ${path}`, metadataJson({ title: "Rules" }));
      expect((await admin.json(`GET ${path}?terse=true&field=title`)).json.title).toMatchObject([{ value: "Rules" }]);
      const { xml } = await admin.xml(`GET ${path};terse=yes?field=title`);
      expect([xml.name, textAt(xml, "title")]).toEqual(["TerseMetadataDocument", "Rules"]);
    }
  });
});
