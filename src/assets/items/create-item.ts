import type { Change } from "../../store/change.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import { entityKey } from "../entity.ts";
import { difference } from "../metadata/difference.ts";
import { rightsFor } from "../metadata/metadata-documents.ts";
import type { Editor } from "../metadata/metadata-editing.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import { recordWrite } from "../metadata/metadata-event.ts";
import type { TransientValues } from "../metadata/metadata-row.ts";
import { addMetadataWrite } from "../metadata/metadata-write.ts";
import { type ChangeStamp, emptyMetadata, type Metadata } from "../metadata/model.ts";
import { requireReferences } from "../metadata/put-metadata.ts";
import { systemUser } from "../metadata/system-user.ts";
import { applyUpdate } from "../metadata/update/apply-update.ts";
import { checkSchema } from "../metadata/update/check-schema.ts";
import type { ItemHooks } from "./item-hooks.ts";

/** A placeholder as it is asked for. */
export interface PlaceholderRequest {
  readonly metadata?: MetadataValues | undefined;
  readonly container?: number | undefined;
  readonly audio?: number | undefined;
  readonly video?: number | undefined;
  readonly binary?: number | undefined;
  readonly frameDuration?: string | undefined;
  /** The item's `mediaType`; `none` until media comes. */
  readonly type?: string | undefined;
  /** Tag of the placeholder shape. Default `original`. */
  readonly tag?: string | undefined;
  /** The settings profile whose access entries the item gets. */
  readonly settings?: string | undefined;
}

export interface ItemEnvironment extends MetadataEnvironment {
  readonly hooks: readonly ItemHooks[];
}

function systemFields(fields: Readonly<Record<string, string>>): MetadataValues {
  return { timespan: [{ field: Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] })) }] };
}

/**
 * Adds a new placeholder item to a change: its row, its metadata as three change sets (the caller's; identity, creation
 * and media type; the shape tag), access entries, index, events. Answers its serial.
 *
 * @throws KinoraError what the metadata throws; `not-found` for an unknown settings profile
 */
export async function addPlaceholder(
  environment: ItemEnvironment,
  editor: Editor,
  change: Change,
  request: PlaceholderRequest,
): Promise<number> {
  const { store, ids } = environment;
  const definitions = await environment.definitions.current();
  const rights = await rightsFor(environment, definitions, editor.subject);
  const owner = editor.subject?.userName ?? change.actor.userName;
  const serial = await store.ids.nextSerial("asset");
  const changeSets = await store.ids.takeSerials("change-set", 3);
  const now = store.now();
  const tag = request.tag ?? "original";

  const apply = (
    before: Metadata,
    document: MetadataValues,
    place: number,
    user: string,
    system: boolean,
  ): Metadata => {
    const id = changeSets[place] ?? 0;
    const sequence = (before.last?.sequence ?? 0) + 1;
    const stamp: ChangeStamp = { id, user, time: now, sequence, writtenOut: false };
    const { field, group } = definitions;
    const entryOf = () => undefined;
    return applyUpdate(before, document, { stamp, field, group, entryOf, mayWrite: rights.mayWrite, system });
  };
  const own = apply(emptyMetadata, request.metadata ?? {}, 0, owner, false);
  checkSchema(emptyMetadata, own, definitions);
  await requireReferences(environment, editor, emptyMetadata, own);
  const itemId = ids.format(serial);
  const created = new Date(now).toISOString();
  const identified = apply(
    own,
    systemFields({ itemId, created, mediaType: request.type ?? "none" }),
    1,
    systemUser,
    true,
  );
  const tagged = apply(identified, systemFields({ shapeTag: tag }), 2, systemUser, true);

  const transient: Record<string, TransientValues[string]> = { __user: [owner], user: [owner] };
  change.add(
    { sql: "insert into item (id, created, owner) values (?, ?, ?)", args: [serial, now, owner] },
    { silent: true },
  );
  for (const hook of environment.hooks) {
    const additions = await hook.placeholderCreated?.(change, {
      item: serial,
      owner,
      container: request.container ?? 0,
      audio: request.audio ?? 0,
      video: request.video ?? 0,
      binary: request.binary ?? 0,
      tag,
      ...(request.frameDuration === undefined ? {} : { frameDuration: request.frameDuration }),
    });
    Object.assign(transient, additions?.transient);
  }
  const entity = { kind: "item", serial, key: entityKey("item", serial), writes: 0 } as const;
  change.record({ entity: "item", action: "CREATE", entityId: itemId, keys: { itemId, action: "CREATE" } });
  const states = [emptyMetadata, own, identified, tagged] as const;
  addMetadataWrite(environment, change, { entity, states, definitions, owner, transient }, undefined);
  for (const [field, values] of Object.entries(transient)) {
    if (field !== "__user" && field !== "user") environment.index.transient(change, "item", [serial], field, values);
  }
  await environment.access.created(change, "item", serial, owner, request.settings);
  if (own.last !== undefined) {
    recordWrite(environment, change, entity, own.last, difference(emptyMetadata, own), own);
  }
  return serial;
}
