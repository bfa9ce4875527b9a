import { KinoraError } from "../errors.ts";
import type { Subject } from "../plugin/contract.ts";
import { createSubject } from "../security/subject.ts";
import { administratorRole } from "./roles.ts";
import type { UserRoles, UserSource } from "./user-source.ts";

const runAsRole = "_runas";

/**
 * The subject of a request whose caller names another user in the header `RunAs`: it has that user's roles and nothing
 * of the caller's. The caller needs `_administrator` or `_runas`, and `runAsEnabled` on its user (a caller that only a
 * realm knows has no user and so no such option). Answers without a promise when both users are known to the source.
 *
 * @param header the header's value as the runtime gives it
 * @throws KinoraError `run-as-refused`
 */
export function runAs(subject: Subject, header: string, users: UserSource): Subject | Promise<Subject> {
  if (!subject.hasRole(administratorRole) && !subject.hasRole(runAsRole)) {
    refuse(`The caller needs ${administratorRole} or ${runAsRole}`);
  }
  const name = runAsName(header);
  const caller = users.rolesOf(subject.callerName);
  const target = users.rolesOf(name);
  if (caller instanceof Promise || target instanceof Promise) {
    return Promise.all([caller, target]).then(([known, named]) => become(subject, known, name, named));
  }
  return become(subject, caller, name, target);
}

function become(subject: Subject, caller: UserRoles, name: string, target: UserRoles): Subject {
  if (caller.state !== "unknown" && !caller.runAsEnabled) refuse("The Run-As option of the caller's user is off");
  // The same sentence for both: RunAs is no way to find out which users exist.
  if (target.state !== "enabled") refuse("The user that the header names does not exist or is disabled");
  const { callerName, method, realms } = subject;
  // Permissions come from a realm that authenticated the user in this request; none did.
  return createSubject({
    userName: name,
    callerName,
    method,
    realms,
    known: true,
    roles: target.roles,
    permissions: [],
  });
}

const ascii = /^[\x20-\x7e]*$/;

/** The name in the header: runtimes give each byte of it as one character; names are UTF-8. */
export function runAsName(header: string): string {
  const value = header.trim();
  if (ascii.test(value)) return value;
  const codes = Array.from(value, (character) => character.charCodeAt(0));
  if (codes.some((code) => code > 0xff)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(codes));
  } catch {
    // Not UTF-8: then the bytes are ISO 8859-1, which is what the runtime gave.
    return value;
  }
}

function refuse(explanation: string): never {
  throw new KinoraError("run-as-refused", { explanation });
}
