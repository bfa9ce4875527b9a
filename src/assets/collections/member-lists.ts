import type { Subject } from "../../plugin/contract.ts";
import { formatLibrary } from "../access/entity-id.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import { memberKinds } from "./member.ts";
import { findable } from "./read-members.ts";

/** Identifiers in one list. */
const mostListed = 10_000;

type Environment = Pick<CollectionEnvironment, "access" | "store">;

/** The identifiers of the collections directly around an item that the caller may find. */
export async function collectionsOfItem(
  environment: Environment,
  subject: Subject,
  item: number,
): Promise<readonly string[]> {
  const readable = await findable(environment, subject, "m.collection * 8 + 2");
  const rows = await environment.store.query({
    sql: `select m.collection as id from collection_member m join collection c on c.id = m.collection
      where m.kind = ${memberKinds.item} and m.member = ? and ${readable.sql} order by m.collection limit ${mostListed}`,
    args: [item, ...readable.args],
  });
  return rows.map((row) => environment.store.ids.format(Number(row.id)));
}

/** The identifiers of the libraries that an item is in, as they are kept, and that the caller may find. */
export async function librariesOfItem(
  environment: Environment,
  subject: Subject,
  item: number,
): Promise<readonly string[]> {
  const readable = await findable(environment, subject, "l.library * 8 + 7");
  const rows = await environment.store.query({
    sql: `select l.library as id from library_item l
      where l.item = ? and ${readable.sql} order by l.library limit ${mostListed}`,
    args: [item, ...readable.args],
  });
  return rows.map((row) => formatLibrary(environment.store.ids, Number(row.id)));
}

/** The identifiers of all collections above a collection that the caller may find. */
export async function ancestorsOfCollection(
  environment: Environment,
  subject: Subject,
  collection: number,
): Promise<readonly string[]> {
  const readable = await findable(environment, subject, "up.id * 8 + 2");
  const rows = await environment.store.query({
    sql: `with recursive up (id) as (
        select collection from collection_member where kind = ${memberKinds.collection} and member = ?
        union
        select m.collection from up cross join collection_member m on m.kind = ${memberKinds.collection} and m.member = up.id
      )
      select up.id from up join collection c on c.id = up.id where ${readable.sql} order by up.id limit ${mostListed}`,
    args: [collection, ...readable.args],
  });
  return rows.map((row) => environment.store.ids.format(Number(row.id)));
}
