import type { Change } from "../../store/change.ts";
import type { TransientValues } from "../metadata/metadata-row.ts";

/** A placeholder item that is being created, with the components that it expects. */
export interface NewPlaceholder {
  readonly item: number;
  readonly owner: string;
  /** Expected files by kind of component. */
  readonly container: number;
  readonly audio: number;
  readonly video: number;
  readonly binary: number;
  /** Time code of the duration of a frame, as it was given. */
  readonly frameDuration?: string;
  /** Tag of the placeholder shape. */
  readonly tag: string;
}

/** What a domain adds to a new item's own metadata. */
export interface ItemAdditions {
  readonly transient?: TransientValues;
}

/** Which files a deletion leaves: those of shapes with these tags, those on these storages. */
export interface KeepOptions {
  readonly keepShapeTagMedia: readonly string[];
  readonly keepShapeTagStorage: readonly string[];
}

/** What other domains do when items come and go; everything is added to the same change. */
export interface ItemHooks {
  placeholderCreated?(
    change: Change,
    placeholder: NewPlaceholder,
  ): ItemAdditions | undefined | Promise<ItemAdditions | undefined>;
  /** @throws KinoraError `conflict` for items that must not be deleted */
  itemsDeleted?(change: Change, items: readonly number[], keep: KeepOptions): void | Promise<void>;
}
