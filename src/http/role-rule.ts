import { KinoraError } from "../errors.ts";
import type { Subject } from "../plugin/contract.ts";
import type { AnyRouteRequest } from "./route-table.ts";

/**
 * Who may call a route: any authenticated caller; holders of a role; holders of any of several roles; whom a named
 * function lets in; anyone at all (`open`, for routes that are served outside the security chains).
 */
export type RoleRule = "authenticated" | "open" | `_${string}` | readonly `_${string}`[] | RoleFunction;

/** A rule that looks at the request, for example at whose user the path names. */
export interface RoleFunction {
  /** For the docs and the refusal: `_administrator, or the user itself`. */
  readonly name: string;
  /** Asked before the body and the declared parameters are read; path parameters and `parameter(name)` are there. */
  readonly allows: (request: AnyRouteRequest) => boolean;
}

/** A {@link RoleFunction}. */
export function roleRule(name: string, allows: (request: AnyRouteRequest) => boolean): RoleFunction {
  return { name, allows };
}

/** The rule in words. */
export function describeRole(rule: RoleRule): string {
  if (typeof rule === "string") return rule;
  return "allows" in rule ? rule.name : rule.join(" or ");
}

/**
 * Checks the rule.
 *
 * @throws KinoraError `not-authenticated` for an anonymous caller, `forbidden` that names what is missing
 */
export function requireRole(rule: RoleRule, subject: Subject | undefined, request: AnyRouteRequest): void {
  if (rule === "open") return;
  if (subject === undefined) throw new KinoraError("not-authenticated");
  if (rule === "authenticated" || isAllowed(rule, subject, request)) return;
  throw new KinoraError("forbidden", { explanation: `The caller needs ${describeRole(rule)}` });
}

function isAllowed(rule: Exclude<RoleRule, "open" | "authenticated">, subject: Subject, request: AnyRouteRequest) {
  if (typeof rule === "string") return subject.hasRole(rule);
  return "allows" in rule ? rule.allows(request) : rule.some((role) => subject.hasRole(role));
}
