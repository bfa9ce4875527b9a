import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { peers } from "../peers/programs.ts";
import {
  type Client,
  clientNamespace,
  clientOf,
  document,
  metadataJson,
} from "../portable/acceptance-assets-client.ts";
import { startService, type TestService } from "../portable/harness.ts";

const folder = mkdtempSync(join(tmpdir(), "kinora-assets-schema-"));
const schema = join(folder, "schema.xsd");
let kinora: TestService;
let admin: Client;
let item = "";
let collection = "";
let library = "";
let shape = "";

beforeAll(async () => {
  // A client that insists on this namespace is served by this setting.
  kinora = await startService({ settings: { schemaNamespace: clientNamespace } });
  admin = clientOf(kinora.admin);
  writeFileSync(schema, (await admin.xml("GET /API/schema.xsd")).text);
  await admin.json("PUT /API/metadata-field/news_note", {
    type: "string",
    stringRestriction: { maxLength: 100 },
    data: [{ key: "extradata", value: "{}" }],
  });
  await admin.json("PUT /API/metadata-field/news_note/values", { field: [{ key: "a", value: "A" }] });
  await admin.json("PUT /API/metadata-field/news_length", { type: "integer-sortable" });
  await admin.json("PUT /API/metadata-field/field-group/news_shot");
  await admin.json("PUT /API/metadata-field/field-group/news_shot/news_note");
  await admin.json("PUT /API/metadata-field/news_note/access", { user: "admin", permission: "WRITE" });
  await admin.json("PUT /API/shape-tag/web", { format: "mp4", audio: { codec: "aac" }, video: { codec: "h264" } });
  await admin.json("PUT /API/external-id/archive", { pattern: "[a-f0-9]{8}", priority: 1 });
  const made = await admin.json("POST /API/import/placeholder?container=1&video=1", {
    group: ["news_shot"],
    timespan: [
      {
        start: "-INF",
        end: "+INF",
        field: [
          { name: "title", value: [{ value: "Harbour & dawn <1>" }] },
          { name: "news_length", value: [{ value: 7 }] },
        ],
      },
      {
        start: "250@PAL",
        end: "500@PAL",
        group: [
          { name: "news_shot", field: [{ name: "news_note", track: "V1", value: [{ value: "wide", lang: "en" }] }] },
        ],
      },
    ],
  });
  item = made.json.id;
  const other = (await admin.json("POST /API/import/placeholder", metadataJson({ title: "Other" }))).json.id;
  collection = (await admin.json("POST /API/collection?name=Rushes")).json.id;
  const child = (await admin.json("POST /API/collection?name=Child")).json.id;
  await admin.json(`PUT /API/collection/${collection}/${item}?metadata=role=cover`);
  await admin.json(`PUT /API/collection/${collection}/${child}?type=collection`);
  library = encodeURIComponent((await admin.json("PUT /API/item?result=library&autoRefresh=true", {})).json.library);
  const file = await admin.json("POST /API/storage/file", {
    uri: ["https://media.example.org/a.mp4"],
    state: "CLOSED",
  });
  const created = await admin.json(`POST /API/item/${item}/shape/create?tag=web&updateItemMetadata=true`, {
    mimeType: ["video/mp4"],
    containerComponent: { file: [{ id: file.json.id }], format: "mp4" },
    videoComponent: [{ file: [{ id: file.json.id }], codec: "h264" }],
  });
  shape = created.json.id;
  await admin.json(`PUT /API/item/${item}/shape/${shape}/metadata`, { field: [{ key: "a", value: "b" }] });
  await admin.json(`POST /API/item/${item}/relation/${other}?direction=S&kind=trailer`);
  await admin.json(`POST /API/item/${item}/access`, { user: "admin", permission: "READ", recursive: true });
  await admin.json(`PUT /API/item/${item}/external-id/0a1b2c3d`);
  await admin.json(`POST /API/item/${item}/deletion-lock`, { expiryTime: "2027-01-01T00:00:00Z" });
  await admin.json(`POST /API/item/${item}/lock?duration=60`);
  await admin.json(`POST /API/item/${item}/metadata-lock?field=title&timeout=60`);
  await admin.json("PUT /API/metadata", metadataJson({ title: "Everywhere" }));
  await admin.json("PUT /API/document/notes", metadataJson({ title: "Notes" }));
  await admin.json("PUT /API/reindex/item");
});
afterAll(async () => {
  await kinora.close();
  rmSync(folder, { recursive: true });
});

