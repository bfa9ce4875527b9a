import { readdirSync } from "node:fs";
import { fromRoot } from "../tools/program.ts";

/** The test files of a folder as paths in the project, those that contain one of the filters when there are any. */
export function testFiles(folder: string, filters: readonly string[]): readonly string[] {
  return readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
    .sort();
}
