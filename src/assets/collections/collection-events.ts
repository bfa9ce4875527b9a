import type { Change } from "../../store/change.ts";

/** Records that a collection came or went, with exactly the keys of the specification. */
export function recordCollection(change: Change, action: "CREATE" | "DELETE", collectionId: string): void {
  change.record({ entity: "collection", action, entityId: collectionId, keys: { collectionId, action } });
}

/** Records that the content of a collection changed. */
export function recordContent(change: Change, collectionId: string): void {
  change.record({
    entity: "collection",
    action: "MODIFY",
    entityId: collectionId,
    keys: { notificationType: "collection", notificationTrigger: "MODIFY", collectionId },
  });
}
