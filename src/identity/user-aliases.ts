import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import { checkUserName } from "./names.ts";
import { requireUser } from "./user-changes.ts";

/** Aliases of one user. */
export const mostAliases = 100;

/**
 * Adds a name by which a user may log in to a change; nothing happens when it is the user's already.
 *
 * @throws KinoraError `invalid-input` at once; `conflict` by the commit when it is another user's name or alias
 */
export function addAlias(change: Change, name: string, alias: string): void {
  checkUserName(alias, "alias");
  requireUser(change, name);
  const owner = "(select id from user where name = ?2)";
  change.require(
    {
      sql: `select not exists (select 1 from user where name = ?1)
        and not exists (select 1 from user_alias where name = ?1 and user_id <> ${owner})`,
      args: [alias, name],
    },
    new KinoraError("conflict", { type: "User", id: alias, explanation: `The name ${alias} is taken` }),
  );
  change.add({ sql: `insert or ignore into user_alias (name, user_id) values (?1, ${owner})`, args: [alias, name] });
  change.require(
    { sql: `select count(*) <= ?1 from user_alias where user_id = ${owner}`, args: [mostAliases, name] },
    new KinoraError("invalid-input", { context: "alias", explanation: `A user has at most ${mostAliases} aliases` }),
  );
}

/** Adds the removal of an alias to a change. @throws KinoraError `not-found` by the commit for an unknown user */
export function removeAlias(change: Change, name: string, alias: string): void {
  requireUser(change, name);
  change.add({
    sql: "delete from user_alias where name = ? and user_id = (select id from user where name = ?)",
    args: [alias, name],
  });
}
