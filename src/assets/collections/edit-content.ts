import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import { accessEntityOf, accessKey } from "../access/access-entity.ts";
import { beginSharing } from "../access/share-library.ts";
import { changeMembers, type MembershipEdit } from "./change-members.ts";
import { type CollectionEditing, type ContentStep, planSteps } from "./plan-content.ts";

/**
 * Carries out steps on the content of a collection in one change. Answers whether anything changed.
 *
 * @throws KinoraError what {@link planSteps} throws; `conflict` when a collection would be in itself
 */
export async function editContent(
  editing: CollectionEditing,
  collection: number,
  steps: readonly ContentStep[],
): Promise<boolean> {
  return changeContent(editing, collection, steps, () => planSteps(editing, collection, steps));
}

/** Carries out what is planned of the content of a collection; `steps` are those that the plan is made of. */
export async function changeContent(
  editing: CollectionEditing,
  collection: number,
  steps: readonly ContentStep[],
  plan: () => Promise<MembershipEdit | undefined>,
): Promise<boolean> {
  const { environment } = editing;
  const changed = await environment.inTurn(accessKey("collection", collection), () =>
    repeatWhenRaced(async () => {
      const change = editing.change();
      const edit = await plan();
      if (edit === undefined) return false;
      await changeMembers(environment, change, collection, edit);
      await change.commit();
      return true;
    }),
  );
  await beginSharingOf(editing, steps);
  return changed;
}

/** Libraries that came in share what the collection grants with their items. */
export async function beginSharingOf({ environment }: CollectionEditing, steps: readonly ContentStep[]): Promise<void> {
  for (const { key } of steps) {
    if (accessEntityOf(key).kind === "library") await beginSharing(environment.store, key);
  }
}
