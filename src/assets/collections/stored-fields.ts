/**
 * The transient fields that follow from membership and are kept with the metadata and in the index: computed from the
 * rows inside the batch, so that writers who come together cannot leave a number that was true for one of them only.
 */
import type { Change } from "../../store/change.ts";
import { memberKinds } from "./member.ts";

const silent = { silent: true } as const;

interface MembershipFields {
  readonly kind: number;
  readonly list: string;
  readonly size: string;
}

const ofItems: MembershipFields = { kind: memberKinds.item, list: "__collection", size: "__collection_size" };
const ofCollections: MembershipFields = {
  kind: memberKinds.collection,
  list: "__parent_collection",
  size: "__parent_collection_size",
};

/** Numbers of a collection, and the columns that have them. */
const numbers = [
  ["__items_size", "items"],
  ["__child_collection_size", "collections"],
] as const;

/**
 * Adds what members know of the collections that they are in, as the rows say at this place of the batch.
 *
 * @param site what identifiers begin with
 * @param keys keys of members; libraries among them know nothing
 * @param without a collection that is going away
 */
export function addMemberFields(change: Change, site: string, keys: readonly number[], without = 0): void {
  for (const fields of [ofItems, ofCollections]) {
    const some = keys.filter((key) => key % 8 === fields.kind);
    if (some.length > 0) addMembershipFields(change, site, some, fields, without);
  }
}

function addMembershipFields(
  change: Change,
  site: string,
  keys: readonly number[],
  { kind, list, size }: MembershipFields,
  without: number,
): void {
  const these = JSON.stringify(keys);
  change.add(
    {
      sql: `update metadata set writes = writes + 1, transient = (
          select case when count(*) = 0 then json_remove(metadata.transient, '$.${list}', '$.${size}')
            else json_set(coalesce(metadata.transient, '{}'), '$.${list}', json_group_array(? || '-' || m.collection),
              '$.${size}', json_array(cast(count(*) as text))) end
          from (select collection from collection_member
            where kind = ${kind} and member = metadata.id / 8 and collection <> ? order by collection) m)
        where id in (select value from json_each(?))`,
      args: [site, without, these],
    },
    silent,
  );
  addFieldNames(change, [list, size]);
  removeIndexed(change, [list, size], these);
  const members = `json_each(?) k cross join collection_member m on m.kind = ${kind} and m.member = k.value / 8 and m.collection <> ?`;
  change.add(
    {
      sql: `insert into search_transient (id, field, value)
        select k.value, f.id, ? || '-' || m.collection from ${members} join search_transient_field f on f.name = '${list}'`,
      args: [site, these, without],
    },
    silent,
  );
  change.add(
    {
      sql: `insert into search_transient (id, field, value)
        select k.value, f.id, count(*) from ${members} join search_transient_field f on f.name = '${size}'
        group by k.value, f.id`,
      args: [these, without],
    },
    silent,
  );
}

/** Adds what collections know of their content, as their rows say at this place of the batch. */
export function addContentFields(change: Change, collections: readonly number[]): void {
  const keys = JSON.stringify(collections.map((collection) => collection * 8 + memberKinds.collection));
  const paths = numbers.map(([field, column]) => `'$.${field}', json_array(cast(c.${column} as text))`).join(", ");
  change.add(
    {
      sql: `update metadata set writes = writes + 1, transient = json_set(coalesce(transient, '{}'), ${paths})
        from collection c where c.id = metadata.id / 8 and metadata.id in (select value from json_each(?))`,
      args: [keys],
    },
    silent,
  );
  const names = numbers.map(([field]) => field);
  addFieldNames(change, names);
  removeIndexed(change, names, keys);
  for (const [field, column] of numbers) {
    change.add(
      {
        sql: `insert into search_transient (id, field, value)
          select k.value, f.id, c.${column} from json_each(?) k join collection c on c.id = k.value / 8
          join search_transient_field f on f.name = '${field}'`,
        args: [keys],
      },
      silent,
    );
  }
}

function addFieldNames(change: Change, names: readonly string[]): void {
  change.add(
    {
      sql: `insert into search_transient_field (name) select value from json_each(?) where true on conflict (name) do nothing`,
      args: [JSON.stringify(names)],
    },
    silent,
  );
}

function removeIndexed(change: Change, names: readonly string[], keys: string): void {
  change.add(
    {
      sql: `delete from search_transient where id in (select value from json_each(?))
        and field in (select id from search_transient_field where name in (select value from json_each(?)))`,
      args: [keys, JSON.stringify(names)],
    },
    silent,
  );
}
