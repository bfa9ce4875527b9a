import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../src/documents/read-json.ts";
import { readXml } from "../../src/documents/read-xml.ts";
import { writeJson } from "../../src/documents/write-json.ts";
import { writeXml } from "../../src/documents/write-xml.ts";
import { documentWithValue } from "./documents-generated.ts";

const runs = { numRuns: 500 };

describe("what is written reads back the same, whatever the document", () => {
  test("as XML", () => {
    fc.assert(
      fc.property(documentWithValue, ({ document, value }) => {
        expect(readXml(document, writeXml(document, value, "urn:kinora:schema:media-asset"))).toEqual(value);
      }),
      runs,
    );
  });

  test("as XML in bytes, in another namespace", () => {
    fc.assert(
      fc.property(
        documentWithValue,
        fc.constantFrom("", "urn:a&b", "http://xml.vidispine.com/schema/vidispine"),
        ({ document, value }, namespace) => {
          const bytes = new TextEncoder().encode(writeXml(document, value, namespace));
          expect(readXml(document, bytes, { namespace })).toEqual(value);
        },
      ),
      runs,
    );
  });

  test("as JSON, which every JSON parser reads", () => {
    fc.assert(
      fc.property(documentWithValue, ({ document, value }) => {
        const json = writeJson(document, value);
        JSON.parse(json);
        expect(readJson(document, json)).toEqual(value);
      }),
      runs,
    );
  });

  test("from XML to JSON and back", () => {
    fc.assert(
      fc.property(documentWithValue, ({ document, value }) => {
        const read = readJson(document, writeJson(document, value));
        expect(readXml(document, writeXml(document, read as never, ""))).toEqual(value);
      }),
      runs,
    );
  });
});

test("no cut-off document is ever taken for a whole one", () => {
  fc.assert(
    fc.property(documentWithValue, fc.nat(), ({ document, value }, where) => {
      const xml = writeXml(document, value, "");
      const json = writeJson(document, value);
      expect(() => readXml(document, xml.slice(0, where % xml.length))).toThrow(
        expect.objectContaining({ status: 400 }),
      );
      expect(() => readJson(document, json.slice(0, where % json.length))).toThrow(
        expect.objectContaining({ status: 400 }),
      );
    }),
    runs,
  );
});
