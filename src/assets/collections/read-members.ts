import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { AccessKind, Fragment } from "../access-port.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import { type Member, memberKinds, memberOf } from "./member.ts";

/** Members of the largest collection that can be put in order by hand. */
export const mostOrdered = 100_000;

/** The condition that a subject may find the entity with the key `id`, a column. */
export async function findable(
  { access }: Pick<CollectionEnvironment, "access">,
  subject: Subject,
  id: string,
): Promise<Fragment> {
  const sets = await access.readableSets(subject);
  if (sets === "all") return { sql: "1", args: [] };
  return {
    sql: `exists (select 1 from search_document a where a.id = ${id} and a.access in (${sets.sql}))`,
    args: sets.args,
  };
}

/** Members of a collection, each with whether the subject may find it. */
export interface ReadMember extends Member {
  readonly readable: boolean;
}

/** Which members are read. */
export interface MemberSelection {
  /** Only these, by their keys. */
  readonly keys?: readonly number[];
}

/** The members of a collection in their order. */
export async function readMembers(
  environment: Pick<CollectionEnvironment, "access" | "store">,
  subject: Subject,
  collection: number,
  { keys }: MemberSelection = {},
): Promise<readonly ReadMember[]> {
  const readable = await findable(environment, subject, "m.member * 8 + m.kind");
  const some =
    keys === undefined
      ? { sql: "", args: [] }
      : {
          sql: "and (m.kind, m.member) in (select value % 8, value / 8 from json_each(?))",
          args: [JSON.stringify(keys)],
        };
  const statement: Statement = {
    sql: `select m.kind, m.member, m.position, m.passes, m.metadata, ${readable.sql} as readable
      from collection_member m where m.collection = ? ${some.sql}
      order by m.position, m.kind, m.member limit ${mostOrdered + 1}`,
    args: [...readable.args, collection, ...some.args],
  };
  const rows = await environment.store.query(statement);
  if (rows.length > mostOrdered) {
    throw new KinoraError("too-large", {
      explanation: `The order of a collection with more than ${mostOrdered} members cannot be changed`,
    });
  }
  return rows.map(readMember);
}

function readMember(row: Row): ReadMember {
  const { kind, member, position, passes, metadata } = row;
  return { ...memberOf({ kind, member, position, passes, metadata }), readable: row.readable === 1 };
}

/** Which part of the members is shown. */
export interface MemberPage {
  /** Counted from 1. */
  readonly first: number;
  /** Default: {@link mostShown}, which is also the most. */
  readonly number?: number | undefined;
  readonly kinds: readonly AccessKind[];
}

/** Members that one document shows; those behind are asked for by `first`. */
export const mostShown = 100_000;

/** A page of the members of a collection that the subject may find, in their order. */
export async function readPage(
  environment: Pick<CollectionEnvironment, "access" | "store">,
  subject: Subject,
  collection: number,
  { first, number = mostShown, kinds }: MemberPage,
): Promise<readonly Member[]> {
  if (kinds.length === 0 || number === 0) return [];
  const readable = await findable(environment, subject, "m.member * 8 + m.kind");
  const rows = await environment.store.query({
    sql: `select m.kind, m.member, m.position, m.passes, m.metadata from collection_member m
      where m.collection = ? and m.kind in (select value from json_each(?)) and ${readable.sql}
      order by m.position, m.kind, m.member limit ? offset ?`,
    args: [
      collection,
      JSON.stringify(kinds.map((kind) => memberKinds[kind])),
      ...readable.args,
      Math.min(number, mostShown),
      Math.max(0, first - 1),
    ],
  });
  return rows.map((row) => {
    const { kind, member, position, passes, metadata } = row;
    return memberOf({ kind, member, position, passes, metadata });
  });
}
