import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { AnyDocument } from "../../src/documents/declare.ts";
import { writeXml } from "../../src/documents/write-xml.ts";
import { xsd } from "../../src/documents/xsd.ts";
import { peers } from "../peers/programs.ts";
import { documentWithValue } from "../portable/documents-generated.ts";
import * as samples from "../portable/documents-samples.ts";

const folder = mkdtempSync(join(tmpdir(), "kinora-schema-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What xmllint says against a document; empty when it is valid. */
function complaints(schema: string, ...documents: readonly string[]): string {
  const schemaFile = join(folder, "schema.xsd");
  writeFileSync(schemaFile, schema);
  const files = documents.map((document, index) => {
    const file = join(folder, `${index}.xml`);
    writeFileSync(file, document);
    return file;
  });
  const { status, stderr } = spawnSync(peers.xmllint as string, ["--noout", "--schema", schemaFile, ...files], {
    encoding: "utf8",
  });
  return status === 0 ? "" : stderr;
}

const namespace = "urn:kinora:schema:media-asset";

describe.skipIf(peers.xmllint === undefined)("xmllint finds valid by our schema", () => {
  const declared: readonly AnyDocument[] = [
    samples.MetadataDocument,
    samples.SearchDocument,
    samples.ItemListDocument,
    samples.TerseListDocument,
    samples.QuotaRuleDocument,
    samples.QuotaTemplateDocument,
  ];

  test.each([namespace, "", "http://example.org/a?b"])("every sample, in the namespace %j", (target) => {
    const written = [
      writeXml(samples.MetadataDocument, samples.metadata, target),
      writeXml(samples.SearchDocument, samples.search, target),
      writeXml(samples.ItemListDocument, samples.items, target),
      writeXml(samples.TerseListDocument, samples.terseList, target),
      writeXml(samples.QuotaRuleDocument, samples.quotaRule, target),
      writeXml(samples.QuotaTemplateDocument, samples.quotaRule, target),
    ];
    expect(complaints(xsd(declared, target), ...written)).toBe("");
  });

  test("whatever is written, whatever the document", () => {
    fc.assert(
      fc.property(documentWithValue, ({ document, value }) => {
        expect(complaints(xsd([document], namespace), writeXml(document, value, namespace))).toBe("");
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ["a missing required element", "<QuotaRuleDocument><user>a</user></QuotaRuleDocument>"],
    ["two of a choice", "<QuotaRuleDocument><user>a</user><group>b</group></QuotaRuleDocument>"],
    ["a word that is none of the list", '<SearchDocument><operator operation="XOR"/></SearchDocument>'],
    ["a text that is no number", "<ItemListDocument><hits>many</hits></ItemListDocument>"],
    ["an unknown element", "<ItemListDocument><hist>1</hist></ItemListDocument>"],
  ])("but not %s", (_, document) => {
    expect(complaints(xsd(declared, ""), document)).not.toBe("");
  });
});
