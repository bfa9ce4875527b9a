import type { Change } from "../store/change.ts";
import type { EntityKind } from "./entity.ts";
import type { FieldType, IndexMode } from "./fields/field-types.ts";
import type { TimeSpan } from "./metadata/time/time-span.ts";

/** What the index needs of a field's definition. */
export interface IndexedField {
  readonly name: string;
  readonly id: number;
  readonly type: FieldType;
  readonly index: IndexMode;
  readonly fullText: boolean;
}

/** One value of an entity, with the place it stands in. */
export interface IndexedValue {
  /** Unique within the entity; stays while the value lives, also when its text changes. Negative for inherited values. */
  readonly entry: number;
  readonly field: IndexedField;
  /** In the normal form of the field's type, as stored. */
  readonly text: string;
  readonly language?: string;
  readonly track?: string;
  /** Absent for untimed metadata (`-INF` to `+INF`). */
  readonly span?: TimeSpan;
  /** The group instances around it, outermost first; none directly in the timespan. */
  readonly groups: readonly IndexedGroup[];
  /** Where it comes from when it is not the entity's own: `Collection/VX-6`. */
  readonly inherited?: string;
}

export interface IndexedGroup {
  readonly name: string;
  /** Unique within the entity. */
  readonly entry: number;
}

/** An entity after a write of its metadata, with the difference to what the index was given before. */
export interface IndexedEntity {
  readonly kind: EntityKind;
  readonly serial: number;
  /** `entityKey(kind, serial)`. */
  readonly key: number;
  /** Nothing of the entity is in the index yet. */
  readonly created: boolean;
  /** The entity's owner; only needed when it is new. */
  readonly owner?: string;
  /** When the metadata was last written, in epoch milliseconds. */
  readonly modifiedAt: number;
  /** Everything that there is now, inherited values included. */
  readonly values: readonly IndexedValue[];
  /** New since the last time; a changed value is in both, under one entry. */
  readonly added: readonly IndexedValue[];
  readonly removed: readonly IndexedValue[];
}

/** Where writes of metadata tell the index. Everything is added to the change and written with it. */
export interface MetadataIndex {
  /** Makes the entity found by what it has now. */
  write(change: Change, entity: IndexedEntity): void;
  /** A field that other domains maintain (`__collection`, `__shape_size` …) now has these values on all these entities. */
  transient(
    change: Change,
    kind: EntityKind,
    serials: readonly number[],
    field: string,
    values: readonly string[],
  ): void;
  /** The entities are brought up to date soon after the change: there are too many for its batch. */
  later?(change: Change, kind: EntityKind, serials: readonly number[]): void;
  /** The entities are found no more. */
  remove(change: Change, kind: EntityKind, serials: readonly number[]): void;
}
