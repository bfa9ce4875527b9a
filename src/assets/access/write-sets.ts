import type { Change } from "../../store/change.ts";
import type { AccessClass } from "./access-class.ts";
import { type Placement, placementKey } from "./access-set.ts";

const silent = { silent: true } as const;

/** Adds a class with its readers, unless it is there. */
export function addClass(change: Change, { key }: AccessClass): void {
  change.add({ sql: "insert into access_class (key) values (?) on conflict (key) do nothing", args: [key] }, silent);
  change.add(
    {
      sql: `insert into access_reader (class, principal, operation, grantor, grade)
        select c.id, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3
        from access_class c, json_each(c.key) r where c.key = ?
        on conflict do nothing`,
      args: [key],
    },
    silent,
  );
}

/** Adds the set of a placement, unless it is there. Its class must be. */
export function addSet(change: Change, placement: Placement, { key: classKey }: AccessClass): void {
  const key = placementKey(placement);
  change.add(
    {
      sql: `insert into access_set (key, class) select ?, id from access_class where key = ? on conflict (key) do nothing`,
      args: [key, classKey],
    },
    silent,
  );
  if (placement.parents.length === 0) return;
  change.add(
    {
      sql: `insert into access_set_parent (container, access_set)
        select p.value, s.id from access_set s, json_each(?) p where s.key = ?
        on conflict do nothing`,
      args: [JSON.stringify(placement.parents), key],
    },
    silent,
  );
}

/** Adds that sets have a class, which must be there. */
export function addReclassification(change: Change, sets: readonly number[], { key }: AccessClass): void {
  change.add(
    {
      sql: `update access_set set class = c.id from access_class c
        where c.key = ? and access_set.class <> c.id and access_set.id in (select value from json_each(?))`,
      args: [key, JSON.stringify(sets)],
    },
    silent,
  );
}

/**
 * Adds the removal of those of some sets that no entity is in any more, and of classes that no set has. A set without
 * containers stays: what it says can always come again, and new entities are put into it without asking.
 */
export function addSweep(change: Change, sets: readonly number[], classes: readonly number[]): void {
  if (sets.length > 0) {
    change.add(
      {
        sql: `delete from access_set where id in (select value from json_each(?))
          and exists (select 1 from access_set_parent p where p.access_set = access_set.id)
          and not exists (select 1 from search_total t where t.access = access_set.id and t.kind = access_set.key ->> 0 and t.entities > 0)`,
        args: [JSON.stringify(sets)],
      },
      silent,
    );
    change.add(
      {
        sql: `delete from access_set_parent where access_set in (select value from json_each(?))
          and not exists (select 1 from access_set s where s.id = access_set_parent.access_set)`,
        args: [JSON.stringify(sets)],
      },
      silent,
    );
  }
  if (classes.length === 0) return;
  const unused =
    "in (select c.value from json_each(?) c where not exists (select 1 from access_set s where s.class = c.value))";
  const args = [JSON.stringify([...new Set(classes)])];
  change.add({ sql: `delete from access_reader where class ${unused}`, args }, silent);
  change.add({ sql: `delete from access_class where id ${unused}`, args }, silent);
}
