// After each file of tests on Node: every XML answer of a service in it is valid by the schema that the service gives.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { peers } from "../peers/programs.ts";

const namespace = "urn:kinora:schema:media-asset";
const answers = new Map<string, string>();
const reading = new Set<Promise<void>>();

function tell(target: string, answer: Response): void {
  if (!/^(?:application|text)\/xml\b/.test(answer.headers.get("content-type") ?? "")) return;
  const read = answer
    .clone()
    .text()
    .then((text) => {
      if (text.includes(`xmlns="${namespace}"`) && !text.includes("<xs:schema ")) answers.set(text, target);
    })
    .finally(() => reading.delete(read));
  reading.add(read);
}

if (peers.xmllint !== undefined) globalThis.tellAnswer = tell;

afterAll(async () => {
  await Promise.all(reading);
  globalThis.tellAnswer = undefined;
  if (answers.size === 0 || peers.xmllint === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "kinora-answers-"));
  try {
    writeFileSync(join(folder, "schema.xsd"), await schema());
    const targets = [...answers].map(([text, target], index) => {
      writeFileSync(join(folder, `${index}.xml`), text);
      return target;
    });
    const complaints = complaintsIn(folder, peers.xmllint, targets);
    if (complaints.length > 0) throw new Error(`Answers are not valid by /schema.xsd:\n${complaints.join("\n")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function schema(): Promise<string> {
  // Loaded only where a service answered: most files of tests have none.
  const { startService } = await import("../portable/harness.ts");
  const kinora = await startService();
  const answer = await kinora.admin("/API/schema.xsd");
  await kinora.close();
  if (answer.status !== 200) throw new Error(`GET /schema.xsd answers ${answer.status}`);
  return answer.text();
}

/** What xmllint says, with the request in place of the file. */
function complaintsIn(folder: string, xmllint: string, targets: readonly string[]): readonly string[] {
  const files = targets.map((_, index) => `${index}.xml`);
  const { status, stderr, error } = spawnSync(xmllint, ["--noout", "--schema", "schema.xsd", ...files], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) return [error.message];
  if (status === 0) return [];
  return stderr
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(" validates"))
    .map((line) => line.replace(/^(\d+)\.xml:/, (_, index: string) => `${targets[Number(index)]}: `))
    .slice(0, 40);
}
