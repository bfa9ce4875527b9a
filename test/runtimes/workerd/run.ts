import { availableParallelism } from "node:os";
import { hasSqld } from "../../peers/sqld.ts";
import { fromRoot } from "../../tools/program.ts";
import { nothing, sum, type Tally } from "../../tools/tally.ts";
import { testFiles } from "../test-files.ts";
import { bundleTests } from "./bundle.ts";
import { startDatabaseMaker } from "./database-maker.ts";
import type { FileResult } from "./result.ts";
import { serveWorker, type WorkerServer } from "./server.ts";
import { sourcePlaces } from "./source-places.ts";

/** Runs the portable suite inside workerd, every database a real libSQL server reached by the web client. */
export async function runInWorkerd(filters: readonly string[]): Promise<Tally> {
  const platform = `${process.platform}-${process.arch}`;
  if (!hasSqld) return { ...nothing, skipped: [`workerd: the whole suite (no libSQL server for ${platform})`] };
  const files = testFiles("test/portable", filters);
  if (files.length === 0) return nothing;
  const maker = await startDatabaseMaker();
  try {
    const script = await bundleTests(files);
    const places = sourcePlaces(script);
    const workers: WorkerServer[] = [];
    try {
      // One process runs one file at a time, on one processor.
      for (let index = 0; index < Math.min(availableParallelism(), files.length); index++) {
        workers.push(await serveWorker(script, { DATABASE_MAKER: maker.url }, fromRoot(`.cache/workerd/${index}`)));
      }
      const queue = files.values();
      const total = sum(await Promise.all(workers.map(({ url }) => runFiles(url, queue, places))));
      console.log(`\n Tests  ${total.passed} passed, ${total.failed} failed (${files.length} files)`);
      return total;
    } finally {
      for (const worker of workers) await worker.close();
    }
  } catch (error) {
    console.error(error);
    return { ...nothing, failed: 1 };
  } finally {
    await maker.close();
  }
}

/** Runs files on one process until none is left in the queue, which others take from as well. */
async function runFiles(url: string, queue: Iterable<string>, places: (text: string) => string): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const file of queue) tallies.push(await runFile(url, file, places));
  return sum(tallies);
}

async function runFile(url: string, file: string, places: (text: string) => string): Promise<Tally> {
  const started = Date.now();
  try {
    const answer = await fetch(`${url}/?file=${encodeURIComponent(file)}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
    return report(file, JSON.parse(places(text)) as FileResult, Date.now() - started);
  } catch (error) {
    // A file that stands still fails, and the others are run all the same.
    console.log(` ✗ ${file}\n${indented(String(error))}`);
    return { ...nothing, failed: 1 };
  }
}

/** Prints one line for a file that passed, and every failure of one that did not. */
function report(file: string, { tests, errors }: FileResult, milliseconds: number): Tally {
  const failed = tests.filter((test) => test.state === "fail");
  const skipped = tests.filter((test) => test.state === "skip").map((test) => `workerd: ${test.name}`);
  // A file whose hook or import failed counts at least one failure, though no test of it ran.
  const stray = errors.length > 0 && failed.length === 0 ? 1 : 0;
  const well = failed.length === 0 && errors.length === 0;
  console.log(
    ` ${well ? "✓" : "✗"} ${file} (${tests.length} tests${failed.length > 0 ? `, ${failed.length} failed` : ""}) ${milliseconds} ms`,
  );
  for (const error of errors) console.log(indented(error));
  for (const test of failed) console.log(`   ✗ ${test.name}\n${test.errors.map(indented).join("\n")}`);
  return { passed: tests.length - failed.length - skipped.length, failed: failed.length + stray, skipped };
}

function indented(text: string): string {
  return text.replace(/^/gm, "     ");
}
