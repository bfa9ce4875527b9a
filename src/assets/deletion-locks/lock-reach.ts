/** What deletion locks are set on. */
export const lockTypes = ["item", "collection", "file"] as const;
export type LockType = (typeof lockTypes)[number];

/** Kinds of member in the table of memberships. */
const itemMember = 1;
const collectionMember = 2;

/** A select of the items that have a file. @param match what the file's serial is compared with: `= l.entity` */
function itemsOfFile(match: string): string {
  return `select s.item from shape_file f join shape s on s.id = f.shape where f.file ${match}`;
}

/** A select of the serials of the collections that entities are in, directly or through other collections. */
function collectionsAbove(type: LockType, match: string): string {
  const kind = type === "collection" ? collectionMember : itemMember;
  const member = type === "file" ? `in (${itemsOfFile(match)})` : match;
  return `with recursive above(id) as (
      select collection from collection_member where kind = ${kind} and member ${member}
      union
      select m.collection from above a cross join collection_member m on m.kind = ${collectionMember} and m.member = a.id
    ) select id from above`;
}

/**
 * The condition on a row of `deletion_lock` that the lock reaches entities of a type: their own locks, those of the
 * collections that they are in, and for files those of the items that have them.
 *
 * @param match what the serial of the entity is compared with: `= l.entity`, `in (select value from json_each(?1))`
 * @param lock the alias of the row
 */
export function reaches(type: LockType, match: string, lock = "o"): string {
  const on = (holder: LockType, entities: string) => `(${lock}.type = '${holder}' and ${lock}.entity ${entities})`;
  const conditions = [on(type, match), on("collection", `in (${collectionsAbove(type, match)})`)];
  if (type === "file") conditions.push(on("item", `in (${itemsOfFile(match)})`));
  return `(${conditions.join(" or ")})`;
}
