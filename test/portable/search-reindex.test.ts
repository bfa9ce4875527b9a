import { describe, expect, test } from "vitest";
import { startService } from "./harness.ts";

const json = { accept: "application/json", "content-type": "application/json" };

async function archive() {
  const kinora = await startService();
  const call = async (method: string, path: string, body?: object) => {
    const response = await kinora.admin(path, {
      method,
      headers: json,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const create = (title: string) =>
    call("POST", "/API/import/placeholder?container=1", {
      timespan: [{ start: "-INF", end: "+INF", field: [{ name: "title", value: [{ value: title }] }] }],
    });
  return { kinora, call, create };
}

describe("PUT /reindex/item", () => {
  test("rebuilds what is found, in the background", async () => {
    const { kinora, call, create } = await archive();
    for (const title of ["Harbour", "Dawn", "Sea"]) await create(title);
    expect(await call("PUT", "/API/reindex/item")).toEqual({
      status: 200,
      body: {
        index: "item",
        priority: 500,
        status: "IN_QUEUE",
        start: "2026-01-01T00:00:00.000+0000",
        indexesDone: 0,
        indexesTotal: 3,
      },
    });
    await kinora.service.tick();
    const { body } = await call("GET", "/API/reindex/item");
    expect(body).toMatchObject({ status: "FINISHED", indexesDone: 3, indexesTotal: 3 });
    expect((await call("PUT", "/API/item", { text: [{ value: "harbour" }] })).body.hits).toBe(1);
    expect((await call("PUT", "/API/item", {})).body.hits).toBe(3);
  });

  test("can be paused, gone on with and ended; what has ended stays", async () => {
    const { kinora, call, create } = await archive();
    await create("Harbour");
    await call("PUT", "/API/reindex/item");
    expect((await call("PUT", "/API/reindex/item?status=PAUSED")).body.status).toBe("PAUSED");
    await kinora.service.tick();
    expect((await call("GET", "/API/reindex/item")).body.status).toBe("PAUSED");
    await call("PUT", "/API/reindex/item?status=IN_PROGRESS");
    await kinora.service.tick();
    expect((await call("GET", "/API/reindex/item")).body.status).toBe("FINISHED");
    expect((await call("PUT", "/API/reindex/item?status=ABORTED")).body.status).toBe("FINISHED");
    expect((await call("PUT", "/API/reindex/item?status=IN_QUEUE")).body.status).toBe("IN_QUEUE");
  });

  test.each([
    ["PUT", "/API/reindex/no-such"],
    ["GET", "/API/reindex/item"],
    ["PUT", "/API/reindex/item?status=PAUSED"],
  ])("%s %s is not found before there is one", async (method, path) => {
    const { call } = await archive();
    expect((await call(method, path)).status).toBe(404);
  });

  test("is for administrators", async () => {
    const { kinora } = await archive();
    expect((await kinora.fetch("/API/reindex/item", { method: "PUT" })).status).toBe(401);
  });
});
