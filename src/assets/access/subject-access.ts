import type { Subject } from "../../plugin/contract.ts";
import type { AccessKind, AccessOperation, Fragment, PartAccess } from "../access-port.ts";
import { accessKinds } from "./access-entity.ts";
import { principalKey } from "./principals.ts";

/** Names of the groups and roles that a user belongs to, directly or through parents. */
export type MemberOf = (userName: string) => Iterable<string> | Promise<Iterable<string>>;

/** The keys of a subject's principals in JSON: the user, its groups, its roles. */
export function principalsOf(subject: Subject, memberOf: MemberOf): string | Promise<string> {
  const groups = memberOf(subject.userName);
  return groups instanceof Promise ? groups.then((names) => keysOf(subject, names)) : keysOf(subject, groups);
}

function keysOf({ userName }: Subject, groups: Iterable<string>): string {
  const keys = [principalKey("user", userName)];
  for (const group of groups) keys.push(principalKey("group", group));
  return JSON.stringify(keys);
}

const mine = "(select p.id from json_each(?) j join access_principal p on p.key = j.value)";
const suspended = "(select id from access_principal where suspended = 1)";

/** How an operation is written in entries. */
export function operationText({ type, data }: AccessOperation): string {
  return data === undefined ? type : `${type} ${data}`;
}

/**
 * The permission of principals for an entity, 0 to 4, as SQL: of the grants that name one of them, that which decides.
 *
 * @param column the expression of the entity's serial
 */
export function permissionFragment(
  principals: string,
  kind: AccessKind,
  column: string,
  operation?: AccessOperation,
): Fragment {
  const operations = operation === undefined ? [""] : operationsFor(operation);
  return {
    sql: `(coalesce((
      select max(r.grade) from search_document a
      join access_set s on s.id = a.access
      join access_reader r on r.class = s.class
      where a.id = (${column}) * 8 + ${accessKinds[kind].number} and r.principal in ${mine}
        and r.operation in (${operations.map(() => "?").join(", ")}) and r.grantor not in ${suspended}
    ), 0) & 7)`,
    args: [principals, ...operations],
  };
}

/** The condition on readers `r` that their grant is limited to parts of a type by what they are named by. */
function limitedTo(type: AccessOperation["type"]): string {
  // Behind the space, and before what follows it.
  return `(r.operation > '${type} ' and r.operation < '${type}!')`;
}

/** The highest grades of principals on an entity by operation, as JSON: in general, and for its parts of a type. */
export function gradesFragment(
  principals: string,
  kind: AccessKind,
  column: string,
  type: AccessOperation["type"],
): Fragment {
  return {
    sql: `(select json_group_object(g.operation, g.grade) from (
      select r.operation, max(r.grade) as grade from search_document a
      join access_set s on s.id = a.access
      join access_reader r on r.class = s.class
      where a.id = (${column}) * 8 + ${accessKinds[kind].number} and r.principal in ${mine}
        and (r.operation in ('', '${type}') or ${limitedTo(type)}) and r.grantor not in ${suspended}
      group by r.operation) g)`,
    args: [principals],
  };
}

/** What principals may read of parts of a type. */
export function partAccess(principals: string, type: AccessOperation["type"]): PartAccess {
  const inForce = `r.principal in ${mine} and r.grantor not in ${suspended}`;
  // Sets in which nothing is limited to single parts are worked out once for a statement.
  const whole = `select s.id from access_set s where s.class in (
    select r.class from access_reader r
    where ${inForce} and (r.operation in ('', '${type}') or ${limitedTo(type)})
    group by r.class having max(r.grade) & 7 > 0 and max(${limitedTo(type)}) = 0)`;
  const limited = `select s.id from access_set s where s.class in (
    select r.class from access_reader r where ${inForce} and ${limitedTo(type)})`;
  return {
    limited: {
      sql: `exists (select 1 from access_reader r where ${inForce} and (r.operation = '${type}' or ${limitedTo(type)}))`,
      args: [principals],
    },
    readable: (access, data) => ({
      sql: `(${access.sql} in (${whole}) or (${access.sql} in (${limited}) and coalesce((
        select max(r.grade) from access_set s join access_reader r on r.class = s.class
        where s.id = ${access.sql} and ${inForce}
          and (r.operation in ('', '${type}') or r.operation in (select '${type} ' || n.name from (${data.sql}) n))
        ), 0) & 7 > 0))`,
      args: [...access.args, principals, ...access.args, principals, ...access.args, principals, ...data.args],
    }),
  };
}

function operationsFor({ type, data }: AccessOperation): readonly string[] {
  return data === undefined ? ["", type] : ["", type, operationText({ type, data })];
}

/** The access sets whose entities principals may find, as a select: those readable as a whole or in their metadata. */
export function readableSetsFragment(principals: string): Fragment {
  return {
    sql: `select s.id from access_set s where s.class in (
      select r.class from access_reader r
      where r.principal in ${mine} and r.operation in ('', 'METADATA') and r.grantor not in ${suspended}
      group by r.class
      having max(r.grade) & 7 > 0 or max(case when r.operation = '' then r.grade else 0 end) & 7 > 0)`,
    args: [principals],
  };
}
