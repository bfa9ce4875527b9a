import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type SpecificationRow, specification } from "../../specification/rows.ts";
import { fromRoot } from "../program.ts";
import { generatedNote, table } from "./table.ts";

const folders = ["test/portable", "test/node"];

/** `docs/conformance.md`: each row of the specification with the tests that show it. */
export async function conformancePage(): Promise<string> {
  const shown = await testsByRow();
  const known = new Set(specification.map(({ id }) => id));
  const unknown = [...shown.keys()].filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`Tests name rows that the specification lacks: ${unknown.join(", ")}`);
  const sections = [...new Set(specification.map((row) => row.section))].map((title) => {
    const rows = specification.filter((row) => row.section === title);
    return `## ${title}\n\n${table(
      ["Row", "What it says", "Shown by"],
      rows.map((row) => rowOf(row, shown)),
    )}\n`;
  });
  return `${generatedNote}

# Conformance

Each row of the specification and the tests that show it. A test names the rows that it shows in its title.

${sections.join("\n")}`;
}

function rowOf({ id, says, planned }: SpecificationRow, shown: ReadonlyMap<string, readonly string[]>) {
  const tests = shown.get(id) ?? [];
  const none = planned === undefined ? "**not shown yet**" : `planned with ${planned}`;
  return [`\`${id}\``, says, tests.length === 0 ? none : tests.join("<br>")];
}

async function testsByRow(): Promise<ReadonlyMap<string, readonly string[]>> {
  const shown = new Map<string, string[]>();
  for (const folder of folders) {
    const names = (await readdir(fromRoot(folder))).filter((name) => name.endsWith(".test.ts")).sort();
    for (const name of names) {
      const text = await readFile(join(fromRoot(folder), name), "utf8");
      for (const [, title = ""] of text.matchAll(/["'`]((?:[^"'`\n\\]|\\.)*\[spec: [^"'`\n]*)["'`]/g)) {
        const plain = title.replace(/\s*\[spec: [^\]]*\]/g, "");
        for (const [, id = ""] of title.matchAll(/\[spec: ([^\]]+)\]/g)) {
          const places = shown.get(id) ?? [];
          places.push(`${folder.replace("test/", "")}/${name.replace(".test.ts", "")}: ${plain}`);
          shown.set(id, places);
        }
      }
    }
  }
  return shown;
}
