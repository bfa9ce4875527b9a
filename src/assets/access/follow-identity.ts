import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { removeEntriesOf } from "./gone-entries.ts";
import { addRetirement, addSuspension, type PrincipalKind, principalKey } from "./principals.ts";

/**
 * Makes what keeps the access control in step with users and groups that come and go; to be registered with
 * `store.observe`. What a disabled user granted is suspended, unless it was to be preserved; the entries of who is
 * deleted are removed.
 */
export function followIdentity(store: Store): (change: Change) => void | Promise<void> {
  return (change) => {
    const deleted: { readonly kind: PrincipalKind; readonly name: string }[] = [];
    for (const { entity, action, entityId } of change.events) {
      if (entity === "user" && (action === "DISABLE" || action === "ENABLE")) addSuspension(change, entityId);
      if (action !== "DELETE") continue;
      if (entity === "user" || entity === "group") deleted.push({ kind: entity, name: entityId });
    }
    return deleted.length === 0 ? undefined : retire(store, change, deleted);
  };
}

async function retire(
  store: Store,
  change: Change,
  deleted: readonly { readonly kind: PrincipalKind; readonly name: string }[],
): Promise<void> {
  await removeEntriesOf(
    store,
    change,
    deleted.map(({ kind, name }) => principalKey(kind, name)),
  );
  for (const { kind, name } of deleted) addRetirement(change, kind, name);
}
