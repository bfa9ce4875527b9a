import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { Access } from "../access/create-access.ts";
import type { EntityIds } from "../entity-ids.ts";
import type { OneAtATime } from "../metadata/one-at-a-time.ts";
import type { Search } from "../search/search.ts";

/** What libraries depend on. */
export interface LibraryEnvironment {
  readonly store: Store;
  readonly ids: EntityIds;
  readonly access: Access;
  readonly search: Pick<Search, "keys">;
  /** Adds an external identifier to a new library. @throws KinoraError `invalid-input` for one that is taken */
  readonly identify?: (change: Change, library: number, identifier: string) => void | Promise<void>;
  /** Removes an external identifier of a library; answers whether it had that one. */
  readonly removeIdentifier?: (change: () => Change, library: number, identifier: string) => Promise<boolean>;
  /** Adds what other domains do when libraries go. @throws KinoraError `conflict` when one must stay */
  readonly librariesDeleted?: (change: Change, libraries: readonly number[]) => void | Promise<void>;
  /** Lets those who change the same library pass one by one. */
  readonly inTurn: OneAtATime;
}

/** Who edits a library, and where the change is started. */
export interface LibraryEditing {
  readonly environment: LibraryEnvironment;
  readonly subject: Subject;
  change(): Change;
}
