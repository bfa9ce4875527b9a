import type { Change } from "../../store/change.ts";
import { entityKey } from "../entity.ts";
import type { MetadataRow } from "../metadata/metadata-row.ts";
import { spreadToMembers } from "../metadata/spread-write.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";

/**
 * Adds to a change that the timespans of a collection are of the clock that the start time codes of items tell, or are not
 * any more; what its items inherit follows. The caller guards the collection's metadata, in the same change and before.
 *
 * @param collection as the change has left it so far
 * @returns the collection as the change leaves it now
 */
export async function changeAbsoluteTime(
  environment: CollectionEnvironment,
  change: Change,
  collection: MetadataRow,
  absoluteTime: boolean,
): Promise<MetadataRow> {
  const { serial } = collection;
  const after = { ...collection, absoluteTime };
  const silent = { silent: true } as const;
  change.add(
    { sql: "update collection set absolute_time = ? where id = ?", args: [absoluteTime ? 1 : 0, serial] },
    silent,
  );
  // Whoever writes what inherits from the collection sees by this that it is not as it was read.
  change.add(
    { sql: "update metadata set writes = writes + 1 where id = ?", args: [entityKey("collection", serial)] },
    silent,
  );
  const definitions = await environment.definitions.current();
  if (definitions.anyInherited) await spreadToMembers(environment, change, definitions, collection, after);
  return after;
}
