import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
  type Json,
  metadataJson,
  newUser,
  textAt,
  userPassword,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

const roles = [
  "_item_read",
  "_item_write",
  "_metadata_read",
  "_metadata_write",
  "_collection_read",
  "_collection_write",
  "_library_read",
  "_accesscontrol_read",
  "_accesscontrol_write",
  "_import",
];

let kinora: TestService;
let admin: Client;
let ada: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  for (const user of ["ada", "ben"]) await newUser(admin, user, roles);
  await admin.json("PUT /API/group/editors");
  ada = clientOf(kinora.as("ada", userPassword));
});
afterAll(() => kinora.close());

let serial = 0;
/** An item of the administrator, with a word of its own. */
async function secret(): Promise<{ id: string; word: string }> {
  const word = `secret${++serial}`;
  const fields = { title: word, originalFormat: word };
  return { id: (await admin.json("POST /API/import/placeholder", metadataJson(fields))).json.id, word };
}

/** How often somebody meets an item: found, counted, in a facet, completed, and read. */
async function seen(client: Client, { id, word }: { readonly id: string; readonly word: string }) {
  const search = { text: [{ value: word }], facet: [{ field: "originalFormat" }] };
  const items = (await client.json("PUT /API/item", search)).json;
  const both = (await client.json("PUT /API/search", { text: [{ value: word }] })).json;
  const list = (await client.json("GET /API/item?number=1000")).json;
  const completed = (await client.json("PUT /API/search/autocomplete", { text: word, field: "title" })).json;
  return {
    found: items.item.map((one: Json) => one.id),
    counted: [items.hits, both.hits],
    listed: list.item.filter((one: Json) => one.id === id).length,
    facet: (items.facet[0]?.count ?? []).map((one: Json) => one.fieldValue),
    completed: completed.suggestion ?? [],
    read: (await client.json(`GET /API/item/${id}`)).status,
    metadata: (await client.json(`GET /API/item/${id}/metadata`)).status,
    written: (await client.json(`PUT /API/item/${id}/metadata`, metadataJson({ title: word }))).status,
  };
}

const blind = {
  found: [],
  counted: [0, 0],
  listed: 0,
  facet: [],
  completed: [],
  read: 404,
  metadata: 404,
  written: 404,
};

