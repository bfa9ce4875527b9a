import type { AuthenticationRequest } from "../plugin/contract.ts";

/** Keeps callers out who fail too often. Counting and its limits are the identity domain's. */
export interface Lockout {
  /** Whether nothing has failed for so long that nobody is locked out: then there is nothing to check. */
  isCalm(time: number): boolean;
  /** Seconds to wait, when the caller is locked out. */
  check(request: AuthenticationRequest, userName: string | undefined): number | undefined;
  failed(request: AuthenticationRequest, userName: string | undefined): void;
  succeeded(request: AuthenticationRequest, userName: string | undefined): void;
}
