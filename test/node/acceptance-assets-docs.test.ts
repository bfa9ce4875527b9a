import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../portable/acceptance-assets-client.ts";
import { startService, type TestService } from "../portable/harness.ts";

/** A request of a page, and the answer that the page shows for it. */
interface Example {
  readonly request: string;
  readonly status: number;
  readonly accept?: string | undefined;
  readonly type?: string | undefined;
  readonly body?: string | undefined;
  readonly answer?: string | undefined;
}

const pages = ["assets.md", "metadata.md", "search.md"];

async function examplesOf(page: string): Promise<readonly Example[]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const blocks = text.matchAll(/```http ?(\d*)\n([\s\S]*?)```(?:\s*```(?:json|xml|text)\n([\s\S]*?)```)?/g);
  return [...blocks].map(([, status = "", sent = "", answer]) => {
    const [head = "", ...rest] = sent.trim().split("\n\n");
    const [request = "", ...headers] = head.split("\n");
    const header = (name: string) =>
      headers.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
    const body = rest.length === 0 ? undefined : rest.join("\n\n");
    const expected = status === "" ? 200 : Number(status);
    return { request, status: expected, accept: header("accept"), type: header("content-type"), body, answer };
  });
}

/** XML without the space that only makes it readable. */
function compact(xml: string): string {
  return xml
    .replace(/^<\?xml[^>]*\?>/, "")
    .replace(/>\s+</g, "><")
    .trim();
}

const examples = new Map(await Promise.all(pages.map(async (page) => [page, await examplesOf(page)] as const)));

describe.each(pages)("the examples of docs/%s, in their order", (page) => {
  let kinora: TestService;
  let client: Client;
  beforeAll(async () => {
    kinora = await startService();
    client = clientOf(kinora.admin);
  });
  afterAll(() => kinora.close());

  test.each(examples.get(page) ?? [])("$request", async ({ request, status, accept, type, body, answer }) => {
    const given = await client.send(request, {
      ...(accept === undefined ? {} : { accept }),
      ...(type === undefined ? {} : { type }),
      ...(body === undefined ? {} : { body }),
    });
    expect([given.status, given.status === status ? "" : given.text]).toEqual([status, ""]);
    if (answer === undefined) return;
    if (accept === "application/json") expect(given.json).toMatchObject(JSON.parse(answer));
    else if (accept === "application/xml") expect(compact(given.text)).toBe(compact(answer));
    else expect(given.text.trim()).toBe(answer.trim());
  });

  test("are as many as there are blocks", async () => {
    const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
    const found = examples.get(page) ?? [];
    const answers = found.filter(({ answer }) => answer !== undefined);
    expect(found.length).toBeGreaterThan(3);
    expect(text.match(/^```/gm)).toHaveLength(2 * (found.length + answers.length));
  });
});
