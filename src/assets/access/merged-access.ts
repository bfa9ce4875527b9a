import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { type Permission, rankOf } from "../access-port.ts";
import type { AccessControlMerged } from "../documents/merged-access-document.ts";
import type { AccessControlMergedGroup } from "./access-documents.ts";
import { accessEntityOf } from "./access-entity.ts";
import { formatAccessEntity } from "./entity-id.ts";
import { membersOfGroups, mostUsers } from "./group-members.ts";
import { isGroupPrincipal } from "./principals.ts";
import { type NamedApplied, namedApplied, readSurrounding } from "./read-applied.ts";
import { parseOperation, permissionWord } from "./wanted-entry.ts";

/** The kinds of operation that merged access is asked for. */
export const operationTypes = ["GENERIC", "METADATA", "SHAPE", "URI"] as const;

/** Whether one user may do one thing. */
export interface MergedQuery {
  readonly username: string;
  readonly permission: Permission;
  readonly type: (typeof operationTypes)[number];
  readonly extradata?: string | undefined;
}

interface MergedParameters {
  readonly username?: string | undefined;
  readonly permission?: Permission | undefined;
  readonly type?: (typeof operationTypes)[number] | undefined;
  readonly extradata?: string | undefined;
}

/** The query that parameters make: all of them or none. @throws KinoraError `invalid-input` for some */
export function mergedQuery({ username, permission, type, extradata }: MergedParameters): MergedQuery | undefined {
  if (username === undefined && permission === undefined && type === undefined) return undefined;
  if (username === undefined || permission === undefined || type === undefined) {
    throw new KinoraError("invalid-input", {
      context: "merged-access",
      explanation: "Either username, permission and type are given, or none of them",
    });
  }
  return { username, permission, type, extradata: extradata === "" ? undefined : extradata };
}

const administrator = "_administrator";

/** What every user may do with an entity, and through which entries; or what one user may, with what decides it. */
export async function mergedAccess(store: Store, entity: number, query?: MergedQuery): Promise<AccessControlMerged> {
  const applied = namedApplied(await readSurrounding(store, entity));
  const groups = applied.filter(({ entry }) => isGroupPrincipal(entry.principal)).map(({ name }) => name);
  const members = await membersOfGroups(store, [...new Set([...groups, administrator])]);
  const administrators = new Set(members.get(administrator));
  const users = query === undefined ? usersOf(applied, members) : [query.username];
  const access = users.flatMap((username) => {
    const superUser = administrators.has(username);
    const own = applied.filter((one) =>
      isGroupPrincipal(one.entry.principal) ? members.get(one.name)?.includes(username) : one.name === username,
    );
    const first = superUser && query !== undefined ? [withoutEntry(username)] : [];
    const entries = own.map((one, index) => {
      const matches = query === undefined ? {} : { matches: !superUser && decides(own, one, query) };
      const effective = superUser ? rankOf("OWNER") : effectiveFor(own, one.entry.operation);
      return {
        superUser,
        priority: first.length + index + 1,
        ...matches,
        id: store.ids.format(one.id),
        username,
        effectivePermission: permissionWord(effective),
        ...described(one),
        ...(isGroupPrincipal(one.entry.principal) ? { group: one.name } : {}),
        ...origin(store, one),
      };
    });
    return [...first, ...entries];
  });
  if (query === undefined) return { access };
  const { username, permission, type, extradata } = query;
  const item = formatAccessEntity(store.ids, entity);
  return {
    query: { username, permission, type, ...(extradata === undefined ? {} : { extradata }), item },
    access,
  };
}

/** What lets administrators do everything, whatever the entries say. */
function withoutEntry(username: string) {
  const everything = permissionWord(rankOf("OWNER"));
  return {
    superUser: true,
    priority: 1,
    matches: true,
    username,
    effectivePermission: everything,
    permission: everything,
    type: "GENERIC",
  };
}

/** Users that entries name, themselves or through groups, in the order of their names. */
function usersOf(applied: readonly NamedApplied[], members: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const users = applied.flatMap(({ entry, name }) =>
    isGroupPrincipal(entry.principal) ? (members.get(name) ?? []) : [name],
  );
  return [...new Set(users)].sort().slice(0, mostUsers);
}

function isAbout(operation: string, asked: string): boolean {
  return operation === "" || operation === asked || asked.startsWith(`${operation} `);
}

/** The permission of a user for an operation: that of the first of its entries that is about it. */
function effectiveFor(own: readonly NamedApplied[], operation: string): number {
  return own.find(({ entry }) => isAbout(entry.operation, operation))?.permission ?? 0;
}

/** Whether an entry is the one by which the query is answered with yes. */
function decides(
  own: readonly NamedApplied[],
  one: NamedApplied,
  { type, extradata, permission }: MergedQuery,
): boolean {
  const asked = type === "GENERIC" ? "" : extradata === undefined ? type : `${type} ${extradata}`;
  const first = own.find(({ entry }) => isAbout(entry.operation, asked));
  return first === one && one.permission >= rankOf(permission);
}

function described({ entry, permission, grantorName }: NamedApplied) {
  const operation = parseOperation(entry.operation);
  return {
    ...(grantorName === undefined ? {} : { grantor: grantorName }),
    permission: permissionWord(permission),
    type: operation?.type ?? "GENERIC",
    ...(operation?.data === undefined ? {} : { extradata: operation.data }),
  };
}

function origin(store: Store, { container }: NamedApplied): { collection?: string; library?: string } {
  if (container === undefined) return {};
  const id = formatAccessEntity(store.ids, container);
  return accessEntityOf(container).kind === "library" ? { library: id } : { collection: id };
}

/**
 * What groups may do with an entity.
 *
 * @param full every entry, not only the one that decides
 */
export async function mergedGroupAccess(
  store: Store,
  entity: number,
  full: boolean,
): Promise<AccessControlMergedGroup> {
  const applied = namedApplied(await readSurrounding(store, entity)).filter(({ entry }) =>
    isGroupPrincipal(entry.principal),
  );
  const groups = [...new Set(applied.map(({ name }) => name))].sort();
  return {
    access: groups.flatMap((group) => {
      const own = applied.filter(({ name }) => name === group);
      return own.slice(0, full ? own.length : 1).map((one, index) => ({
        priority: index + 1,
        id: store.ids.format(one.id),
        effectivePermission: permissionWord(effectiveFor(own, one.entry.operation)),
        group,
        ...described(one),
        ...origin(store, one),
      }));
    }),
  };
}
