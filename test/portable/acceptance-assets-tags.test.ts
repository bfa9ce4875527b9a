import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, metadataJson } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
const made: Record<string, string> = {};
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  made.item = (await admin.json("POST /API/import/placeholder", metadataJson({ title: "Harbour" }))).json.id;
  made.other = (await admin.json("POST /API/import/placeholder", {})).json.id;
  made.collection = (await admin.json("POST /API/collection?name=Rushes")).json.id;
  const library = (await admin.json("PUT /API/item?result=library", {})).json.library;
  made.library = encodeURIComponent(library);
  made.relation = (await admin.json(`POST /API/item/${made.item}/relation/${made.other}?direction=U`)).json.id;
  const entry = { group: "_item_read", permission: "READ" };
  made.access = (await admin.json(`POST /API/item/${made.item}/access`, entry)).json.id;
  const shape = (await admin.json(`POST /API/item/${made.item}/shape/create?tag=original`, { containerComponent: {} }))
    .json;
  made.shape = shape.id;
  made.component = shape.containerComponent.id;
  made.settings = (await admin.json("POST /API/import/settings", { access: [entry] })).json.id;
  await admin.json("PUT /API/external-id/archive", { pattern: "[a-f]+" });
  await admin.json("PUT /API/metadata-field/news_note", { type: "string" });
  await admin.json("PUT /API/metadata-field/field-group/news_shot");
});
afterAll(() => kinora.close());

describe("one entity has an entity tag", () => {
  test.each([
    "/item/{item}",
    "/item/{item}?content=metadata",
    "/item/{item}/metadata",
    "/item/{item}/shape/{shape}",
    "/item/{item}/shape/{shape}/component/{component}",
    "/item/{item}/shape/version/0",
    "/item/{item}/access/{access}",
    "/import/settings/{settings}",
    "/collection/{collection}",
    "/collection/{collection}/metadata",
    "/library/{library}/settings",
    "/relation/{relation}",
    "/external-id/archive",
    "/metadata-field/news_note",
    "/metadata-field/field-group/news_shot",
  ])("GET %s, which is not sent again while it stays the same", async (target) => {
    const path = `/API${target.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? "")}`;
    const headers = { accept: "application/json" };
    const first = await kinora.admin(path, { headers });
    const tag = first.headers.get("etag");
    expect([path, first.status, tag]).toEqual([path, 200, expect.stringMatching(/^"[^"]+"$/)]);
    const again = await kinora.admin(path, { headers: { ...headers, "if-none-match": tag ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("a change of an item or a collection can depend on it", async () => {
    for (const path of [`/API/item/${made.item}/metadata`, `/API/collection/${made.collection}/metadata`]) {
      const read = await kinora.admin(path, { headers: { accept: "application/json" } });
      const tag = read.headers.get("etag") ?? "";
      const put = async (title: string) => {
        const answer = await admin.send(`PUT ${path}`, {
          accept: "application/json",
          type: "application/json",
          body: JSON.stringify(metadataJson({ title })),
          headers: { "if-match": tag },
        });
        return answer.status;
      };
      expect([path, await put("first"), await put("second")]).toEqual([path, 200, 412]);
    }
  });
});
