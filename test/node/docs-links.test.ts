import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function pages(): Promise<readonly string[]> {
  const docs = await readdir(join(root, "docs"), { recursive: true });
  return ["README.md", "CONTRIBUTING.md", ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
}

/** Headings of a page as the anchors that links name. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

describe("the documentation", () => {
  it("leads nowhere that does not exist", async () => {
    const broken: string[] = [];
    for (const page of await pages()) {
      const text = await readFile(join(root, page), "utf8");
      for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? join(root, page) : join(root, dirname(page), path);
        if (!existsSync(file)) broken.push(`${page}: ${target}`);
        else if (anchor !== undefined && !anchorsOf(await readFile(file, "utf8")).has(anchor)) {
          broken.push(`${page}: ${target}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it("is found from the index, every page", async () => {
    const index = await readFile(join(root, "docs/index.md"), "utf8");
    const missing = (await pages()).filter(
      (page) =>
        page.startsWith("docs/") && page !== "docs/index.md" && !index.includes(`(${page.slice("docs/".length)}`),
    );
    expect(missing).toEqual([]);
  });
});
