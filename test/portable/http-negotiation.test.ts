import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { document, text } from "../../src/documents/declare.ts";
import { negotiate } from "../../src/http/negotiate.ts";
import { serve } from "./http-client.ts";

const xml = "application/xml";
const json = "application/json";
const plain = "text/plain";

describe("of XML, JSON and text the client gets", () => {
  test.each([
    [undefined, xml],
    ["", xml],
    ["*/*", xml],
    ["*", xml],
    ["application/*", xml],
    ["text/*", plain],
    [xml, xml],
    [json, json],
    [plain, plain],
    ["APPLICATION/JSON", json],
    ["application/json;charset=UTF-8", json],
    ["application/json, application/xml", xml],
    ["application/json, application/xml;q=0.9", json],
    ["application/xml;q=0.5, application/json;q=0.51", json],
    ["application/json;q=0.9, */*;q=0.8", json],
    ["text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", xml],
    ["*/*, application/xml;q=0", json],
    ["application/*;q=0.1, text/plain;q=0.2, application/xml", xml],
    ["application/xml;q=0.1, application/*", json],
    ["text/plain;q=1.000, application/json;q=0.999", plain],
    ["application/json ; q = 0.3 , text/plain ; q=0.2", json],
    ["image/png", undefined],
    ["application/json;q=0", undefined],
    ["text", undefined],
    [",;,/;q=,", undefined],
    ["application/json;q=5", json],
    ["application/json;q=high", json],
  ])("for %j: %j", (accept, expected) => {
    expect(negotiate(accept, [xml, json, plain])).toBe(expected);
  });

  test("never one that is refused, whatever the header", () => {
    const range = fc
      .tuple(
        fc.constantFrom("*/*", "application/*", "text/*", xml, json, plain, "image/png"),
        fc.constantFrom("", ";q=0", ";q=0.3", ";q=1", ";x=y;q=0.7"),
      )
      .map(([type, weight]) => type + weight);
    fc.assert(
      fc.property(fc.array(range, { minLength: 1 }), fc.string(), (ranges, noise) => {
        const chosen = negotiate(ranges.join(","), [xml, json, plain]);
        if (chosen !== undefined) expect(ranges.join(",")).toMatch(new RegExp(`${chosen.replace("/", "\\/")}|\\*`));
        expect(() => negotiate(noise, [xml, json, plain])).not.toThrow();
      }),
    );
  });

  test("a header of any length, read in bounded time and memory", () => {
    expect(negotiate(`${"a/b,".repeat(100_000)}application/json`, [xml, json])).toBeUndefined();
  });
});

describe("a route", () => {
  const NoteDocument = document("NoteDocument", { note: text() });
  const client = serve((table) => {
    const summary = "Test";
    table.get("/both", { summary, role: "authenticated", output: NoteDocument }, () => ({ note: "a" }));
    table.get(
      "/all",
      { summary, role: "authenticated", output: NoteDocument, plain: ({ note }) => [`note\t${note}`, "end"] },
      () => ({ note: "a" }),
    );
    table.get("/one", { summary, role: "authenticated", output: NoteDocument, plain: () => "raw" }, () => ({}));
    table.get("/text", { summary, role: "authenticated", output: "text" }, () => "å");
    table.delete("/none", { summary, role: "authenticated", output: "none" }, () => undefined);
  });
  const xmlText =
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><NoteDocument xmlns="urn:test"><note>a</note></NoteDocument>';

  test.each([
    ["/both", "*/*", 200, "application/xml", xmlText],
    ["/both", "text/xml", 200, "text/xml", xmlText],
    ["/both", json, 200, "application/json", '{"note":"a"}'],
    ["/both", plain, 406, "text/plain; charset=utf-8", "offered as application/xml, application/json"],
    ["/both", "image/png", 406, "application/xml", "<ExceptionDocument"],
    ["/all", plain, 200, "text/plain; charset=utf-8", "note\ta\r\nend\r\n"],
    ["/one", plain, 200, "text/plain; charset=utf-8", "raw"],
    ["/text", "*/*", 200, "text/plain; charset=utf-8", "å"],
    ["/text", "text/*", 200, "text/plain; charset=utf-8", "å"],
    ["/text", json, 406, "application/json", "offered as text/plain"],
  ])("GET %s with Accept %j answers %i %s", async (path, accept, status, type, body) => {
    const answer = await client.fetch("GET", path, { headers: { accept } });
    expect(answer).toMatchObject({ status, type });
    expect(answer.text).toContain(body);
  });

  test("without a document does not ask what the client accepts", async () => {
    const answer = await client.fetch("DELETE", "/none", { headers: { accept: "image/png" } });
    expect(answer).toMatchObject({ status: 200, text: "", type: null });
  });

  test("says that its form depends on Accept", async () => {
    expect((await client.fetch("GET", "/both")).headers.get("vary")).toBe("accept");
  });
});
