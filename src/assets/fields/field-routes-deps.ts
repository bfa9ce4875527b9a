import type { AnyRouteRequest } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { DefinitionCache } from "./definition-cache.ts";
import type { DefinitionEditing, DefinitionObserver } from "./definition-editing.ts";
import type { Definitions } from "./definitions.ts";
import { type FieldRights, fieldRights, unlimitedRights } from "./field-access.ts";

/** What the routes of field definitions take from the service. */
export interface FieldRoutesDeps {
  readonly store: Store;
  readonly definitions: DefinitionCache;
  readonly observers: readonly DefinitionObserver[];
  /** Takes an external identifier from a field or field group, by its row; answers whether it had that one. */
  readonly removeIdentifier?: (
    change: () => Change,
    type: "metadata-field" | "field-group",
    row: number,
    identifier: string,
  ) => Promise<boolean>;
  /** Of XML answers. */
  readonly namespace: string;
  /** Names of the groups and roles of a user, directly or through parents. */
  readonly groupsOf: (userName: string) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

/** What a caller may do with fields; looks for the caller's groups only when there is an access list at all. */
export function rightsOf(
  { groupsOf }: Pick<FieldRoutesDeps, "groupsOf">,
  definitions: Definitions,
  subject: Subject,
): FieldRights | Promise<FieldRights> {
  if (definitions.access.length === 0 || subject.hasRole("_administrator")) return unlimitedRights;
  const groups = groupsOf(subject.userName);
  if (groups instanceof Promise) return groups.then((names) => fieldRights(definitions, subject, names));
  return fieldRights(definitions, subject, groups);
}

/** An edit in the name of a request's caller. */
export function editingOf(deps: FieldRoutesDeps, request: Pick<AnyRouteRequest, "change">): DefinitionEditing {
  const { store, definitions, observers } = deps;
  return { store, definitions, observers, change: () => request.change() };
}
