import { mkdirSync } from "node:fs";
import { openEmbedded } from "../src/store/embedded.ts";
import { openArchive } from "./assets/archive.ts";
import { buildArchive } from "./assets/build.ts";
import { measureReads } from "./assets/measure-reads.ts";
import { readCases } from "./assets/read-cases.ts";
const size = Number(process.argv[2] ?? 10000);
mkdirSync(".cache/bench-assets", { recursive: true });
const database = await openEmbedded({ url: `file:.cache/bench-assets/archive-${size}.db`, synchronous: "normal" });
const archive = await openArchive(database);
await buildArchive(archive, size);
const definitions = await archive.environment.definitions.current();
const keyOf = (f: string) => (definitions.field(f)?.id ?? 0).toString(36);
for (const one of readCases(archive, database, size, keyOf)) {
  const f = await measureReads(one, 3000);
  console.log(f.name.padEnd(26), `ours ${f.ours.median.toFixed(2)} p99 ${f.ours.p99.toFixed(2)} | sql ${f.sql.median.toFixed(2)} p99 ${f.sql.p99.toFixed(2)} | ratio ${(f.ours.median/f.sql.median).toFixed(2)} n=${f.ours.runs}`);
}
await database.close();
