import type { Infer } from "../../documents/declare.ts";
import {
  attribute,
  boolean,
  choice,
  content,
  document,
  int,
  list,
  object,
  oneOf,
  text,
} from "../../documents/declare.ts";
import { permissions } from "../access-port.ts";

const permission = () => oneOf(...permissions);

/** What an entry is limited to; without a field, tag or type to all metadata, all shapes, all URIs. */
const AccessControlOperationType = object("AccessControlOperationType", {
  ...choice(
    {
      metadata: object("AccessControlMetadataType", { field: text() }),
      shape: object("AccessControlShapeType", { tag: text() }),
      uri: object("AccessControlUriType", { type: text() }),
    },
    { required: true },
  ),
});
export type AccessControlOperation = Infer<typeof AccessControlOperationType>;

/** An entry of an access list: who may do what with an entity and with what is in it. */
const AccessControlType = object("AccessControlType", {
  id: attribute(text()),
  loc: text().readOnly(),
  grantor: text().readOnly(),
  recursive: boolean(),
  appliesTo: list(object("AccessControlAppliesToType", { recursive: attribute(boolean()), value: content(text()) })),
  permission: permission(),
  priority: int(),
  operation: AccessControlOperationType,
  ...choice({ group: text(), user: text() }),
});
export type AccessControl = Infer<typeof AccessControlType>;

export const AccessControlDocument = document("AccessControlDocument", AccessControlType);

export const AccessControlListDocument = document("AccessControlListDocument", {
  access: list(AccessControlType).jsonEmptyList(),
});

/** What groups may do in the end, and through which entries. */
export const AccessControlMergedGroupDocument = document("AccessControlMergedGroupDocument", {
  access: list(
    object("AccessControlMergedGroupEntryType", {
      priority: attribute(int()),
      id: attribute(text()),
      effectivePermission: attribute(text()),
      group: text().required(),
      grantor: text(),
      permission: text().required(),
      type: text().required(),
      extradata: text(),
      collection: text(),
      library: text(),
    }),
  ).jsonEmptyList(),
});
export type AccessControlMergedGroup = Infer<typeof AccessControlMergedGroupDocument>;

/** Groups that get access to what a user imports. */
export const ImportAccessControlListDocument = document("ImportAccessControlListDocument", {
  group: list(
    object("ImportAccessControlType", { name: text().required(), permission: permission().required() }),
  ).jsonEmptyList(),
});
export type ImportAccessControlList = Infer<typeof ImportAccessControlListDocument>;

/** A profile of entries that new items and collections can get. */
export const ImportSettingsDocument = document("ImportSettingsDocument", {
  id: text(),
  access: list(AccessControlType).jsonEmptyList(),
});
export type ImportSettings = Infer<typeof ImportSettingsDocument>;
