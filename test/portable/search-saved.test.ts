import { describe, expect, test } from "vitest";
import { type JsonAnswer, openArchive } from "./search-archive.ts";

/** What to GET for the address in an answer. */
function addressIn({ status, body, headers }: JsonAnswer): string {
  const location = headers.get("location") ?? "";
  expect([status, body]).toEqual([303, undefined]);
  expect(location).toMatch(/^http:\/\/localhost\/API\//);
  return location.replace("http://localhost/API", "GET ");
}

const harbour = { text: [{ value: "harbour" }] };
const idsIn = (answer: JsonAnswer) => answer.body.item.map(({ id }: { readonly id: string }) => id);

describe("save=true", () => {
  test("answers the address of a search, which shows what it finds when it is read", async () => {
    const { admin, create } = await openArchive();
    const first = await create({ title: "Harbour" });
    const address = addressIn(await admin("PUT /item?save=true", harbour));
    expect(address).toMatch(/^GET \/item\/saved\/[0-9a-f]{24}$/);
    const before = await admin(address);
    expect([before.status, before.body.hits, idsIn(before)]).toEqual([200, 1, [first]]);
    const second = await create({ title: "Harbour at dawn" });
    expect(idsIn(await admin(address))).toEqual([second, first]);
  });

  test("gives equal searches one address, and others another", async () => {
    const { admin } = await openArchive();
    const save = async (query: object) => addressIn(await admin("PUT /item;save=true", query));
    const address = await save(harbour);
    expect(await save({ text: [{ value: "harbour", noescape: null }] })).toBe(address);
    expect(await save({ text: [{ value: "dawn" }] })).not.toBe(address);
  });

  test("keeps the parameters that say what is shown", async () => {
    const { admin, create } = await openArchive();
    for (let count = 0; count < 3; count++) await create({ title: `Harbour ${count}` });
    const sent = "first=2;number=1?content=metadata&field=title&terse=true&save=true&scheme=a%26b";
    const address = addressIn(await admin(`PUT /item;${sent}`, harbour));
    expect(new URL(address.slice(4), "http://x").searchParams.get("scheme")).toBe("a&b");
    const { body } = await admin(address);
    expect(body).toMatchObject({ hits: 3, item: [{ id: "VX-2", terse: { title: [{ value: "Harbour 1" }] } }] });
    expect((await admin(`${address.split("?")[0]}?number=2&count=false`)).body).toMatchObject({
      item: [{ id: "VX-3" }, { id: "VX-2" }],
    });
  });

  test("takes the search of a GET as well", async () => {
    const { admin, create } = await openArchive();
    await create({ title: "Harbour" });
    await create({ title: "Dawn" });
    const q = encodeURIComponent(JSON.stringify(harbour));
    const address = addressIn(await admin(`GET /item?q=${q}&save=true`));
    expect(address).not.toContain("q=");
    expect(idsIn(await admin(address))).toEqual(["VX-1"]);
  });

  test("lets clients ask whether anything has changed", async () => {
    const { kinora, admin, create } = await openArchive();
    await create({ title: "Harbour" });
    const address = addressIn(await admin("PUT /item?save=true", harbour)).slice(4);
    const read = (headers: Record<string, string> = {}) =>
      kinora.admin(`/API${address}`, { headers: { accept: "application/json", ...headers } });
    const tag = (await read()).headers.get("etag") ?? "";
    expect((await read({ "if-none-match": tag })).status).toBe(304);
    await create({ title: "Something else" });
    expect((await read({ "if-none-match": tag })).status).toBe(304);
    await create({ title: "Harbour again" });
    const changed = await read({ "if-none-match": tag });
    expect([changed.status, changed.headers.get("etag") === tag]).toEqual([200, false]);
  });

  test("shows everybody what they may see", async () => {
    const { admin, user, create } = await openArchive();
    const shared = await create({ title: "Harbour" });
    await create({ title: "Harbour of the others" });
    const eve = await user("eve", ["_item_read"]);
    await admin(`POST /item/${shared}/access`, { permission: "READ", user: "eve" });
    const address = addressIn(await admin("PUT /item?save=true", harbour));
    expect(idsIn(await eve(address))).toEqual([shared]);
    const nobody = await user("nobody", ["_collection_read"]);
    expect((await nobody(address)).status).toBe(403);
  });

  test("is there for collections, for both, for shapes and for files", async () => {
    const { admin, create } = await openArchive();
    const item = await create({ title: "Harbour" });
    const { body: collection } = await admin("POST /collection?name=Harbour");
    await admin(`PUT /collection/${collection.id}/${item}?type=item`);
    await create({ title: "Harbour outside" });
    const read = async (path: string, query: object) => {
      const address = addressIn(await admin(`PUT ${path}?save=true`, query));
      expect(address.startsWith(`GET ${path}/saved/`)).toBe(true);
      return (await admin(address)).body;
    };
    expect(await read("/collection", harbour)).toMatchObject({ hits: 1, collection: [{ id: collection.id }] });
    expect(await read("/search", harbour)).toMatchObject({ hits: 3 });
    expect(await read(`/collection/${collection.id}/item`, harbour)).toMatchObject({ hits: 1, item: [{ id: item }] });
    expect(await read("/search/shape", {})).toMatchObject({ hits: 2 });
    expect(await read("/search/file", {})).toMatchObject({ hits: 0, file: [] });
  });

  test("refuses what the search itself refuses, and a library at the same time", async () => {
    const { admin } = await openArchive();
    const refused = async (path: string, query: object) => (await admin(`PUT ${path}`, query)).status;
    expect(await refused("/item?save=true", { field: [{ name: "no_such" }] })).toBe(404);
    expect(await refused("/item?save=true", { sort: [{ field: "no_such" }] })).toBe(404);
    expect(await refused("/item?save=true", { facet: [{ field: "no_such" }] })).toBe(404);
    expect(await refused("/item?save=true", { cursor: "nonsense" })).toBe(400);
    expect(await refused("/item?save=true", { text: [{ value: "(", noescape: true }] })).toBe(400);
    expect(await refused("/item?save=true&result=library", harbour)).toBe(400);
    const long = { text: [{ value: "x".repeat(300_000) }] };
    expect(await refused("/item?save=true", long)).toBe(413);
  });

  test("an address that was never given is not there, nor one of another kind of search", async () => {
    const { admin } = await openArchive();
    const address = addressIn(await admin("PUT /item?save=true", harbour));
    const other = await admin(address.replace("/item/", "/collection/"));
    expect([other.status, other.body.notFound]).toMatchObject([404, { type: "saved-search" }]);
    expect((await admin("GET /item/saved/nonsense")).status).toBe(404);
  });

  test("keeps a search for 30 days behind its last use", async () => {
    const { kinora, admin } = await openArchive();
    const day = 24 * 3_600_000;
    const [read, unread] = [
      addressIn(await admin("PUT /item?save=true", harbour)),
      addressIn(await admin("PUT /item?save=true", {})),
    ];
    kinora.advance(29 * day);
    expect((await admin(read)).status).toBe(200);
    kinora.advance(2 * day);
    await kinora.service.tick();
    expect([(await admin(read)).status, (await admin(unread)).status]).toEqual([200, 404]);
  });

  test("keeps the last 1,000 of a user", async () => {
    const { admin, kinora } = await openArchive();
    const save = async (index: number) => {
      kinora.advance(1);
      return addressIn(await admin("PUT /item?save=true", { text: [{ value: `w${index}` }] }));
    };
    const addresses: string[] = [];
    for (let index = 0; index < 1001; index++) addresses.push(await save(index));
    const statusOf = async (index: number) => (await admin(addresses[index] ?? "")).status;
    expect([await statusOf(0), await statusOf(1), await statusOf(1000)]).toEqual([404, 200, 200]);
  });
});

test("url=true lists addresses in text form", async () => {
  const { kinora, create } = await openArchive();
  await create({ title: "Harbour" });
  const answer = async (accept: string) => (await kinora.admin("/API/item;url=true", { headers: { accept } })).text();
  expect(await answer("text/plain")).toBe("http://localhost/API/item/VX-1\r\n");
  expect(await answer("application/json")).toContain('"id":"VX-1"');
});
