import type { Subject } from "../../plugin/contract.ts";
import type { Definitions } from "./definitions.ts";
import { type FieldAccess, type FieldPermission, fieldPermissions } from "./field-definition.ts";

/** What a caller may do with fields and groups. */
export interface FieldRights {
  mayRead(kind: "field" | "group", name: string): boolean;
  mayWrite(kind: "field" | "group", name: string): boolean;
  mayDelete(kind: "field" | "group", name: string): boolean;
  /** Whether no access list limits the caller. */
  readonly unlimited: boolean;
}

/** May do everything with every field. */
export const unlimitedRights: FieldRights = {
  mayRead: () => true,
  mayWrite: () => true,
  mayDelete: () => true,
  unlimited: true,
};

function rank(permission: FieldPermission | undefined): number {
  return permission === undefined ? -1 : fieldPermissions.indexOf(permission);
}

/** The highest permission of each field and group that has an access list; `undefined` where the list has nothing. */
export function grantedPermissions(
  access: readonly FieldAccess[],
  userName: string,
  groups: ReadonlySet<string>,
): ReadonlyMap<string, FieldPermission | undefined> {
  const granted = new Map<string, FieldPermission | undefined>();
  for (const entry of access) {
    const key = entry.field === undefined ? `group\n${entry.fieldGroup}` : `field\n${entry.field}`;
    const forAll = entry.user === undefined && entry.group === undefined;
    const applies = forAll || entry.user === userName || (entry.group !== undefined && groups.has(entry.group));
    const before = granted.get(key);
    granted.set(key, applies && rank(entry.permission) > rank(before) ? entry.permission : before);
  }
  return granted;
}

/**
 * What a caller may do: everything with a field or group that has no access list; with one that has, what its entries
 * for the user and the user's groups give. Administrators may do everything.
 */
export function fieldRights(definitions: Definitions, subject: Subject, groups: ReadonlySet<string>): FieldRights {
  if (definitions.access.length === 0 || subject.hasRole("_administrator")) return unlimitedRights;
  const granted = grantedPermissions(definitions.access, subject.userName, groups);
  const may = (permission: FieldPermission) => (kind: "field" | "group", name: string) => {
    const key = `${kind}\n${name}`;
    return !granted.has(key) || rank(granted.get(key)) >= rank(permission);
  };
  return { mayRead: may("READ"), mayWrite: may("WRITE"), mayDelete: may("DELETE"), unlimited: false };
}
