import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi } from "./container-api.ts";

let api: ContainerApi;
beforeAll(async () => {
  api = await openContainerApi();
  const field = { name: "test_place", type: "string-exact-sortable", inheritance: "true" };
  expect((await api.admin("PUT /metadata-field/test_place", field)).status).toBe(200);
});
afterAll(() => api.close());

async function place(entity: string, value: string | undefined): Promise<void> {
  const values = value === undefined ? [] : [{ value }];
  await api.admin(`PUT ${entity}/metadata`, { timespan: [{ field: [{ name: "test_place", value: values }] }] });
}

/** The value that an item shows, and whether exactly those searches find it that should. */
async function shown(item: string, values: readonly string[]): Promise<string | undefined> {
  const { body } = await api.admin(`GET /item/${item}/metadata?field=test_place`);
  const field = body.item[0].metadata.timespan?.[0]?.field?.[0];
  const value: string | undefined = field?.value?.[0]?.value;
  for (const one of values) {
    const criterion = { field: [{ name: "test_place", value: [{ value: one }] }] };
    const found = await api.admin("PUT /item", { ...criterion, sort: [{ field: "test_place" }] });
    const ids = found.body.item.map(({ id }: { readonly id: string }) => id);
    expect([one, ids.includes(item)]).toEqual([one, one === value]);
  }
  return value === undefined
    ? undefined
    : `${value}${field.inheritance === undefined ? "" : ` from ${field.inheritance}`}`;
}

test("values of a collection are those of its items, wherever the items and collections go", async () => {
  const [outer, inner] = [await makeCollection(api.admin), await makeCollection(api.admin)];
  const item = await makeItem(api.admin);
  const values = ["Oslo", "Bergen", "Rome", "Here"];
  await place(`/collection/${outer}`, "Oslo");
  await api.admin(`PUT /collection/${inner}/${item}`);
  expect(await shown(item, values)).toBeUndefined();
  await api.admin(`PUT /collection/${outer}/${inner}?type=collection`);
  expect(await shown(item, values)).toBe(`Oslo from Collection/${outer}`);
  await place(`/collection/${inner}`, "Bergen");
  expect(await shown(item, values)).toBe(`Bergen from Collection/${inner}`);
  await place(`/item/${item}`, "Here");
  expect(await shown(item, values)).toBe("Here");
  await place(`/item/${item}`, undefined);
  expect(await shown(item, values)).toBe(`Bergen from Collection/${inner}`);
  await api.admin(`DELETE /collection/${inner}`);
  expect(await shown(item, values)).toBeUndefined();
  await api.admin(`PUT /collection/${outer}/${item}`);
  expect(await shown(item, values)).toBe(`Oslo from Collection/${outer}`);
  await place(`/collection/${outer}`, "Rome");
  expect(await shown(item, values)).toBe(`Rome from Collection/${outer}`);
  await api.admin(`DELETE /collection/${outer}/${item}`);
  expect(await shown(item, values)).toBeUndefined();
});
