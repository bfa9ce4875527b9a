import type { Change } from "../store/change.ts";
import type { FieldType } from "./fields/field-types.ts";

/** Kinds of entity that are searched beside those with metadata. */
export type RelatedKind = "shape" | "file";

/** One value that an entity is found by. */
export interface RelatedValue {
  readonly name: string;
  readonly type: FieldType;
  /** In the normal form of the type. */
  readonly text: string;
}

/** Where writes of shapes and files tell the index. Everything is added to the change and written with it. */
export interface RelatedIndex {
  /** The entity is now found by these values and no others. */
  entity(
    change: Change,
    entity: { readonly kind: RelatedKind; readonly serial: number; readonly fields: readonly RelatedValue[] },
  ): void;
  /** The entities are found no more. */
  removeEntity(change: Change, kind: RelatedKind, serials: readonly number[]): void;
}
