/**
 * How asking a directory failed:
 * - `lost`: the connection ended before the answer; it may have been old, and a new one may do
 * - `unreachable`: there is no connection, or no answer in time; another server may do
 * - `refused credentials`: a bind with a wrong password, or for a user who may not log in
 * - `no such entry`
 * - `refused`: the server answers, and will answer the next time, that it does not do this
 */
export type LdapFailureKind = "lost" | "unreachable" | "refused credentials" | "no such entry" | "refused";

/** What the layers of the realm throw when the directory does not do what they ask. */
export class LdapFailure extends Error {
  override readonly name = "LdapFailure";
  readonly kind: LdapFailureKind;

  constructor(kind: LdapFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Results of a bind that say something of the user: RFC 4511 §4.1.9, and what servers use for locked accounts. */
const aboutTheUser: ReadonlySet<number> = new Set([
  19, // constraintViolation: too many attempts
  32, // noSuchObject
  34, // invalidDNSyntax
  48, // inappropriateAuthentication: the entry has no password
  49, // invalidCredentials
  50, // insufficientAccessRights
  53, // unwillingToPerform: the account is locked
]);
/** Results that another server may not give. */
const passing: ReadonlySet<number> = new Set([
  3, // timeLimitExceeded
  51, // busy
  52, // unavailable
]);

/** The failure that a result code stands for. */
export function failureOfResult(operation: "bind" | "search", code: number, message: string): LdapFailure {
  const text = `The ${operation} ends with result ${code}: ${message}`;
  if (passing.has(code)) return new LdapFailure("unreachable", text);
  if (operation === "bind" && aboutTheUser.has(code)) return new LdapFailure("refused credentials", text);
  if (operation === "search" && code === 32) return new LdapFailure("no such entry", text);
  return new LdapFailure("refused", code === 10 ? `${text}; referrals are not followed` : text);
}
