import type { Change } from "../../../store/change.ts";
import type { DefinitionObserver } from "../../fields/definition-editing.ts";
import { indexFieldOf } from "../tokens/field-analysis.ts";
import { fieldToken } from "../tokens/token.ts";

/** Priority of a rebuilding that nobody asked for by name; the same as by default. */
const priority = 500;

/** Everything that has metadata, by the name of its rebuilding and the table of its serials. */
const everything: readonly (readonly [target: string, table: string])[] = [
  ["item", "item"],
  ["collection", "collection"],
  ["document", "metadata_document"],
];

/**
 * Brings the index up to date in the background when a field is redefined or deleted: the entities that the index has
 * under the field; all, where it cannot know them: the field was not indexed, or begins or ends to be inherited.
 *
 * @param now milliseconds since the epoch
 */
export function redefinedFields(now: () => number): DefinitionObserver {
  const rebuild = (change: Change, kinds: typeof everything): void => {
    for (const [target, table] of kinds) {
      change.add(
        {
          sql: `insert or replace into reindex_request (target, priority, status, start, finish, done, total, after)
            values (?, ?, 'IN_QUEUE', ?, null, 0, (select count(*) from ${table}), 0)`,
          args: [target, priority, now()],
        },
        { silent: true },
      );
    }
  };
  return {
    fieldChanged(change, before, after) {
      if (before === undefined) return;
      const was = indexFieldOf(before);
      const is = after === undefined ? undefined : indexFieldOf(after);
      const asBefore = JSON.stringify(was) === JSON.stringify(is);
      if (was === undefined && is !== undefined) rebuild(change, everything);
      else if (after !== undefined && before.inheritance !== after.inheritance) rebuild(change, everything.slice(0, 1));
      else if (was !== undefined && !asBefore) {
        change.add(
          {
            sql: "insert into search_queue (id) select rowid from search_index where search_index match ? on conflict do nothing",
            args: [`"${fieldToken.any(was.key)}"`],
          },
          { silent: true },
        );
      }
    },
  };
}
