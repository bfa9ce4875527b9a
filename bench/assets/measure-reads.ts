import { isDeepStrictEqual } from "node:util";
import type { ReadCase } from "./read-cases.ts";
import { type Figure, figureOf, timed } from "./statistics.ts";

export interface ReadFigures {
  readonly name: string;
  readonly what: string;
  readonly ours: Figure;
  readonly sql: Figure;
}

/** Measures a case and the SQL beside it, in turns, after some turns to warm up in which the answers must be equal. */
export async function measureReads(one: ReadCase, budgetMs: number): Promise<ReadFigures> {
  for (let run = 0; run < 5; run++) {
    const [ours, sql] = [await one.ours(run), await one.sql(run)];
    if (!isDeepStrictEqual(ours, sql)) {
      throw new Error(`${one.name}: the service and the SQL answer differently: ${show(ours)} and ${show(sql)}`);
    }
  }
  const ours: number[] = [];
  const sql: number[] = [];
  const until = performance.now() + budgetMs;
  for (let run = 5; run < 2005 && (performance.now() < until || run < 35); run++) {
    if (run % 2 === 0) ours.push(await timed(() => one.ours(run)));
    sql.push(await timed(() => one.sql(run)));
    if (run % 2 === 1) ours.push(await timed(() => one.ours(run)));
  }
  return { name: one.name, what: one.what, ours: figureOf(ours), sql: figureOf(sql) };
}

function show(answer: unknown): string {
  return (JSON.stringify(answer) ?? "nothing").slice(0, 300);
}
