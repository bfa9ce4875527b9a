import type { Change } from "../../store/change.ts";

/** Records an event of a shape, with exactly the output keys that the specification gives the shape triggers. */
export function recordShape(
  change: Change,
  notificationTrigger: "CREATE" | "MODIFY" | "DELETE",
  itemId: string,
  shapeId: string,
): void {
  change.record({
    entity: "shape",
    action: notificationTrigger,
    entityId: shapeId,
    keys: { notificationType: "shape", notificationTrigger, itemId, shapeId },
  });
}
