import type { FieldType, IndexMode } from "./field-types.ts";

/** The rule that the values of a field keep. Bounds are inclusive; an absent one does not bound. */
export type Restriction =
  | { readonly kind: "string"; readonly minLength?: number; readonly maxLength?: number; readonly pattern?: string }
  | { readonly kind: "integer" | "long"; readonly minimum?: string; readonly maximum?: string }
  | { readonly kind: "float"; readonly minimum?: number; readonly maximum?: number };

/** A metadata field as it was defined. */
export interface FieldDefinition {
  /** Row in the database; small, and never used for another field. */
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
  readonly index: IndexMode;
  /** Whether the values are found by a text search that names no field. */
  readonly fullText: boolean;
  /** Weight in text searches; 1 when absent. */
  readonly boost?: number;
  readonly restriction?: Restriction;
  readonly defaultValue?: string;
  /** Values on a collection show on what is in it. */
  readonly inheritance: boolean;
  /** Made by the service itself; can be neither deleted nor given another type. */
  readonly system: boolean;
}

/** How often a member of a group occurs in one instance; `max` -1 for any number. */
export interface Occurrence {
  readonly min: number;
  readonly max: number;
  readonly reference?: boolean;
}

export const anyOccurrence: Occurrence = { min: 0, max: -1 };

/** A field or group in a field group. */
export interface GroupMember extends Occurrence {
  readonly name: string;
}

/** A field group as it was defined. */
export interface GroupDefinition {
  readonly id: number;
  readonly name: string;
  readonly inheritance: boolean;
  /** In the order in which they were put in. */
  readonly fields: readonly GroupMember[];
  readonly groups: readonly GroupMember[];
}

/** What may be done with a field or group; each permission includes those before it. */
export const fieldPermissions = ["READ", "WRITE", "DELETE"] as const;
export type FieldPermission = (typeof fieldPermissions)[number];

/** An entry in the access list of a field or field group. Without user and group it is for everybody. */
export interface FieldAccess {
  readonly id: number;
  readonly field?: string;
  readonly fieldGroup?: string;
  readonly user?: string;
  readonly group?: string;
  readonly permission: FieldPermission;
}
