import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import { roles } from "./roles.ts";

/** Who edits: only whether they hold a role counts. */
export interface Grantor {
  hasRole(role: string): boolean;
}

/**
 * Nobody gives or takes what they do not hold: the commit throws `forbidden` when one of the groups is, or leads through
 * its parents to, a role that the grantor lacks. Without this `_group_write` would be as good as `_administrator`.
 */
export function requireGrantable(change: Change, grantor: Grantor, groups: readonly string[]): void {
  const lacking = roles.filter((role) => !grantor.hasRole(role.name)).map((role) => role.name);
  if (lacking.length === 0 || groups.length === 0) return;
  change.require(
    {
      sql: `with recursive given(id) as (
          select id from user_group where name in (select value from json_each(?1))
          union
          select e.parent_id from given join group_child e on e.child_id = given.id
        )
        select not exists (
          select 1 from given join user_group g on g.id = given.id
          where g.role = 1 and g.name in (select value from json_each(?2))
        )`,
      args: [JSON.stringify(groups), JSON.stringify(lacking)],
    },
    new KinoraError("forbidden", { explanation: "A role can only be given or taken by a caller who holds it" }),
  );
}
