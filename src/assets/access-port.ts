import type { Subject } from "../plugin/contract.ts";
import type { Change } from "../store/change.ts";
import type { SqlValue } from "../store/database.ts";

/** What may be done with an entity; each permission includes those before it. */
export const permissions = ["NONE", "READ", "WRITE", "ALL", "OWNER"] as const;
export type Permission = (typeof permissions)[number];

/** The number of a permission in SQL and in rows: 0 for `NONE` to 4 for `OWNER`. */
export function rankOf(permission: Permission): number {
  return permissions.indexOf(permission);
}

/** A part of a statement with its arguments, in the order of their question marks. */
export interface Fragment {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

/** Entities that have access lists. */
export type AccessKind = "item" | "collection" | "library";

/** A part of an entity that grants can be limited to. */
export interface AccessOperation {
  readonly type: "METADATA" | "SHAPE" | "URI";
  /** The field, shape tag or kind of URI. */
  readonly data?: string;
}

/** What a subject may read of the parts of entities of one type: of the shapes of items. */
export interface PartAccess {
  /** Whether any grant that names the subject is limited to parts of this type, as SQL; the same for all entities. */
  readonly limited: Fragment;
  /**
   * The condition that the subject may read a part.
   *
   * @param access the access set of its entity, a column
   * @param data a select of what grants can name it by: the tags of a shape
   */
  readable(access: Fragment, data: Fragment): Fragment;
}

/** Access control, as those parts of assets use it that do not manage it. */
export interface AccessPort {
  /**
   * An SQL expression for the rank of what the subject may do with the entity whose serial the expression `column`
   * gives, so that it is asked with the data in one statement. 4 for administrators.
   */
  rank(subject: Subject, kind: AccessKind, column: string, operation?: AccessOperation): Fragment | Promise<Fragment>;
  /**
   * An SQL expression for the grants that name the subject on an entity as such and on its parts of one type, for
   * {@link readGrades} in grades.ts: for several parts of one entity, and for such that do not exist yet.
   */
  grades(
    subject: Subject,
    kind: AccessKind,
    column: string,
    type: AccessOperation["type"],
  ): Fragment | Promise<Fragment>;
  /**
   * Whose an item becomes that a user imports with a settings profile: the user's, unless the profile names an owner.
   *
   * @throws KinoraError `not-found` for a profile that does not exist
   */
  importOwner(userName: string, settings: string): Promise<string>;
  /**
   * Adds the entries of a new entity: that of its owner, and the import defaults of the owner or of a settings profile.
   *
   * @throws KinoraError `not-found` for a profile that does not exist
   */
  created(change: Change, kind: AccessKind, serial: number, owner: string, settings?: string): void | Promise<void>;
  /** Adds the removal of all entries of deleted entities. */
  removed(change: Change, kind: AccessKind, serials: readonly number[]): void | Promise<void>;
}
