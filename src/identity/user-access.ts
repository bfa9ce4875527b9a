import { roleRule } from "../http/role-rule.ts";
import type { AnyRouteRequest } from "../http/route-table.ts";
import type { AuthenticationMethod } from "../plugin/contract.ts";

/** Whether the user that the path names is the one that the request acts as. */
function isOwn(request: AnyRouteRequest): boolean {
  return request.subject !== undefined && request.params.userName === request.subject.userName;
}

/** Whether the caller logged in as this very user: nobody else by RunAs, and not by what was made from a login. */
function loggedInThemselves(request: AnyRouteRequest, methods: readonly AuthenticationMethod[]): boolean {
  const { subject } = request;
  return isOwn(request) && subject?.callerName === subject?.userName && methods.includes(subject?.method ?? "token");
}

function isAdministrator(request: AnyRouteRequest): boolean {
  return request.subject?.hasRole("_administrator") ?? false;
}

export const userItself = roleRule(
  "_administrator, or to be the user itself",
  (request) => isAdministrator(request) || isOwn(request),
);

/** Long-lived credentials are not made with lesser ones: neither with an access key nor with a token. */
export const ownAccessKeys = roleRule(
  "_administrator, or to be the user itself, not authenticated by an access key or a token",
  (request) => isAdministrator(request) || loggedInThemselves(request, ["password", "bearer", "custom"]),
);

/** Who shows the password may change it. */
export const ownPassword = roleRule(
  "_administrator, or to be the user itself, authenticated by password",
  (request) => isAdministrator(request) || loggedInThemselves(request, ["password"]),
);

export const writeOwnMetadata = roleRule(
  "_administrator, or to be the user itself with _user_metadata_write",
  (request) =>
    isAdministrator(request) || (isOwn(request) && (request.subject?.hasRole("_user_metadata_write") ?? false)),
);
