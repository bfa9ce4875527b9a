/** What the claims of a token must say. */
export interface ClaimRules {
  readonly expectedAudience: string | undefined;
  readonly expectedIssuer: string | undefined;
  /** The claim that names the user. */
  readonly tokenUser: string;
  readonly requireExp: boolean;
  /** Introspection may leave `sub` out (RFC 7662, 2.2); a signed token may not. */
  readonly requireSub: boolean;
}

/** What was taken from claims that are as they must be. */
export interface CheckedClaims {
  readonly userName: string;
  /** Epoch milliseconds. */
  readonly expires: number | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Clocks of other machines may differ by this much. Seconds. */
export const clockSkewSeconds = 30;

type Claims = Readonly<Record<string, unknown>>;

/** Checks the claims of a token whose signature is good, or says why it is refused. */
export function checkClaims(
  claims: Claims,
  rules: ClaimRules,
  nowMs: number,
): CheckedClaims | { readonly refused: string } {
  const refused =
    timeFault(claims, rules, nowMs / 1000) ??
    subjectFault(claims, rules) ??
    audienceFault(claims, rules) ??
    issuerFault(claims, rules);
  if (refused !== undefined) return { refused };
  const userName = userNameOf(claims, rules.tokenUser);
  if (userName === undefined) return { refused: `the claim ${rules.tokenUser} names no user` };
  return { userName, claims, expires: typeof claims.exp === "number" ? claims.exp * 1000 : undefined };
}

/** The user that a claim names; `undefined` unless it is a text that is not empty. */
export function userNameOf(claims: Claims, tokenUser: string): string | undefined {
  const value = Object.hasOwn(claims, tokenUser) ? claims[tokenUser] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeFault(claims: Claims, { requireExp }: ClaimRules, now: number): string | undefined {
  const { exp, nbf, iat } = claims;
  for (const [name, value] of Object.entries({ exp, nbf, iat })) {
    if (value !== undefined && !(typeof value === "number" && Number.isFinite(value))) return `${name} is not a number`;
  }
  if (exp === undefined && requireExp) return "exp is missing";
  if (typeof exp === "number" && exp <= now - clockSkewSeconds) return "the token has expired";
  if (typeof nbf === "number" && nbf > now + clockSkewSeconds) return "the token is not valid yet";
  if (typeof iat === "number" && iat > now + clockSkewSeconds) return "the token was issued in the future";
  return undefined;
}

/** The claim must be there; its value is used only when it names the user. */
function subjectFault({ sub }: Claims, { requireSub }: ClaimRules): string | undefined {
  if (sub === undefined && !requireSub) return undefined;
  return typeof sub === "string" && sub !== "" ? undefined : "sub is missing or no text";
}

function audienceFault({ aud }: Claims, { expectedAudience }: ClaimRules): string | undefined {
  if (expectedAudience === undefined) return undefined;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((one) => typeof one === "string")) return "aud is missing or no text";
  return audiences.includes(expectedAudience) ? undefined : "aud does not contain the expected audience";
}

function issuerFault({ iss }: Claims, { expectedIssuer }: ClaimRules): string | undefined {
  return expectedIssuer === undefined || iss === expectedIssuer ? undefined : "iss is not the expected issuer";
}
