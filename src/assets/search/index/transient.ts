import type { Change } from "../../../store/change.ts";
import type { Analysis } from "../tokens/field-analysis.ts";
import { aliases } from "./own-fields.ts";
import { sortValueInJson, sortValueOf } from "./sort-value.ts";

const silent = { silent: true } as const;

const counted = /(?:_size|_count)$/;
const dated: ReadonlySet<string> = new Set(["__shape_last_added", "__deletion_lock_expiry"]);

/** The name under which a transient field is kept. */
export function transientName(field: string): string {
  return aliases.get(field) ?? field;
}

/** What the values of a transient field are, told by its name. */
export function transientAnalysis(field: string): Analysis {
  if (counted.test(field)) return "number";
  return dated.has(field) ? "date" : "exact";
}

/** Gives all these entities these values of a transient field, in place of any others. */
export function setTransient(change: Change, keys: readonly number[], field: string, values: readonly string[]): void {
  if (keys.length === 0) return;
  const name = transientName(field);
  const analysis = transientAnalysis(name);
  const list = JSON.stringify(keys);
  change.add(
    { sql: "insert into search_transient_field (name) values (?) on conflict do nothing", args: [name] },
    silent,
  );
  change.add(
    {
      sql:
        "delete from search_transient where id in (select value from json_each(?1)) " +
        "and field = (select id from search_transient_field where name = ?2)",
      args: [list, name],
    },
    silent,
  );
  const typed = values.map((value) => sortValueOf({ analysis }, value)).filter((value) => value !== undefined);
  if (typed.length === 0) return;
  change.add(
    {
      sql:
        "insert or ignore into search_transient (id, field, value) " +
        "select entity.value, field.id, item.value " +
        "from json_each(?1) entity, json_each(?3) item, search_transient_field field where field.name = ?2",
      args: [list, name, `[${typed.map(sortValueInJson).join(",")}]`],
    },
    silent,
  );
}
