import type { Subject } from "../../plugin/contract.ts";
import type { Fragment } from "../access-port.ts";
import type { EntityKind } from "../entity.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { Locks } from "./metadata-locks.ts";
import { type MetadataRow, rankFragment, readEntity, selectRows } from "./metadata-row.ts";

/** An entity as a write has to know it. */
export interface ReadForWrite {
  readonly row: MetadataRow;
  readonly locks: Locks;
}

type LockOfFields = readonly [user: string, names: readonly string[]];

const referring: Fragment = { sql: "(select count(*) from metadata_reference where target = m.id)", args: [] };

/** The user that has locked the item, and the locks of fields, in force at a moment; items are entities of kind 1. */
function locksAt(now: number): readonly Fragment[] {
  return [
    {
      sql: `coalesce((select json_quote(user) from item_lock where m.id % 8 = 1 and item = m.id / 8 and expires > ?), 'null')`,
      args: [now],
    },
    {
      sql: `(select json_group_array(json_array(user, json(fields))) from metadata_lock where entity = m.id and expires > ?)`,
      args: [now],
    },
  ];
}

/**
 * Reads entities of one kind with what holds a write off: who refers to them, who has locked them. One statement; those
 * that do not exist are left out, those that may not be read are not.
 *
 * @param of whether what may be done with the metadata counts, or with the entity as a whole
 */
export async function readForWrite(
  environment: Pick<MetadataEnvironment, "store" | "access">,
  subject: Subject | undefined,
  kind: EntityKind,
  serials: readonly number[],
  of: "metadata" | "entity" = "metadata",
): Promise<readonly ReadForWrite[]> {
  const fragment = rankFragment(environment, subject, kind, of === "entity" ? "entity" : undefined);
  const rank = fragment instanceof Promise ? await fragment : fragment;
  const further = [referring, ...locksAt(environment.store.now())];
  const rows = await environment.store.query(selectRows(kind, serials, rank, further));
  return rows.map((found) => {
    const { row, further } = readEntity(found);
    const [referrers, lockedBy, fields] = further as [number, string | null, readonly LockOfFields[]];
    return {
      row: { ...row, referring: referrers },
      locks: {
        fields: fields.map(([user, names]) => ({ user, names })),
        ...(lockedBy === null ? {} : { item: lockedBy }),
      },
    };
  });
}
