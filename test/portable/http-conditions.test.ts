import { describe, expect, test } from "vitest";
import { document, text } from "../../src/documents/declare.ts";
import { KinoraError } from "../../src/errors.ts";
import { intParameter } from "../../src/http/parameters.ts";
import { reply } from "../../src/http/reply.ts";
import { serve } from "./http-client.ts";

const NoteDocument = document("NoteDocument", { note: text() });

function notes() {
  const state = { notes: new Map([["a", "one"]]), revision: 1, writes: 0 };
  const client = serve((table) => {
    const common = { summary: "Test", role: "authenticated" } as const;
    const read = (id: string): { readonly note: string } => {
      const note = state.notes.get(id);
      if (note === undefined) throw new KinoraError("not-found", { type: "Note", id });
      return { note };
    };
    table.get("/note/{id}", { ...common, output: NoteDocument, etag: true }, async ({ params }) => read(params.id));
    table.put("/note/{id}", { ...common, input: NoteDocument, output: "none" }, ({ params, body }) => {
      state.writes++;
      state.notes.set(params.id, body.note ?? "");
    });
    table.delete("/note/{id}", { ...common, output: "none" }, ({ params }) => {
      state.writes++;
      state.notes.delete(params.id);
    });
    table.get("/versioned", { ...common, output: NoteDocument, etag: true, query: { n: intParameter() } }, () =>
      reply({ note: "x" }, { etag: `VX-${state.revision}, "${state.revision}"` }),
    );
    table.put("/versioned", { ...common, input: "text", output: "text" }, ({ ifMatch }) => {
      state.revision++;
      return JSON.stringify(ifMatch ?? null);
    });
    table.get("/list", { ...common, output: NoteDocument }, () => ({ note: "x" }));
    table.put("/list", { ...common, output: "none" }, () => undefined);
  });
  return { state, ...client };
}

const json = { "content-type": "application/json" };

describe("GET of one entity has an entity tag", () => {
  test("that is the same as long as the entity is, and another one after a change", async () => {
    const { fetch, state } = notes();
    const tag = async () => (await fetch("GET", "/note/a")).headers.get("etag");
    const first = await tag();
    expect(first).toMatch(/^"[0-9a-f]{24}\.xml"$/);
    expect(await tag()).toBe(first);
    state.notes.set("a", "two");
    expect(await tag()).not.toBe(first);
  });

  test("that differs between the forms of the entity", async () => {
    const { fetch } = notes();
    const [xml, asJson] = await Promise.all(
      ["application/xml", "application/json"].map((accept) => fetch("GET", "/note/a", { headers: { accept } })),
    );
    expect(asJson?.headers.get("etag")).toBe(xml?.headers.get("etag")?.replace("xml", "json"));
  });

  test("that the handler may give, in any text", async () => {
    const { fetch } = notes();
    expect((await fetch("GET", "/versioned")).headers.get("etag")).toBe('"VX-1,__1_.xml"');
  });

  test("but lists have none", async () => {
    expect((await notes().fetch("GET", "/list")).headers.get("etag")).toBeNull();
  });

  test.each([
    ["the tag", (tag: string) => tag, 304],
    ["the tag among others", (tag: string) => `"x", ${tag}`, 304],
    ["the tag, weak", (tag: string) => `W/${tag}`, 304],
    ["a star", () => "*", 304],
    ["another tag", () => '"x"', 200],
    ["the tag of another form", (tag: string) => tag.replace("xml", "json"), 200],
    ["nonsense", () => "abc", 200],
  ])("and with If-None-Match of %s", async (_, header, status) => {
    const { fetch } = notes();
    const tag = (await fetch("GET", "/note/a")).headers.get("etag") ?? "";
    const answer = await fetch("GET", "/note/a", { headers: { "if-none-match": header(tag) } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("etag")).toBe(tag);
    expect(answer.headers.get("x-request-id")).toBe("request-1");
    expect(answer.text === "").toBe(status === 304);
  });

  test("HEAD too", async () => {
    const { fetch } = notes();
    const tag = (await fetch("HEAD", "/note/a")).headers.get("etag") ?? "";
    expect((await fetch("HEAD", "/note/a", { headers: { "if-none-match": tag } })).status).toBe(304);
  });
});

describe("PUT and DELETE with If-Match", () => {
  test.each([
    ["the present tag", (tag: string) => tag, 200],
    ["the present tag of another form", (tag: string) => tag.replace("xml", "json"), 200],
    ["the present tag among others", (tag: string) => `"x.xml",${tag}`, 200],
    ["a star", () => "*", 200],
    ["another tag", () => '"abc.xml"', 412],
    ["the present tag, weak", (tag: string) => `W/${tag}`, 412],
    ["nonsense", () => "abc", 412],
  ])("of %s", async (_, header, status) => {
    for (const method of ["PUT", "DELETE"]) {
      const { fetch, state } = notes();
      const tag = (await fetch("GET", "/note/a")).headers.get("etag") ?? "";
      const body = method === "PUT" ? { body: '{"note":"new"}' } : {};
      const answer = await fetch(method, "/note/a", { ...body, headers: { ...json, "if-match": header(tag) } });
      expect([answer.status, state.writes]).toEqual([status, status === 200 ? 1 : 0]);
    }
  });

  test("changes nothing that was changed since", async () => {
    const { fetch, state } = notes();
    const headers = { ...json, "if-match": (await fetch("GET", "/note/a")).headers.get("etag") ?? "" };
    expect((await fetch("PUT", "/note/a", { body: '{"note":"mine"}', headers })).status).toBe(200);
    expect((await fetch("PUT", "/note/a", { body: '{"note":"yours"}', headers })).status).toBe(412);
    expect(state.notes.get("a")).toBe("mine");
  });

  test.each(['"abc.xml"', "*"])("of %s creates nothing that is not there", async (tag) => {
    const { fetch, state } = notes();
    const answer = await fetch("PUT", "/note/new", { body: '{"note":"x"}', headers: { ...json, "if-match": tag } });
    expect([answer.status, state.notes.has("new")]).toEqual([412, false]);
  });

  test("goes by the version that the handler of GET gives, and hands it to the one of PUT", async () => {
    const { fetch } = notes();
    const tag = (await fetch("GET", "/versioned")).headers.get("etag") ?? "";
    const put = (header: string) =>
      fetch("PUT", "/versioned", { body: "x", headers: { "content-type": "text/plain", "if-match": header } });
    expect(await put(tag)).toMatchObject({ status: 200, text: '["VX-1,__1_"]' });
    expect(await put(tag)).toMatchObject({ status: 412 });
  });

  test("is left alone where GET has no tag", async () => {
    expect((await notes().fetch("PUT", "/list", { headers: { "if-match": '"x"' } })).status).toBe(200);
  });
});
