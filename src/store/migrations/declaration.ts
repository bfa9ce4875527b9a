import type { Database, Statement } from "../database.ts";

/** One step of the schema, forward only. It is carried out in one atomic batch. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /** The statements, or what computes them from the rows that are there. */
  readonly statements: readonly string[] | ((database: Database) => Promise<readonly Statement[]>);
}