/** What xmllint says against documents; empty when all are valid. */
function complaints(...documents: readonly string[]): string {
  const files = documents.map((text, index) => {
    const name = join(folder, `${index}.xml`);
    writeFileSync(name, text);
    return name;
  });
  const { status, stderr } = spawnSync(peers.xmllint as string, ["--noout", "--schema", schema, ...files], {
    encoding: "utf8",
  });
  return status === 0 ? "" : stderr;
}

const everything = ["metadata", "uri", "shape", "poster", "thumbnail", "access", "merged-access", "external"].join(",");

/** The path with the identifiers of what was made. */
function filled(path: string): string {
  const made: Readonly<Record<string, string>> = { item, collection, library, shape, everything };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? "");
}

describe.skipIf(peers.xmllint === undefined)("answers of assets are valid by the schema that the service gives", () => {
  test.each([
    "/item/{item}",
    "/item/{item}?content={everything}&include=extradata,type&includeValues=true&defaultValue=true",
    "/item/{item}?content=metadata&terse=true",
    "/item/{item}/metadata",
    "/item/{item}/metadata?terse=yes",
    "/item/{item}/metadata/changes",
    "/item/{item}/metadata-lock",
    "/item/{item}/lock",
    "/item/{item}/relation",
    "/item/{item}/collections",
    "/item/{item}/uri",
    "/item/{item}/access",
    "/item/{item}/merged-access",
    "/item/{item}/external-id",
    "/item/{item}/deletion-lock",
    "/item/{item}/shape?placeholder=all",
    "/item/{item}/shape/{shape}",
    "/item/{item}/shape/{shape}/metadata",
    "/item/{item}/shape/{shape}/component",
    "/item/{item}/shape/{shape}/file?includeItem=true",
    "/item/{item}/shape/version",
    "/item/{item}/shape/version/0",
    "/item/{item}/thumbnailresource",
    "/item?content={everything}",
    "/item/history",
    "/collection",
    "/collection?content=metadata,access,external",
    "/collection/{collection}",
    "/collection/{collection}?content=metadata,merged-access,external",
    "/collection/{collection}/metadata",
    "/collection/{collection}/item?content=metadata&terse=true",
    "/collection/{collection}/access",
    "/collection/{collection}/ancestor",
    "/library",
    "/library/{library}",
    "/library/{library}/settings",
    "/metadata",
    "/document",
    "/document/notes",
    "/metadata-field?data=all&includeValues=true",
    "/metadata-field/news_note?data=all&includeValues=true",
    "/metadata-field/news_note/values",
    "/metadata-field/news_note/access",
    "/metadata-field/field-group?content=true&traverse=true",
    "/metadata-field/field-group/news_shot",
    "/metadata-schema",
    "/shape-tag",
    "/shape-tag/web",
    "/external-id",
    "/external-id/archive",
    "/deletion-lock",
    "/import/access",
    "/import/settings",
    "/reindex/item",
    "/item/VX-404",
    "/job/VX-1",
  ])("GET %s", async (target) => {
    const path = filled(target);
    const { type, text } = await admin.xml(`GET /API${path}`);
    expect([path, type]).toEqual([path, expect.stringContaining("xml")]);
    expect(complaints(text)).toBe("");
  });

  const facets =
    "<facet><field>title</field></facet><facet><field>news_length</field><range start='1' end='9'/></facet>";
  const extras =
    "<highlight><field>title</field></highlight><suggestion/><autocomplete><text>harb</text><field>title</field></autocomplete>";
  test.each([
    ["/item", ""],
    ["/item?cursor=*&content={everything}", ""],
    ["/item", `<text>harbour</text>${facets}${extras}`],
    ["/item?content=metadata&interval=result", "<field><name>news_note</name><value>wide</value></field>"],
    ["/search", `<text>harbour</text>${facets}${extras}`],
    ["/search?content={everything}&cursor=*", ""],
    ["/collection?content=metadata", `<text>rushes</text>${facets}`],
    ["/collection/{collection}/item", "<text>harbour</text>"],
    ["/search/shape?content=metadata", ""],
    ["/search/file", ""],
    ["/metadata-field/field-group?includeValue=true&includeDefinition=true&includeSource=true", ""],
  ])("PUT %s %s", async (target, criteria) => {
    const path = filled(target);
    const root = path.startsWith("/metadata-field") ? "MetadataFieldGroupSearchDocument" : "ItemSearchDocument";
    const answer = await admin.xml(`PUT /API${path}`, document(root, criteria));
    expect([path, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([path, 200, ""]);
    expect(complaints(answer.text)).toBe("");
  });
});
