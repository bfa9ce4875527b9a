import type { Store } from "../../store/store.ts";
import type { MemberOf } from "./subject-access.ts";

/** What access control depends on. */
export interface AccessEnvironment {
  readonly store: Store;
  readonly memberOf: MemberOf;
}
