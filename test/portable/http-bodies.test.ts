import { describe, expect, test } from "vitest";
import { document, text } from "../../src/documents/declare.ts";
import { serve } from "./http-client.ts";

const NoteDocument = document("NoteDocument", { note: text().required() });

const client = serve(
  (table) => {
    const common = { summary: "Test", role: "authenticated", output: "text" } as const;
    table.put("/note", { ...common, input: NoteDocument }, ({ body }) => body.note);
    table.put("/maybe", { ...common, input: NoteDocument, inputOptional: true }, ({ body }) => body?.note ?? "nothing");
    table.put("/any-root", { ...common, input: NoteDocument, anyRoot: true }, ({ body }) => body.note);
    table.put("/text", { ...common, input: "text" }, ({ body }) => `${body.length} ${body}`);
    table.put("/maybe-text", { ...common, input: "text", inputOptional: true }, ({ body }) => body ?? "nothing");
    table.put("/bytes", { ...common, input: "bytes" }, ({ body }) => [...body].join());
    table.put("/stream", { ...common, input: "stream" }, async ({ raw }) => `${(await raw.text()).length}`);
    table.put("/none", common, () => "not read");
  },
  { limits: { size: 100 } },
);

const xml = (note: string): string => `<NoteDocument><note>${note}</note></NoteDocument>`;
const json = (note: string): string => JSON.stringify({ note });
const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function put(path: string, body: BodyInit | undefined, headers: Record<string, string> = {}) {
  return client.fetch(
    "PUT",
    path,
    body === undefined ? { headers } : ({ body, headers, duplex: "half" } as RequestInit),
  );
}
/** A body in parts, without a declared length. */
function streamed(...parts: readonly string[]): ReadableStream<Uint8Array> {
  return new Blob(parts as string[]).stream();
}

describe("a body is read by its Content-Type", () => {
  test.each([
    ["/note", xml("å"), "application/xml", "å"],
    ["/note", xml("å"), "text/xml", "å"],
    ["/note", xml("å"), "Application/XML; charset=utf-8", "å"],
    ["/note", xml("å"), "application/vnd.kinora+xml", "å"],
    ["/note", latin1(xml("å")), 'application/xml;charset="ISO-8859-1"', "å"],
    ["/note", json("å"), "application/json", "å"],
    ["/note", json("å"), "application/json; charset=UTF-8", "å"],
    ["/note", json("å"), "application/vnd.kinora+json", "å"],
    ["/any-root", "<Whatever><note>a</note></Whatever>", "application/xml", "a"],
    ["/maybe", xml("a"), "application/xml", "a"],
    ["/maybe", undefined, undefined, "nothing"],
    ["/maybe", "", "application/json", "nothing"],
    ["/maybe", "", "image/png", "nothing"],
    ["/text", "å", "text/plain", "1 å"],
    ["/text", "\ufeffå", "text/plain;charset=utf-8", "1 å"],
    ["/text", latin1("a"), undefined, "1 a"],
    ["/text", undefined, undefined, "0 "],
    ["/maybe-text", undefined, undefined, "nothing"],
    ["/maybe-text", "x", "text/plain", "x"],
    ["/bytes", latin1("\0\xff"), "application/octet-stream", "0,255"],
    ["/bytes", undefined, undefined, ""],
    ["/none", "whatever", "image/png", "not read"],
  ])("PUT %s with %j as %s", async (path, body, type, expected) => {
    const answer = await put(path, body, type === undefined ? {} : { "content-type": type });
    expect(answer).toMatchObject({ status: 200, text: expected });
  });

  test("also when it comes in parts of unknown length", async () => {
    const answer = await put("/note", streamed("<NoteDocument>", "<note>", "a", "</note></NoteDocument>"), {
      "content-type": "application/xml",
    });
    expect(answer).toMatchObject({ status: 200, text: "a" });
  });

  test.each([
    ["/note", xml("a"), "text/plain", 415, "is text/plain; send application/xml or application/json"],
    ["/note", json("a"), "application/x-www-form-urlencoded", 415, "send application/xml or application/json"],
    ["/note", latin1(json("a")), undefined, 415, "has no Content-Type"],
    ["/note", json("a"), "application/json; charset=utf-16", 415, "JSON in UTF-8"],
    ["/note", xml("a"), "application/xml; charset=utf-7", 400, "The encoding `utf-7` is not offered"],
    ["/note", xml("a"), "application/json", 400, "NoteDocument must be an object"],
    ["/note", json("a"), "application/xml", 400, "not well-formed"],
    ["/note", undefined, undefined, 400, "must have a body, NoteDocument"],
    ["/note", "", "application/xml", 400, "must have a body, NoteDocument"],
    ["/note", "<Whatever><note>a</note></Whatever>", "application/xml", 400, "The root must be NoteDocument"],
    ["/text", "a", "application/json", 415, "send text/plain"],
    ["/text", "a", "text/plain; charset=utf-16", 415, "send text in UTF-8"],
    ["/text", latin1("å"), "text/plain", 400, "not valid UTF-8 (line 1, column 1)"],
  ])("PUT %s with %j as %s is refused with %i", async (path, body, type, status, explanation) => {
    const answer = await put(path, body, type === undefined ? {} : { "content-type": type });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(explanation);
  });

  test("and refused when it is packed", async () => {
    const answer = await put("/text", "x", { "content-type": "text/plain", "content-encoding": "gzip" });
    expect(answer).toMatchObject({ status: 415, text: expect.stringContaining("Content-Encoding") });
    expect(await put("/text", "x", { "content-encoding": "identity" })).toMatchObject({ status: 200 });
  });
});

describe("a body beyond the limit is refused", () => {
  const within = "x".repeat(100);
  const beyond = `${within}x`;

  test.each([
    ["by what it is", within, beyond],
    ["in parts", within, beyond],
  ])("%s", async (how, fits, tooLarge) => {
    const body = (text: string): BodyInit => (how === "in parts" ? streamed(text.slice(0, 60), text.slice(60)) : text);
    expect(await put("/text", body(fits), { "content-type": "text/plain" })).toMatchObject({ status: 200 });
    expect(await put("/text", body(tooLarge), { "content-type": "text/plain" })).toMatchObject({
      status: 413,
      text: expect.stringContaining("larger than 100 bytes (setting maxBodyBytes)"),
    });
  });

  test("by its declared length, before it is read", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const answer = await put("/bytes", body, { "content-length": "101" });
    expect([answer.status, pulled]).toEqual([413, 0]);
  });

  test("as soon as it is too much, and the rest is not waited for", async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(60));
        },
        cancel: () => {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await put("/bytes", body)).toMatchObject({ status: 413 });
    expect(pulled).toBeLessThan(5);
    expect(cancelled).toBe(true);
  });

  test("but not a stream, which the handler reads", async () => {
    expect(await put("/stream", "x".repeat(1000))).toMatchObject({ status: 200, text: "1000" });
  });
});

test("a body that breaks off is the client's fault, and no defect", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(3)),
    pull: (controller) => controller.error(new Error("connection reset")),
  });
  const answer = await put("/bytes", body);
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("ended before it was complete") });
  expect(client.defects).toEqual([]);
});
