import type { Subject } from "../../plugin/contract.ts";
import { formatLibrary } from "../access/entity-id.ts";
import { findable } from "../collections/read-members.ts";
import type { UpdateMode } from "./library.ts";
import type { LibraryEnvironment } from "./library-environment.ts";

/** Which libraries are listed. */
export interface LibraryFilter {
  readonly autoRefresh?: boolean | undefined;
  /** Only those whose frequency is greater. */
  readonly frequencyFrom?: number | undefined;
  /** Only those whose frequency is less. */
  readonly frequencyTo?: number | undefined;
  readonly updateMode?: UpdateMode | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The identifiers of the libraries that a subject may find, in the order in which they were made. */
export async function listLibraries(
  environment: Pick<LibraryEnvironment, "access" | "store">,
  subject: Subject,
  { autoRefresh, frequencyFrom, frequencyTo, updateMode, offset, limit }: LibraryFilter,
): Promise<readonly string[]> {
  const { store } = environment;
  const readable = await findable(environment, subject, "l.id * 8 + 7");
  const rows = await store.query({
    sql: `select l.id from library l
      where (? is null or l.auto_refresh = ?) and (? is null or l.update_frequency > ?)
        and (? is null or l.update_frequency < ?) and (? is null or l.update_mode = ?) and ${readable.sql}
      order by l.id limit ? offset ?`,
    args: [
      ...twice(autoRefresh === undefined ? null : Number(autoRefresh)),
      ...twice(frequencyFrom ?? null),
      ...twice(frequencyTo ?? null),
      ...twice(updateMode ?? null),
      ...readable.args,
      limit,
      offset,
    ],
  });
  return rows.map((row) => formatLibrary(store.ids, Number(row.id)));
}

function twice<T>(value: T): readonly [T, T] {
  return [value, value];
}
