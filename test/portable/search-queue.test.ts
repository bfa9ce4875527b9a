import { expect, onTestFinished, test } from "vitest";
import { openContainerApi } from "./container-api.ts";

test("entities that a change could not hold are indexed in the background", async () => {
  const api = await openContainerApi();
  onTestFinished(api.close);
  const { store } = api;
  const titled = (title: string) => ({
    timespan: [{ start: "-INF", end: "+INF", field: [{ name: "title", value: [{ value: title }] }] }],
  });
  await api.admin("POST /import/placeholder?container=1", titled("Harbour"));
  await api.admin("POST /collection?name=Harbour");
  const hits = async () => (await api.admin("PUT /search", { text: [{ value: "harbour" }] })).body.hits;
  expect(await hits()).toBe(2);
  const write = (sql: string) => store.database.batch([{ sql }], "write");
  await write("delete from search_index where rowid in (select id from search_document)");
  expect(await hits()).toBe(0);
  // One of them is gone by the time that it is its turn.
  await write("insert into search_queue (id) select id from search_document where id & 7 in (1, 2) union select 8001");
  await api.tick();
  expect(await hits()).toBe(2);
  expect(await store.query({ sql: "select id from search_queue" })).toEqual([]);
});
