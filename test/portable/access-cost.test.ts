import { afterAll, beforeAll, expect, test } from "vitest";
import type { Statement } from "../../src/store/database.ts";
import { type ContainerApi, makeCollection, makeItem, openContainerApi } from "./container-api.ts";

let api: ContainerApi;
const written: Statement[][] = [];
beforeAll(async () => {
  api = await openContainerApi();
  const { database } = api.store;
  const batch = database.batch.bind(database);
  Object.assign(database, {
    batch: (statements: readonly Statement[], mode: "read" | "write") => {
      if (mode === "write") written.push([...statements]);
      return batch(statements, mode);
    },
  });
});
afterAll(() => api.close());

/** Makes a collection of so many items in one sub-collection. */
async function collectionOf(count: number): Promise<string> {
  const alva = api.as("alva");
  const [outer, inner] = [await makeCollection(alva), await makeCollection(alva)];
  const content: object[] = [];
  for (let made = 0; made < count; made++) content.push({ id: await makeItem(alva) });
  await alva(`PUT /collection/${inner}`, { content });
  await alva(`PUT /collection/${outer}/${inner}?type=collection`);
  return outer;
}

/** What a request writes: the size of its largest batch, and the rows that the index has been told of. */
async function costOf(request: string, document?: unknown) {
  written.length = 0;
  expect((await api.as("alva")(request, document)).status).toBe(200);
  const largest = Math.max(...written.map((batch) => batch.length));
  const moves = written.flat().filter(({ sql }) => sql.startsWith("update search_document"));
  return { largest, moves: moves.length, arguments: Math.max(...moves.map(({ args }) => String(args?.at(-1)).length)) };
}

test("a grant on a collection costs no more, however many items are below it", async () => {
  const [few, many] = [await collectionOf(2), await collectionOf(80)];
  // The first grant to somebody makes the number that stands for them.
  await costOf(`POST /collection/${few}/access`, { user: "bo", permission: "READ" });
  const grant = { user: "bo", permission: "WRITE" };
  const cost = await costOf(`POST /collection/${few}/access`, grant);
  await costOf(`POST /collection/${many}/access`, { user: "bo", permission: "READ" });
  const more = await costOf(`POST /collection/${many}/access`, grant);
  // The first one also writes what both come to.
  expect(more.largest).toBeLessThanOrEqual(cost.largest);
  expect(more.moves).toBe(1);
  expect(more.arguments).toBeLessThanOrEqual(cost.arguments + 2);
});

test("the move of a collection costs no more, however many items are below it", async () => {
  const target = await makeCollection(api.as("alva"));
  await costOf(`POST /collection/${target}/access`, { user: "bo", permission: "READ" });
  const costs: number[] = [];
  for (const count of [2, 80]) {
    const collection = await collectionOf(count);
    costs.push((await costOf(`PUT /collection/${target}/${collection}?type=collection`)).largest);
  }
  expect(costs[1]).toBeLessThanOrEqual(costs[0] ?? 0);
});