describe("row 26: access of an item", () => {
  test("without a grant there is nothing; with READ all is seen and nothing written; after its removal nothing", async () => {
    const one = await secret();
    expect(await seen(ada, one)).toEqual(blind);
    const entry = document("AccessControlDocument", "<permission>READ</permission><user>ada</user>");
    const granted = await admin.xml(`POST /API/item/${one.id}/access`, entry);
    expect([granted.status, granted.xml.name, textAt(granted.xml, "user")]).toEqual([
      200,
      "AccessControlDocument",
      "ada",
    ]);
    const { id } = granted.xml.attributes;
    expect(await seen(ada, one)).toMatchObject({
      found: [one.id],
      counted: [1, 1],
      listed: 1,
      facet: [one.word],
      read: 200,
      metadata: 200,
      written: 403,
    });
    expect((await admin.xml(`GET /API/item/${one.id}/access/${id}/`)).xml.attributes.id).toBe(id);
    expect((await admin.xml(`DELETE /API/item/${one.id}/access/${id}`)).status).toBe(200);
    expect(await seen(ada, one)).toEqual(blind);
  });

  test("through a group, as long as the user is in it", async () => {
    const one = await secret();
    await admin.json(`POST /API/item/${one.id}/access`, { group: "editors", permission: "WRITE" });
    expect(await seen(ada, one)).toEqual(blind);
    await admin.json("PUT /API/group/editors/user/ada");
    expect(await seen(ada, one)).toMatchObject({ found: [one.id], counted: [1, 1], read: 200, written: 200 });
    await admin.json("DELETE /API/group/editors/user/ada");
    expect(await seen(ada, one)).toEqual(blind);
  });

  test("through a collection above it, until the item leaves", async () => {
    const one = await secret();
    const outer = (await admin.json("POST /API/collection?name=Outer")).json.id;
    const inner = (await admin.json("POST /API/collection?name=Inner")).json.id;
    await admin.json(`PUT /API/collection/${outer}/${inner}?type=collection`);
    await admin.json(`PUT /API/collection/${inner}/${one.id}`);
    expect(await seen(ada, one)).toEqual(blind);
    const listed = async () => (await ada.json(`GET /API/collection/${inner}/item`)).status;
    expect(await listed()).toBe(404);
    await admin.json(`POST /API/collection/${outer}/access`, { user: "ada", permission: "READ", recursive: true });
    expect(await seen(ada, one)).toMatchObject({ found: [one.id], counted: [1, 1], read: 200, written: 403 });
    expect(await listed()).toBe(200);
    await admin.json(`DELETE /API/collection/${inner}/${one.id}`);
    expect(await seen(ada, one)).toEqual(blind);
  });

  test("is listed with owner and entries, and merged with its effect", async () => {
    const one = await secret();
    await admin.json(`POST /API/item/${one.id}/access`, { user: "ada", permission: "READ" });
    const { xml } = await admin.xml(`GET /API/item/${one.id}/access`);
    expect(xml.name).toBe("AccessControlListDocument");
    const entries = childrenOf(xml, "access").map((entry) => [textAt(entry, "user"), textAt(entry, "permission")]);
    expect(entries).toEqual(
      expect.arrayContaining([
        ["admin", "OWNER"],
        ["ada", "READ"],
      ]),
    );
    for (const entry of childrenOf(xml, "access")) expect(entry.attributes.id).toMatch(/^VX-\d+$/);
    const { json } = await admin.json(`GET /API/item/${one.id}/access`);
    expect(json.access).toEqual(
      expect.arrayContaining([expect.objectContaining({ user: "ada", permission: "READ", grantor: "admin" })]),
    );
    const merged = await admin.json(`GET /API/item/${one.id}/merged-access/?username=ada&permission=READ&type=GENERIC`);
    expect(merged.json).toMatchObject({ query: { username: "ada", permission: "READ", type: "GENERIC" } });
    expect(merged.json.access).toMatchObject([{ username: "ada", permission: "READ", matches: true }]);
  });

  test("a search makes and reads libraries only with the roles of libraries", async () => {
    const refused = await ada.json("PUT /API/item?result=library", {});
    expect([refused.status, refused.json.forbidden.explanation]).toEqual([403, "The caller needs _library_write"]);
    const [library] = (await admin.json("POST /API/library", {})).json.uri;
    const path = `/API/library/${encodeURIComponent(library)}/access`;
    expect((await admin.json(`POST ${path}`, { user: "ada", permission: "ALL" })).status).toBe(200);
    expect((await ada.json(`GET /API/item?library=${encodeURIComponent(library)}`)).json.hits).toBe(0);
    expect((await ada.json(`PUT /API/item?result=library&libraryId=${encodeURIComponent(library)}`, {})).status).toBe(
      403,
    );
    await admin.json("DELETE /API/group/_library_read/user/ada");
    expect((await ada.json(`GET /API/item?library=${encodeURIComponent(library)}`)).status).toBe(403);
    await admin.json("PUT /API/group/_library_read/user/ada");
  });

  test("what somebody makes is theirs, and can be handed over", async () => {
    const { id } = (await ada.json("POST /API/import/placeholder", metadataJson({ title: "mine" }))).json;
    expect((await ada.json(`GET /API/item/${id}?content=access`)).json.access).toMatchObject([
      { type: "GENERIC", permission: "OWNER" },
      {},
      {},
      {},
    ]);
    const handed = await ada.json(`PUT /API/item/${id}/access/owner/ben`);
    expect(handed.status).toBe(200);
    expect((await ada.json(`GET /API/item/${id}`)).status).toBe(404);
    const ben = clientOf(kinora.as("ben", userPassword));
    expect((await ben.json(`GET /API/item/${id}`)).status).toBe(200);
    const owned = await ben.json(`PUT /API/item`, { field: [{ name: "__user", value: [{ value: "ben" }] }] });
    expect(owned.json.item.map((one: Json) => one.id)).toEqual([id]);
  });

  test("the defaults of a user come to what the user imports", async () => {
    await admin.json("PUT /API/group/readers");
    await admin.json("PUT /API/group/readers/user/ben");
    expect((await ada.json("PUT /API/import/access/group/readers?permission=READ")).status).toBe(200);
    expect((await ada.json("GET /API/import/access")).json.group).toMatchObject([
      { name: "readers", permission: "READ" },
    ]);
    const { id } = (await ada.json("POST /API/import/placeholder", {})).json;
    const ben = clientOf(kinora.as("ben", userPassword));
    expect((await ben.json(`GET /API/item/${id}`)).status).toBe(200);
    await ada.json("DELETE /API/import/access/group/readers");
    const later = (await ada.json("POST /API/import/placeholder", {})).json.id;
    expect((await ben.json(`GET /API/item/${later}`)).status).toBe(404);
  });

  test("no way around it leads to an item that may not be seen", async () => {
    await admin.json("PUT /API/metadata-field/news_line", { type: "string" });
    await admin.json("PUT /API/metadata-field/field-group/news_scene");
    await admin.json("PUT /API/metadata-field/field-group/news_scene/news_line");
    await admin.json("PUT /API/external-id/tapes", { pattern: "TAPE-[0-9]+" });
    const word = "hidden0word";
    const scene = { name: "news_scene", field: [{ name: "news_line", value: [{ value: word }] }] };
    const { id } = (
      await admin.json("POST /API/import/placeholder", {
        timespan: [
          { start: "-INF", end: "+INF", group: [scene], field: [{ name: "title", value: [{ value: word }] }] },
        ],
      })
    ).json;
    const other = await secret();
    await admin.json(`POST /API/item/${other.id}/access`, { user: "ada", permission: "READ" });
    await admin.json(`POST /API/item/${other.id}/relation/${id}?direction=S`);
    await admin.json(`PUT /API/item/${id}/external-id/TAPE-1`);
    const expiryTime = new Date(kinora.now() + 3_600_000).toISOString();
    const lock = (await admin.json(`POST /API/item/${id}/deletion-lock`, { expiryTime })).json.id;
    const shape = (await admin.json(`POST /API/item/${id}/shape/create?tag=original`, {})).json.id;
    const shown = (await admin.json("POST /API/collection?name=Shown")).json.id;
    const closed = (await admin.json("POST /API/collection?name=Closed")).json.id;
    const both = { user: "ada", permission: "READ", recursive: false };
    await admin.json(`POST /API/collection/${shown}/access`, both);
    for (const collection of [shown, closed]) {
      await admin.json(`PUT /API/collection/${collection}/${id}`);
      await admin.json(`PUT /API/collection/${collection}/${other.id}`);
    }
    const library = (await admin.json("PUT /API/item?result=library", { text: [{ value: word }] })).json.library;
    await admin.json(`POST /API/library/${encodeURIComponent(library)}/access`, both);

    const requests: readonly [request: string, body?: object][] = [
      ["PUT /API/search/shape", { item: { field: [{ name: "itemId", value: [{ value: id }] }] } }],
      ["PUT /API/search/shape", {}],
      ["PUT /API/metadata-field/field-group?group=news_scene&includeValue=true&includeSource=true", {}],
      [`GET /API/item/${other.id}/relation`],
      [`GET /API/collection/${shown}`],
      [`GET /API/collection/${shown}/item`],
      [`GET /API/library/${encodeURIComponent(library)}`],
      [`GET /API/item?library=${encodeURIComponent(library)}`],
      ["GET /API/deletion-lock"],
      ["GET /API/item/deletion-lock"],
      ["GET /API/item?number=1000&content=metadata,shape,external"],
      ["PUT /API/item", { suggestion: { maximumSuggestions: 5 }, text: [{ value: "hidden0wort" }] }],
      ["PUT /API/item", { autocomplete: [{ text: "hidden0", field: "title" }] }],
      ["PUT /API/item", { operator: { operation: "NOT", text: [{ value: "nothing" }] }, facet: [{ field: "itemId" }] }],
    ];
    for (const role of [
      "_shape_read",
      "_item_shape_read",
      "_relation_read",
      "_deletion_lock_read",
      "_external_id_read",
      "_thumbnail_read",
    ]) {
      await admin.json(`PUT /API/group/${role}/user/ada`);
    }
    for (const role of [
      "_metadata_field_group_read",
      "_item_uri",
      "_shape_write",
      "_relation_write",
      "_deletion_lock_write",
    ]) {
      await admin.json(`PUT /API/group/${role}/user/ada`);
    }
    for (const [request, body] of requests) {
      const { status, text } = await ada.json(request, body);
      expect([request, status]).toEqual([request, 200]);
      expect([request, text.includes(`"${id}"`), text.includes(`${word}"`)]).toEqual([request, false, false]);
    }
    const mine = (await ada.json("POST /API/import/placeholder", {})).json.id;
    const own = (await ada.json("POST /API/collection?name=Mine")).json.id;
    const left: readonly [request: string, body?: object][] = [
      [`GET /API/item/${id}`],
      ["GET /API/item/TAPE-1"],
      [`GET /API/item/${id}/uri`],
      [`GET /API/item/${id}/collections`],
      [`GET /API/item/${id}/relation`],
      [`GET /API/item/${id}/external-id`],
      [`GET /API/item/${id}/shape`],
      [`GET /API/item/${id}/shape/${shape}`],
      [`GET /API/item/${other.id}/shape/${shape}`],
      [`GET /API/item/${id}/deletion-lock`],
      [`GET /API/deletion-lock/${lock}`],
      [`GET /API/item/${id}/metadata/changes`],
      [`GET /API/item/${id}/access`],
      [`GET /API/item/${id}/merged-access`],
      [`GET /API/item/${id}/thumbnailresource`],
      [`GET /API/collection/${closed}`],
      [`GET /API/collection/${closed}/item`],
      [`GET /API/item?library=VX*999`],
      [`POST /API/item/${id}/lock`],
      [`POST /API/item/${id}/access`, { user: "ada", permission: "READ" }],
      [`PUT /API/item/${id}/access/owner/ada`],
      [`POST /API/item/${mine}/relation/${id}?direction=S`],
      [`POST /API/item/${id}/relation/${mine}?direction=S`],
      [`PUT /API/collection/${own}/${id}`],
      [`POST /API/item/${id}/shape/create`, {}],
      [`DELETE /API/item/${id}/shape/${shape}`],
      [`DELETE /API/item/${id}`],
    ];
    for (const [request, body] of left) {
      expect([request, (await ada.json(request, body)).status]).toEqual([request, 404]);
    }
    expect((await ada.json(`DELETE /API/item?id=${id}`)).status).toBe(200);
    expect((await admin.json(`GET /API/item/${id}`)).status).toBe(200);
    const listed = await ada.json(`GET /API/item/${other.id}/collections`);
    expect(listed.json.uri).toEqual([shown]);
    expect((await ada.json(`DELETE /API/item/${other.id}`)).status).toBe(403);
    expect((await ada.json(`POST /API/item/${other.id}/access`, { user: "ada", permission: "ALL" })).status).toBe(403);
  });

  test("a cursor never shows what may not be seen, whatever is granted meanwhile", async () => {
    const mine: string[] = [];
    for (let index = 0; index < 6; index++) {
      const one = await secret();
      if (index % 2 === 0) {
        await admin.json(`POST /API/item/${one.id}/access`, { user: "ada", permission: "READ" });
        mine.unshift(one.id);
      }
    }
    const met: string[] = [];
    let cursor = "*";
    for (;;) {
      const { json } = await ada.json(`PUT /API/item?number=1&cursor=${encodeURIComponent(cursor)}`, {
        field: [{ name: "__user", value: [{ value: "admin" }] }],
      });
      met.push(...json.item.map((one: Json) => one.id));
      if (json.item.length < 1) break;
      cursor = json.nextCursor;
    }
    expect(met.slice(0, mine.length)).toEqual(mine);
    for (const id of met) expect((await ada.json(`GET /API/item/${id}`)).status).toBe(200);
  });
});
