import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { AccessPort } from "../access-port.ts";
import type { EntityKind } from "../entity.ts";
import type { EntityIds } from "../entity-ids.ts";
import type { TransientFields } from "../metadata/transient-fields.ts";
import type { RelatedIndex } from "../related-index-port.ts";

/**
 * Adds a write of fields that the service keeps to a change: each field then has these values, none takes it away. It
 * reads the metadata and guards it, so the change belongs into `repeatWhenRaced`, and transient fields behind it.
 */
export type SystemWrite = (
  change: Change,
  kind: EntityKind,
  serial: number,
  fields: Readonly<Record<string, readonly string[]>>,
) => Promise<void>;

/** The part of the deletion locks that guards files. */
export interface FileLocks {
  /**
   * Lets the change hold only while none of these files is locked, by a lock of its own or of an item that has it.
   * To be added before the files are taken from their shapes.
   */
  requireDeletable(change: Change, type: "file", serials: readonly number[]): void;
}

/** What reading and writing shapes depends on. */
export interface ShapeEnvironment {
  readonly store: Store;
  readonly ids: EntityIds;
  readonly access: AccessPort;
  readonly transientFields: TransientFields;
  readonly systemWrite: SystemWrite;
  readonly index: RelatedIndex;
  readonly locks: FileLocks;
}
