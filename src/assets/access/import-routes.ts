import { URIListDocument } from "../../documents/uri-list.ts";
import { oneOfParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import type { Store } from "../../store/store.ts";
import { AccessControlDocument, ImportAccessControlListDocument, ImportSettingsDocument } from "./access-documents.ts";
import { addToAllItems, removeFromAllItems } from "./all-items-access.ts";
import {
  createImportSettings,
  deleteImportAccess,
  deleteImportSettings,
  listProfiles,
  putImportAccess,
  putImportSettings,
  readImportAccess,
  readImportSettings,
} from "./import-defaults.ts";

/** What new items begin with, and entries for all items that there are. */
export function importAccessRoutes({ store }: { readonly store: Store }): RouteTable {
  const route = routes();
  const role = "_import";

  route.get(
    "/import/access",
    {
      summary: "List the groups that get access to what the caller imports",
      role,
      output: ImportAccessControlListDocument,
    },
    ({ subject }) => readImportAccess(store, subject.userName),
  );

  route.put(
    "/import/access/group/{groupName}",
    {
      summary: "Give a group access to what the caller imports",
      role,
      query: { permission: oneOfParameter(["NONE", "READ", "WRITE", "ALL"], { required: true }) },
      output: "none",
    },
    (request) =>
      putImportAccess(
        store,
        request.change(),
        request.subject.userName,
        request.params.groupName,
        request.query.permission,
      ),
  );

  route.delete(
    "/import/access/group/{groupName}",
    { summary: "Take a group out of the caller's import defaults", role, output: "none" },
    (request) => deleteImportAccess(store, request.change(), request.subject.userName, request.params.groupName),
  );

  route.get(
    "/import/settings",
    { summary: "List the settings profiles", role, output: URIListDocument, plain: ({ uri = [] }) => uri },
    async () => ({ uri: await listProfiles(store) }),
  );

  route.post(
    "/import/settings",
    { summary: "Create a settings profile", role, input: ImportSettingsDocument, output: ImportSettingsDocument },
    (request) => createImportSettings(store, request.change(), request.subject.userName, request.body),
  );

  const one = "/import/settings/{settingsId}" as const;
  route.get(
    one,
    { summary: "Read a settings profile", role, output: ImportSettingsDocument, etag: true },
    ({ params }) => readImportSettings(store, params.settingsId),
  );
  route.put(
    one,
    { summary: "Replace a settings profile", role, input: ImportSettingsDocument, output: "none" },
    (request) => putImportSettings(store, request.change(), request.subject, request.params.settingsId, request.body),
  );
  route.delete(one, { summary: "Delete a settings profile", role, output: "none" }, (request) =>
    deleteImportSettings(store, request.change(), request.subject, request.params.settingsId),
  );

  route.post(
    "/item/access",
    {
      summary: "Add an access entry to all items",
      role: "_administrator",
      input: AccessControlDocument,
      output: "none",
    },
    (request) => addToAllItems(store, request.change(), request.subject, request.body),
  );
  route.delete(
    "/item/access",
    { summary: "Remove all access entries of all items, but for the owners'", role: "_administrator", output: "none" },
    (request) => removeFromAllItems(store, request.change()),
  );
  return route;
}
