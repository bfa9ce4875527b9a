import type { AnyDocument, Declaration, Infer, ValueOfMembers } from "../../documents/declare.ts";
import {
  attribute,
  boolean,
  choice,
  document,
  double,
  int,
  list,
  object,
  oneOf,
  ref,
  text,
} from "../../documents/declare.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";
import { fieldTypes, indexModes } from "../fields/field-types.ts";
import { KeyValuePairType } from "./media-types.ts";

/** How often an element occurs: `min` to `max` times, `max` -1 for any number. */
export const MetadataSchemaElementType = object("MetadataSchemaElementType", {
  min: attribute(int()).required(),
  max: attribute(int()).required(),
  name: attribute(text()),
  reference: attribute(boolean()),
});

export const MetadataFieldAccessControlDocument = document("MetadataFieldAccessControlDocument", {
  id: text().readOnly(),
  ...choice({ field: text(), fieldGroup: text() }),
  user: text(),
  group: text(),
  permission: oneOf("READ", "WRITE", "DELETE").required(),
});
export type MetadataFieldAccessControl = Infer<typeof MetadataFieldAccessControlDocument>;

export const MetadataFieldAccessControlListDocument = document("MetadataFieldAccessControlListDocument", {
  access: list(MetadataFieldAccessControlDocument).jsonEmptyList(),
});

/** The definition of a field. */
export const MetadataFieldDocument = document("MetadataFieldDocument", {
  system: attribute(text()).readOnly(),
  sortable: attribute(boolean()).readOnly(),
  inheritance: attribute(text()),
  name: text(),
  schema: MetadataSchemaElementType,
  type: oneOf(...fieldTypes),
  index: oneOf(...indexModes),
  fullText: boolean(),
  boost: double(),
  ...choice({
    floatRestriction: object("MetadataFieldFloatType", { minInclusive: double(), maxInclusive: double() }),
    integerRestriction: object("MetadataFieldIntegerType", { minInclusive: int(), maxInclusive: int() }),
    longRestriction: object("MetadataFieldLongType", { minInclusive: text(), maxInclusive: text() }),
    stringRestriction: object("MetadataFieldStringType", { minLength: int(), maxLength: int(), pattern: text() }),
  }),
  data: list(KeyValuePairType),
  values: SimpleMetadataDocument,
  defaultValue: text(),
  externalId: list(text()).readOnly(),
  origin: text().readOnly(),
});
export type MetadataField = Infer<typeof MetadataFieldDocument>;

export const MetadataFieldListDocument = document("MetadataFieldListDocument", {
  access: list(MetadataFieldAccessControlDocument).readOnly(),
  field: list(MetadataFieldDocument).jsonEmptyList(),
});

const groupHead = {
  inheritance: attribute(text()),
  name: text(),
  schema: MetadataSchemaElementType,
  data: list(KeyValuePairType),
  field: list(MetadataFieldDocument),
};
const groupTail = {
  access: list(MetadataFieldAccessControlDocument).readOnly(),
  externalId: list(text()).readOnly(),
  origin: text().readOnly(),
};

/** The definition of a field group, with the fields and groups in it. */
export interface MetadataFieldGroup extends ValueOfMembers<typeof groupHead & typeof groupTail> {
  readonly group?: readonly MetadataFieldGroup[] | undefined;
}

/** Its value type is annotated, because the compiler does not infer one that contains itself. */
export const MetadataFieldGroupDocument: AnyDocument<MetadataFieldGroup> & Declaration<MetadataFieldGroup> = document(
  "MetadataFieldGroupDocument",
  { ...groupHead, group: list(ref<MetadataFieldGroup>(() => MetadataFieldGroupDocument)), ...groupTail },
);

export const MetadataFieldGroupListDocument = document("MetadataFieldGroupListDocument", {
  group: list(MetadataFieldGroupDocument).jsonEmptyList(),
});

/** What a group must and may hold; part of the validation schema. */
const MetadataSchemaGroupType = object("MetadataSchemaGroupType", {
  name: attribute(text()),
  group: list(MetadataSchemaElementType),
  field: list(MetadataSchemaElementType),
});

export const MetadataSchemaGroupDocument = document("MetadataSchemaGroupDocument", MetadataSchemaGroupType);
export type MetadataSchemaGroup = Infer<typeof MetadataSchemaGroupType>;

/** The validation schema of all metadata. */
export const MetadataSchemaDocument = document("MetadataSchemaDocument", { group: list(MetadataSchemaGroupType) });
