import type { Change } from "../../store/change.ts";
import type { Ids } from "../../store/ids.ts";
import { accessEntityOf, accessKinds } from "./access-entity.ts";
import { formatAccessEntity } from "./entity-id.ts";
import { isGroupPrincipal } from "./principals.ts";
import { permissionWord } from "./wanted-entry.ts";

/** What the event tells of an entry. */
export interface EventEntry {
  readonly id: number;
  readonly principal: number;
  /** Of the user or group. */
  readonly name: string;
  readonly permission: number;
}

/**
 * Records that an entry came, went or changed, with exactly the keys of the access triggers; for collections and
 * libraries with `collectionId` or `libraryId` in the place of `itemId`.
 */
export function recordAccess(
  change: Change,
  ids: Pick<Ids, "format">,
  trigger: "CREATE" | "DELETE" | "CHANGE",
  entity: number,
  { id, principal, name, permission }: EventEntry,
): void {
  const { event, idKey } = accessKinds[accessEntityOf(entity).kind];
  const accessId = ids.format(id);
  change.record({
    entity: event,
    action: trigger,
    entityId: accessId,
    keys: {
      notificationType: "access",
      notificationTrigger: trigger,
      [idKey]: formatAccessEntity(ids, entity),
      accessId,
      permission: permissionWord(permission),
      [isGroupPrincipal(principal) ? "group" : "user"]: name,
    },
  });
}
