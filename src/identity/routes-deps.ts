import type { AnyRouteRequest } from "../http/route-table.ts";
import type { Subject } from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";
import type { Editing } from "./editing.ts";
import type { PasswordHasher } from "./password/password-hasher.ts";
import type { TokenIntervals } from "./token-intervals.ts";

/** What the routes of identity take from the service. */
export interface IdentityRoutesDeps {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  /** The three properties of tokens as they are now. */
  readonly tokenIntervals: () => TokenIntervals | Promise<TokenIntervals>;
}

/** An edit in the name of a request's caller. */
export function editingOf(
  deps: IdentityRoutesDeps,
  request: Pick<AnyRouteRequest, "change"> & { readonly subject: Subject },
): Editing {
  return {
    store: deps.store,
    hasher: deps.hasher,
    change: () => request.change(),
    grantor: request.subject,
  };
}
