import type { Store } from "../store/store.ts";
import { memberClause, splitMembership } from "./membership.ts";

/** What the security pipeline must know of a user of the database. */
export interface UserRoles {
  readonly state: "enabled" | "disabled" | "unknown";
  /** Roles, with those that come through groups. Empty unless the user is enabled. */
  readonly roles: ReadonlySet<string>;
  /** Groups, with parents. Empty unless the user is enabled. */
  readonly groups: ReadonlySet<string>;
  /** Whether the user may let others be named in its RunAs header. */
  readonly runAsEnabled: boolean;
}

/** Roles of the users of the database. Answers without a promise when it knows them already. */
export interface UserSource {
  rolesOf(userName: string): UserRoles | Promise<UserRoles>;
}

/** Users kept, and names of groups and roles kept over all of them; the longest unused go first. */
const mostUsers = 10_000;
const mostNames = 1_000_000;

const nothing: ReadonlySet<string> = new Set();
const unknown: UserRoles = { state: "unknown", roles: nothing, groups: nothing, runAsEnabled: false };
const disabled: UserRoles = { state: "disabled", roles: nothing, groups: nothing, runAsEnabled: false };

/**
 * Makes a source that remembers users as long as the `security` version stands: a change of any user, group or role
 * drops everything, here at once and on other instances when they next see the version, within 5 s.
 */
export function createUserSource(store: Store): UserSource {
  const known = new Map<string, UserRoles>();
  let version = -1;
  let names = 0;

  function weightOf(user: UserRoles): number {
    return user.roles.size + user.groups.size;
  }

  function keep(userName: string, user: UserRoles): void {
    const before = known.get(userName);
    if (before) names -= weightOf(before);
    known.delete(userName);
    known.set(userName, user);
    names += weightOf(user);
    for (const [oldest, itsRoles] of known) {
      if (known.size <= mostUsers && names <= mostNames) break;
      known.delete(oldest);
      names -= weightOf(itsRoles);
    }
  }

  async function read(userName: string, seen: number): Promise<UserRoles> {
    const rows = await store.query({ sql: userWithGroups, args: [userName] });
    const user = userRolesOf(rows);
    // What was read while the version moved may be older than the version says: use it once, do not keep it.
    if (seen === version && seen === store.versions.current("security")) keep(userName, user);
    return user;
  }

  return {
    rolesOf(userName) {
      const now = store.versions.current("security");
      if (now !== version) {
        known.clear();
        names = 0;
        version = now;
      }
      return known.get(userName) ?? read(userName, now);
    },
  };
}

/**
 * The user beside each of its groups, or beside none. One statement: a login that nothing is remembered of waits for
 * its password's hash and little else.
 */
const userWithGroups = `with recursive ${memberClause("(select id from user where name = ?1 and disabled = 0)")}
  select u.disabled, u.run_as_enabled, g.name, g.role
  from user u left join member left join user_group g on g.id = member.id
  where u.name = ?1`;

type AnyRow = { readonly [column: string]: unknown };

function userRolesOf(rows: readonly AnyRow[]): UserRoles {
  const [user] = rows;
  if (!user) return unknown;
  if (user.disabled === 1) return disabled;
  const { groups, roles } = splitMembership(rows.filter(({ name }) => name !== null));
  return {
    state: "enabled",
    roles: new Set(roles),
    groups: new Set(groups),
    runAsEnabled: user.run_as_enabled === 1,
  };
}

type Names = (userName: string) => ReadonlySet<string> | Promise<ReadonlySet<string>>;

/** Names of a user's groups and roles, without a promise when the user is known. */
export function membershipNames(users: UserSource): Names {
  const namesOf = ({ groups, roles }: UserRoles) => new Set([...groups, ...roles]);
  return (userName) => {
    const user = users.rolesOf(userName);
    return user instanceof Promise ? user.then(namesOf) : namesOf(user);
  };
}
