import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fetcher, startService, type TestService } from "./harness.ts";

const headers = { "content-type": "application/json", accept: "application/json" };

let kinora: TestService;
let carl: Fetcher;
let item: string;

interface Found {
  readonly hits: number;
  readonly group: readonly {
    readonly name: string;
    readonly start: string;
    readonly source?: { readonly id: string; readonly type: string };
    readonly value?: { readonly field: readonly { readonly value: readonly { readonly value: string }[] }[] };
    readonly definition?: { readonly name: string };
  }[];
}

async function send<T>(by: Fetcher, method: string, path: string, body?: unknown): Promise<T> {
  const response = await by(`/API${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as T;
}

const person = (name: string, more: object = {}) => ({
  name: "person",
  mode: "add",
  field: [{ name: "person_name", value: [{ value: name }] }],
  ...more,
});
const search = (by: Fetcher, query: string, body: unknown = {}) =>
  send<Found>(by, "PUT", `/metadata-field/field-group${query}`, body);
const named = (value: string) => ({ field: [{ name: "person_name", value: [{ value }] }] });

beforeAll(async () => {
  kinora = await startService();
  const { admin } = kinora;
  await send(admin, "PUT", "/user/carl", { userName: "carl", password: "carls password" });
  await send(admin, "PUT", "/group/_metadata_field_group_read/user/carl");
  carl = kinora.as("carl", "carls password");
  await send(admin, "PUT", "/metadata-field/field-group/person", { field: [{ name: "person_name", type: "string" }] });
  await send(admin, "PUT", "/metadata-field/field-group/place");
  await send(admin, "PUT", "/metadata", { timespan: [{ group: [person("Ada Lovelace"), person("Bo Ek")] }] });
  const timed = {
    start: "10",
    end: "20",
    group: [person("Ada Aune"), { name: "place", field: [{ name: "title", value: [{ value: "Quay" }] }] }],
  };
  item = (await send<{ id: string }>(admin, "POST", "/import/placeholder", { timespan: [timed] })).id;
});
afterAll(() => kinora.close());

describe("instances of field groups", () => {
  it("are found by what is in them, wherever they stand", async () => {
    const { hits, group } = await search(
      kinora.admin,
      "?group=person&includeValue=true&includeSource=true",
      named("ada"),
    );
    expect(hits).toBe(2);
    const texts = group.map(
      ({ source, start, value }) => `${source?.type} ${start} ${value?.field[0]?.value[0]?.value}`,
    );
    expect(texts.sort()).toEqual(["global -INF Ada Lovelace", "item 10 Ada Aune"]);
    expect(group.map(({ source }) => source?.id)).toContain(item);
  });

  it("are found in pages, with what is asked for of each", async () => {
    const page = await search(kinora.admin, "?group=person&first=2&number=1&includeDefinition=true");
    expect([page.hits, page.group.length, page.group[0]?.definition?.name, page.group[0]?.source]).toEqual([
      3,
      1,
      "person",
      undefined,
    ]);
    expect((await search(kinora.admin, "?group=place")).hits).toBe(1);
    expect((await search(kinora.admin, "?group=nothing")).hits).toBe(0);
  });

  it("of entities that the caller may not read are not found", async () => {
    expect((await search(carl, "?group=person", named("ada"))).group.map(({ start }) => start)).toEqual(["-INF"]);
    expect((await search(carl, "?group=place")).hits).toBe(0);
  });
});
