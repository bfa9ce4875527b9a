import type { MetadataFieldValue } from "../../documents/metadata-document.ts";
import type { Definitions } from "../../fields/definitions.ts";
import type { FieldDefinition } from "../../fields/field-definition.ts";
import type { InheritedPart } from "../inherited.ts";
import type { ReferenceLookup } from "../reference.ts";
import type { MetadataSelection } from "../selection/metadata-selection.ts";
import type { Rational } from "../time/rational.ts";

/** What an answer of metadata needs besides the metadata. */
export interface ProjectionContext {
  readonly entityKey: number;
  readonly selection: MetadataSelection;
  readonly definitions: Definitions;
  /** The UUIDs of an entity's entries. */
  readonly uuidsOf: (entityKey: number) => (entry: number) => string;
  /** The identifier of a change set. */
  readonly changeId: (serial: number) => string;
  /** Whether the caller may read the field or group. */
  readonly mayRead: (kind: "field" | "group", name: string) => boolean;
  /** Values of fields that are not stored in the metadata. */
  readonly transient?: Readonly<Record<string, readonly string[]>>;
  readonly inherited?: readonly InheritedPart[];
  readonly references?: ReferenceLookup;
  /** Where the item's own time line starts, in seconds; needed for time codes relative to it. */
  readonly startSeconds?: Rational;
  /** The extra data of a field's definition; needed when the selection asks for some. */
  readonly extraData?: (field: string) => ReadonlyMap<string, string> | undefined;
  /** The definition of a field as a document, for answers that show it. */
  readonly definitionDocument?: (field: FieldDefinition) => MetadataFieldValue["type"];
}
