import type { Change, ChangeEvent } from "../store/change.ts";

/** The events of the group triggers, with exactly the output keys that the specification gives them. */

export function recordGroupCreated(change: Change, group: string): void {
  change.record(groupEvent(change, "CREATE", group));
}

export function recordGroupDeleted(change: Change, group: string): void {
  change.record(groupEvent(change, "DELETE", group));
}

/** One user or one child group came to a group or left it. */
export function recordGroupModified(
  change: Change,
  group: string,
  mode: "ADD" | "REMOVE",
  affected: { readonly user: string } | { readonly group: string },
): void {
  const event = groupEvent(change, "MODIFY", group);
  const [key, name] = "user" in affected ? ["affectedUser", affected.user] : ["affectedGroup", affected.group];
  change.record({ ...event, keys: { ...event.keys, mode, [key]: name } });
}

function groupEvent(change: Change, action: string, group: string): ChangeEvent {
  return {
    entity: "group",
    action,
    entityId: group,
    keys: { group, action, username: change.actor.runAs ?? change.actor.userName },
  };
}
