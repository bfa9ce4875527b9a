import type { Infer } from "../../documents/declare.ts";
import { attribute, boolean, document, int, list, object, text } from "../../documents/declare.ts";

/** What a user may do with one field, after all entries of its access list. */
const MetadataFieldPermissionType = object("MetadataFieldPermissionType", { name: text(), permission: text() });

const MetadataFieldGroupPermissionType = object("MetadataFieldGroupPermissionType", {
  name: text(),
  permission: text(),
});

/** What users may do in the end, and through which entries. */
export const AccessControlMergedDocument = document("AccessControlMergedDocument", {
  query: object("AccessControlMergedQueryType", {
    username: text(),
    permission: text(),
    type: text(),
    extradata: text(),
    item: text(),
  }),
  access: list(
    object("AccessControlMergedEntryType", {
      superUser: attribute(boolean()),
      priority: attribute(int()),
      matches: attribute(boolean()),
      id: attribute(text()),
      username: attribute(text()),
      effectivePermission: attribute(text()),
      grantor: text(),
      permission: text(),
      type: text(),
      extradata: text(),
      group: text(),
      collection: text(),
      library: text(),
    }),
  ).jsonEmptyList(),
  fieldGroup: list(MetadataFieldGroupPermissionType),
  field: list(MetadataFieldPermissionType),
});
export type AccessControlMerged = Infer<typeof AccessControlMergedDocument>;
