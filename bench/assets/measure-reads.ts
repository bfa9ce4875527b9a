import { isDeepStrictEqual } from "node:util";
import type { Http } from "./http.ts";
import type { ReadCase } from "./read-cases.ts";
import { type Figure, figureOf, timed } from "./statistics.ts";

export interface ReadFigures {
  readonly name: string;
  readonly what: string;
  readonly ours: Figure;
  readonly sql: Figure;
  /** The whole request, with an answer that has identifiers only. */
  readonly request?: Figure;
  /** The whole request, with the metadata of each item. */
  readonly metadata?: Figure;
}

/** Measures a case and the SQL beside it, in turns, after some turns to warm up in which the answers must be equal. */
export async function measureReads(one: ReadCase, http: Http, budgetMs: number): Promise<ReadFigures> {
  for (let run = 0; run < 5; run++) {
    const [ours, sql] = [await one.ours(run), await one.sql(run)];
    if (!isDeepStrictEqual(ours, sql)) {
      throw new Error(`${one.name}: the service and the SQL answer differently: ${show(ours)} and ${show(sql)}`);
    }
  }
  const ours: number[] = [];
  const sql: number[] = [];
  await repeat(budgetMs, async (run) => {
    if (run % 2 === 0) ours.push(await timed(() => one.ours(run)));
    sql.push(await timed(() => one.sql(run)));
    if (run % 2 === 1) ours.push(await timed(() => one.ours(run)));
  });
  const { request, metadata } = one.requests(http);
  return {
    name: one.name,
    what: one.what,
    ours: figureOf(ours),
    sql: figureOf(sql),
    ...(request === undefined ? {} : { request: await measureOne(request, budgetMs / 2) }),
    ...(metadata === undefined ? {} : { metadata: await measureOne(metadata, budgetMs / 2) }),
  };
}

async function measureOne(run: (run: number) => Promise<unknown>, budgetMs: number): Promise<Figure> {
  const times: number[] = [];
  await repeat(budgetMs, async (index) => {
    times.push(await timed(() => run(index)));
  });
  return figureOf(times.slice(5));
}

const mostRuns = 2000;
const fewestRuns = 30;

async function repeat(budgetMs: number, turn: (run: number) => Promise<void>): Promise<void> {
  const until = performance.now() + budgetMs;
  for (let run = 0; run < mostRuns && (performance.now() < until || run < fewestRuns); run++) await turn(run + 5);
}

function show(answer: unknown): string {
  return (JSON.stringify(answer) ?? "nothing").slice(0, 300);
}
