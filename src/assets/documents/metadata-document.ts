import type { Declaration, Infer, ValueOfMembers } from "../../documents/declare.ts";
import {
  anyMap,
  attribute,
  boolean,
  content,
  dateTime,
  document,
  list,
  object,
  oneOf,
  others,
  ref,
  text,
} from "../../documents/declare.ts";
import { MetadataFieldDocument } from "./field-document.ts";
import { KeyValuePairType } from "./media-types.ts";

/** What values, fields and groups have in common. All but `uuid` and `mode` is the server's. */
const entryAttributes = {
  uuid: attribute(text()),
  user: attribute(text()).readOnly(),
  timestamp: attribute(dateTime()).readOnly(),
  change: attribute(text()).readOnly(),
  conflict: attribute(boolean()).readOnly(),
  mode: attribute(oneOf("add", "remove")),
};

export const MetadataValueType = object("MetadataValueType", {
  ...entryAttributes,
  lang: attribute(text()),
  value: content(),
});
export type MetadataValue = Infer<typeof MetadataValueType>;

/** Where values come from that stand here through a reference. */
const MetadataReferencedType = object("MetadataReferencedType", {
  id: attribute(text()).required(),
  uuid: attribute(text()).required(),
  type: attribute(text()).required(),
});

export const MetadataFieldValueType = object("MetadataFieldValueType", {
  ...entryAttributes,
  track: attribute(text()),
  inheritance: attribute(text()),
  name: text(),
  id: list(text()).readOnly(),
  referenced: MetadataReferencedType,
  value: list(MetadataValueType),
  reference: text(),
  data: list(KeyValuePairType).readOnly(),
  type: MetadataFieldDocument.readOnly(),
});
export type MetadataFieldValue = Infer<typeof MetadataFieldValueType>;

const groupHead = {
  ...entryAttributes,
  inheritance: attribute(text()),
  cycle: attribute(boolean()).readOnly(),
  name: text(),
  id: list(text()).readOnly(),
  referenced: MetadataReferencedType,
  field: list(MetadataFieldValueType),
};
const groupTail = { reference: text(), data: list(KeyValuePairType).readOnly() };

/** An instance of a field group, with fields and further groups in it. */
export interface MetadataGroupValue extends ValueOfMembers<typeof groupHead & typeof groupTail> {
  readonly group?: readonly MetadataGroupValue[] | undefined;
}

/** Its value type is annotated, because the compiler does not infer one that contains itself. */
export const MetadataGroupValueType: Declaration<MetadataGroupValue> = object("MetadataGroupValueType", {
  ...groupHead,
  group: list(ref<MetadataGroupValue>(() => MetadataGroupValueType)),
  ...groupTail,
});

const MetadataTimespanType = object("MetadataTimespanType", {
  start: attribute(text()),
  end: attribute(text()),
  base: attribute(text()),
  field: list(MetadataFieldValueType),
  group: list(MetadataGroupValueType).jsonEmptyList(),
});
export type MetadataTimespan = Infer<typeof MetadataTimespanType>;

/** The metadata of one entity, as it is, or as it shall be changed. */
export const MetadataDocument = document("MetadataDocument", {
  revision: text(),
  template: text(),
  group: list(text()),
  timespan: list(MetadataTimespanType),
});
export type MetadataValues = Infer<typeof MetadataDocument>;

export const MetadataListDocument = document("MetadataListDocument", {
  item: list({ id: attribute(text()), metadata: MetadataDocument }),
});

/** Change sets, each with what it added, and under `mode="remove"` what it took away. */
export const MetadataChangeSetDocument = document("MetadataChangeSetDocument", {
  changeSet: list({ id: text(), metadata: MetadataDocument }),
});
export type MetadataChangeSets = Infer<typeof MetadataChangeSetDocument>;

/** One group, field or value. */
export const MetadataEntryDocument = document("MetadataEntryDocument", {
  group: MetadataGroupValueType,
  field: MetadataFieldValueType,
  value: MetadataValueType,
  source: object("MetadataEntrySourceType", { id: text(), type: text(), loc: text() }).readOnly(),
});
export type MetadataEntry = Infer<typeof MetadataEntryDocument>;

export const MetadataEntryListDocument = document("MetadataEntryListDocument", {
  entry: list(MetadataEntryDocument),
});

/** One value of a field in the terse form. */
const TerseValueType = object("TerseValueType", {
  start: attribute(text()),
  end: attribute(text()),
  uuid: attribute(text()),
  lang: attribute(text()),
  value: content(),
});
export type TerseValue = Infer<typeof TerseValueType>;

/** Values by the names of their fields. */
export const TerseMetadataType = anyMap(TerseValueType);
export type TerseMetadata = Infer<typeof TerseMetadataType>;

export const TerseMetadataDocument = document("TerseMetadataDocument", { fields: others(TerseValueType) });

export const TerseMetadataListDocument = document("TerseMetadataListDocument", {
  item: list({ id: attribute(text()), fields: others(TerseValueType) }),
});
