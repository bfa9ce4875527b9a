import type { Database, Statement } from "../../src/store/database.ts";

/** A database that remembers the batches written to it. */
export interface RecordingDatabase extends Database {
  /** The batches since the last call. */
  written(): readonly (readonly Statement[])[];
}

export function recording(database: Database): RecordingDatabase {
  let batches: (readonly Statement[])[] = [];
  return {
    ...database,
    batch(statements, mode) {
      if (mode === "write") batches.push(statements);
      return database.batch(statements, mode);
    },
    written() {
      const written = batches;
      batches = [];
      return written;
    },
  };
}
