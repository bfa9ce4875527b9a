import type { Infer } from "../documents/declare.ts";
import { attribute, boolean, document, int, list, object, oneOf, text } from "../documents/declare.ts";

/** Key and value pairs of an entity. */
export const SimpleMetadataDocument = document("SimpleMetadataDocument", {
  field: list(object("SimpleMetadataFieldType", { key: text().required(), value: text().required() })),
});
export type SimpleMetadata = Infer<typeof SimpleMetadataDocument>;

/** A user of the service; also in lists, where `remove` takes the user out. */
export const UserDocument = document("UserDocument", {
  disabled: attribute(boolean()),
  userName: text(),
  realName: text(),
  password: text(),
  salt: text().readOnly(),
  alias: list(text()),
  get groupList() {
    return GroupListDocument;
  },
  metadata: SimpleMetadataDocument,
  origin: text().readOnly(),
  accessPreserved: boolean().readOnly(),
  runAsEnabled: boolean(),
  remove: boolean(),
  id: text().readOnly(),
  loc: text().readOnly(),
});
export type User = Infer<typeof UserDocument>;

export const UserListDocument = document("UserListDocument", {
  hits: int().readOnly(),
  get user() {
    return list(UserDocument).jsonEmptyList();
  },
});
export type UserList = Infer<typeof UserListDocument>;

/** A group, or a role (`role` true); also in lists, where `remove` takes it out. */
export const GroupDocument = document("GroupDocument", {
  groupName: text(),
  description: text(),
  role: boolean().readOnly(),
  origin: text().readOnly(),
  metadata: SimpleMetadataDocument,
  get parentGroupList() {
    return GroupListDocument;
  },
  get childGroupList() {
    return GroupListDocument;
  },
  get userList() {
    return UserListDocument;
  },
  remove: boolean(),
  id: text().readOnly(),
  loc: text().readOnly(),
});
export type Group = Infer<typeof GroupDocument>;

export const GroupListDocument = document("GroupListDocument", {
  hits: int().readOnly(),
  get group() {
    return list(GroupDocument).jsonEmptyList();
  },
});
export type GroupList = Infer<typeof GroupListDocument>;

const searchField = object("SimpleSearchFieldType", { name: text().required(), value: text().required() });

/** A search over users or groups: all fields must match, and of the operator's fields all or any. */
export const SimpleSearchDocument = document("SimpleSearchDocument", {
  field: list(searchField),
  operator: object("SimpleSearchOperatorType", {
    operation: attribute(oneOf("AND", "OR")),
    field: list(searchField),
  }),
  sort: list(object("SimpleSearchSortType", { field: text().required(), order: oneOf("ascending", "descending") })),
});
export type SimpleSearch = Infer<typeof SimpleSearchDocument>;
