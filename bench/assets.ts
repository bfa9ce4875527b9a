/**
 * `npm run bench:assets`: what the asset model costs at 10,000, 100,000 and 1,000,000 items with 20 metadata values each,
 * beside the best SQL written by hand for the same answer, from the same file, in the same run.
 *
 * Options: `--sizes 10000,100000,1000000`, `--folder .cache/bench-assets` (archives stay there and are built on where
 * they ended), `--seconds 3` for each read, `--writes 300`, `--build-only`.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEmbedded } from "../src/store/embedded.ts";
import { openArchive } from "./assets/archive.ts";
import { buildArchive } from "./assets/build.ts";
import { openHttp } from "./assets/http.ts";
import { measureReads, type ReadFigures } from "./assets/measure-reads.ts";
import { measureWrites } from "./assets/measure-writes.ts";
import { readCases } from "./assets/read-cases.ts";
import { recording } from "./assets/recording.ts";
import { reportText, type SizeReport } from "./assets/report.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    folder: { type: "string", default: ".cache/bench-assets" },
    seconds: { type: "string", default: "3" },
    writes: { type: "string", default: "300" },
    "build-only": { type: "boolean", default: false },
  },
});
const folder = values.folder;
const smallestSize = 10_000;

/** Builds the archive of a size; what an earlier run built stays. */
async function build(size: number): Promise<string> {
  const file = join(folder, `archive-${size}.db`);
  const database = await openEmbedded({ url: `file:${file}`, synchronous: "normal" });
  await buildArchive(await openArchive(database), size);
  await database.close();
  return file;
}

const collectionCount = 10;
const collectionSize = 1000;

/** Items from all over the archive. */
function spread(offset: number, size: number): readonly number[] {
  const step = Math.floor(size / collectionSize);
  return Array.from({ length: collectionSize }, (_, index) => 1 + index * step + (offset % step));
}

/** Measures on copies, so that the archive stays what it is. */
async function measure(size: number, built: string): Promise<SizeReport> {
  const bytesPerItem = statSync(built).size / size;
  const [file, twinFile] = [join(folder, "measured.db"), join(folder, "twin.db")];
  for (const copy of [file, twinFile]) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
    copyFileSync(built, copy);
  }
  const database = recording(await openEmbedded({ url: `file:${file}` }));
  // What a start writes is in the twin as well.
  const http = await openHttp(database);
  const archive = await openArchive(database);
  const collections: number[] = [];
  for (let index = 0; index < collectionCount; index++)
    collections.push(await http.collect(`c${index}`, spread(index, size)));
  const twin = await openEmbedded({ url: `file:${twinFile}` });
  for (const batch of database.written()) await twin.batch(batch, "write");

  const definitions = await archive.environment.definitions.current();
  const keyOf = (field: string) => (definitions.field(field)?.id ?? 0).toString(36);
  const reads: ReadFigures[] = [];
  for (const one of readCases({ archive, items: size, collections, keyOf })) {
    process.stderr.write(`${size}: ${one.name}\n`);
    reads.push(await measureReads(one, http, Number(values.seconds) * 1000));
  }
  process.stderr.write(`${size}: writes\n`);
  const writes = await measureWrites({ archive, http, database, twin }, size, Number(values.writes));
  await http.service.close();
  await twin.close();
  for (const copy of [file, twinFile])
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  return { items: size, bytesPerItem, reads, writes };
}

mkdirSync(folder, { recursive: true });
const figures = join(folder, "figures.json");
const reports: SizeReport[] = existsSync(figures) ? (JSON.parse(readFileSync(figures, "utf8")) as SizeReport[]) : [];
for (const size of values.sizes.split(",").map(Number)) {
  const built = await build(size);
  if (values["build-only"]) continue;
  const report = await measure(size, built);
  const kept = reports.filter(({ items }) => items !== size);
  reports.splice(0, reports.length, ...kept, report);
  writeFileSync(figures, JSON.stringify(reports, undefined, 1));
  const smallest = reports.find(({ items }) => items === smallestSize);
  console.log(reportText(report, smallest));
}
