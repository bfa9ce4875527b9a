import type { Change } from "../../store/change.ts";
import { accessKey } from "../access/access-entity.ts";
import { requireAccess } from "../access/require-access.ts";
import type { CollectionContent } from "../documents/collection-document.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import type { EditBase, EditPlan } from "../metadata/metadata-editing.ts";
import type { MetadataRow } from "../metadata/metadata-row.ts";
import { metadataAfter } from "../metadata/put-metadata.ts";
import { changeAbsoluteTime } from "./absolute-time.ts";
import { allSteps } from "./add-items-of.ts";
import { type MembershipEdit, placeMembers, writeMembers } from "./change-members.ts";
import { recordContent } from "./collection-events.ts";
import { requestedContent } from "./content-steps.ts";
import { namingMetadata } from "./create-collection.ts";
import { beginSharingOf, changeContent } from "./edit-content.ts";
import { type CollectionEditing, planSteps, planWhole } from "./plan-content.ts";

/** What a document makes of a collection; what is absent stays. */
export interface WantedCollection {
  readonly content: readonly CollectionContent[];
  /** A list without modes is all that the collection is to have. */
  readonly clear: boolean;
  readonly name?: string | undefined;
  readonly metadata?: MetadataValues | undefined;
  readonly absoluteTime?: boolean | undefined;
}

/**
 * Changes the content, the name, the metadata and the time of a collection, all of it or nothing, in one change and one
 * change set.
 *
 * @throws KinoraError what {@link planSteps} and writes of metadata throw; `conflict` when a collection would be in itself
 */
export async function putCollection(
  editing: CollectionEditing,
  serial: number,
  { content, clear, name, metadata, absoluteTime }: WantedCollection,
): Promise<void> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, accessKey("collection", serial), "WRITE");
  const requested = await requestedContent(environment, content);
  const steps = await allSteps(editing, requested);
  const isWhole = requested.whole && requested.steps.length > 0;
  const planned = async () => (isWhole ? planWhole(editing, serial, steps, clear) : planSteps(editing, serial, steps));
  const documents = [metadata, name === undefined ? undefined : namingMetadata(name)].filter(
    (document) => document !== undefined,
  );
  if (documents.length === 0 && absoluteTime === undefined) {
    await changeContent(editing, serial, steps, planned);
    return;
  }
  await environment.inTurn(accessKey("collection", serial), () =>
    environment.edit(editing, "collection", serial, async (base) => {
      const after = await metadataAfter(environment, editing, base, documents);
      const members = steps.length === 0 ? undefined : await planned();
      return together(editing, base, { metadata: after, members, absoluteTime });
    }),
  );
  await beginSharingOf(editing, steps);
}

interface Together {
  readonly metadata: MetadataRow["metadata"];
  readonly members: MembershipEdit | undefined;
  readonly absoluteTime: boolean | undefined;
}

/** A plan that writes the metadata between the parts of the content that have to stand before and behind it. */
function together(
  { environment }: CollectionEditing,
  { row }: EditBase,
  { metadata, members, absoluteTime }: Together,
): EditPlan {
  const { serial } = row;
  const changesTime = absoluteTime !== undefined && absoluteTime !== (row.absoluteTime ?? false);
  const before = async (change: Change) => {
    if (members !== undefined) await placeMembers(environment, change, serial, members);
  };
  const behind = async (change: Change) => {
    let written: MetadataRow = { ...row, metadata };
    if (changesTime) written = await changeAbsoluteTime(environment, change, written, absoluteTime);
    if (members !== undefined) await writeMembers(environment, change, serial, members, written);
    else if (changesTime) recordContent(change, environment.ids.format(serial));
  };
  if (metadata !== row.metadata) return { after: metadata, first: before, also: behind };
  if (members === undefined && !changesTime) return { after: metadata };
  return {
    after: metadata,
    instead: async (change) => {
      await before(change);
      await behind(change);
    },
  };
}
