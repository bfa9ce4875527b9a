import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "./harness.ts";

const json = { "content-type": "application/json", accept: "application/json" };

let kinora: TestService;
beforeAll(async () => {
  kinora = await startService();
});
afterAll(() => kinora.close());

async function send(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await kinora.admin(`/API${path}`, {
    method,
    headers: json,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

const search = async (name: string, value: string) =>
  (await send("PUT", "/item", { field: [{ name, value: [{ value }] }] })).body.hits;

const fieldsOf = (fields: Record<string, string>) => ({
  timespan: [{ field: Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] })) }],
});

/** Lets the background do what is due. */
async function settle(): Promise<void> {
  for (let count = 0; count < 10; count++) {
    kinora.advance(1000);
    await kinora.service.tick();
  }
}

describe("a field that is redefined", () => {
  it("is searched as it is defined now, once the background has caught up", async () => {
    await send("PUT", "/metadata-field/news_note", { type: "string" });
    await send("POST", "/import/placeholder", fieldsOf({ news_note: "Harbour at Dawn" }));
    expect(await search("news_note", "harbour")).toBe(1);
    await send("PUT", "/metadata-field/news_note", { type: "string-exact" });
    await settle();
    expect([await search("news_note", "harbour"), await search("news_note", "Harbour at Dawn")]).toEqual([0, 1]);
  });

  it("is found when it was not indexed before", async () => {
    await send("PUT", "/metadata-field/news_hidden", { type: "string-noindex" });
    await send("POST", "/import/placeholder", fieldsOf({ news_hidden: "secret" }));
    await send("PUT", "/metadata-field/news_hidden", { type: "string", index: "index", fullText: true });
    await settle();
    expect(await search("news_hidden", "secret")).toBe(1);
    expect((await send("PUT", "/item", { text: [{ value: "secret" }] })).body.hits).toBe(1);
  });

  it("is found no more by its text when it is deleted", async () => {
    await send("PUT", "/metadata-field/news_gone", { type: "string" });
    const { body } = await send("POST", "/import/placeholder", fieldsOf({ news_gone: "vanishing" }));
    const text = async () => (await send("PUT", "/item", { text: [{ value: "vanishing" }] })).body.hits;
    expect(await text()).toBe(1);
    await send("DELETE", "/metadata-field/news_gone");
    const shown = await send("GET", `/item/${body.id}?content=metadata&field=news_gone`);
    expect(JSON.stringify(shown.body)).not.toContain("vanishing");
    await settle();
    expect(await text()).toBe(0);
  });
});
