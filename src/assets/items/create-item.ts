import type { Change } from "../../store/change.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import type { Editor } from "../metadata/metadata-editing.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import { addNewMetadata } from "../metadata/new-metadata.ts";
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
  const maker = editor.subject?.userName ?? change.actor.userName;
  const { settings } = request;
  const owner = settings === undefined ? maker : await environment.access.importOwner(maker, settings);
  const serial = await store.ids.nextSerial("asset");
  const itemId = ids.format(serial);
  const now = store.now();
  const tag = request.tag ?? "original";
  change.add(
    { sql: "insert into item (id, created, owner) values (?, ?, ?)", args: [serial, now, owner] },
    { silent: true },
  );
  change.record({ entity: "item", action: "CREATE", entityId: itemId, keys: { itemId, action: "CREATE" } });
  await environment.access.created(change, "item", serial, owner, settings);
  const transient: Record<string, readonly string[]> = {};
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
  const identity = { itemId, created: new Date(now).toISOString(), mediaType: request.type ?? "none" };
  const system = [identity, { shapeTag: tag }];
  await addNewMetadata(environment, editor, change, {
    kind: "item",
    serial,
    owner,
    own: request.metadata,
    system,
    transient,
  });
  return serial;
}
