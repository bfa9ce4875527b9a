import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Access } from "../access/create-access.ts";
import type { EditMetadata } from "../metadata/metadata-editing.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import type { OneAtATime } from "../metadata/one-at-a-time.ts";

/** What other domains do when collections change; everything is added to the same change. */
export interface CollectionHooks {
  /** These came into a collection or left it. */
  membersChanged?(
    change: Change,
    members: { readonly items: readonly number[]; readonly collections: readonly number[] },
  ): void | Promise<void>;
  /** @throws KinoraError `conflict` for collections that must not be deleted */
  collectionsDeleted?(change: Change, collections: readonly number[]): void | Promise<void>;
}

/** What collections depend on. */
export interface CollectionEnvironment extends MetadataEnvironment {
  readonly access: Access;
  readonly edit: EditMetadata;
  readonly hooks: readonly CollectionHooks[];
  /** Adds an external identifier to a new collection. @throws KinoraError `invalid-input` for one that is taken */
  readonly identify?: (change: Change, collection: number, identifier: string) => void | Promise<void>;
  /** Removes an external identifier of a collection; answers whether it had that one. */
  readonly removeIdentifier?: (change: () => Change, collection: number, identifier: string) => Promise<boolean>;
  /** The items of a library that a subject may find, in blocks of at most 2000. */
  readonly libraryItems: (subject: Subject, library: number) => AsyncIterable<readonly number[]>;
  /** Lets those who change the same collection pass one by one. */
  readonly inTurn: OneAtATime;
}
