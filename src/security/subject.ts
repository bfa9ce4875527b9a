import type { AuthenticationMethod, Subject } from "../plugin/contract.ts";
import { implies, type Permission, parsePermission } from "./permission.ts";

/** What makes a subject. */
export interface SubjectParts {
  readonly userName: string;
  /** The user that authenticated, when it is another. */
  readonly callerName?: string;
  readonly method: AuthenticationMethod;
  readonly realms: readonly string[];
  /** Whether a user of this name exists in the database. */
  readonly known: boolean;
  readonly roles: ReadonlySet<string>;
  /** Wildcard permissions; a text that is none grants nothing. */
  readonly permissions: readonly string[];
}

const administrator = "_administrator";

/** Makes a subject. `_administrator` holds every role and every permission. */
export function createSubject(parts: SubjectParts): Subject {
  const { userName, callerName = userName, method, realms, known, roles } = parts;
  const isAdministrator = roles.has(administrator);
  let granted: readonly Permission[] | undefined;
  return Object.freeze({
    userName,
    callerName,
    method,
    realms,
    known,
    hasRole: (role: string) => isAdministrator || roles.has(role),
    isPermitted(permission: string) {
      const requested = parsePermission(permission);
      if (requested === undefined) return false;
      granted ??= parts.permissions.flatMap((text) => parsePermission(text) ?? []);
      return isAdministrator || granted.some((one) => implies(one, requested));
    },
  });
}
