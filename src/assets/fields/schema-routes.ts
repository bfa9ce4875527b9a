import { type RouteTable, routes } from "../../http/route-table.ts";
import type { Store } from "../../store/store.ts";
import { MetadataSchemaDocument, MetadataSchemaGroupDocument } from "../documents/field-document.ts";
import { deleteSchema, putSchema, putSchemaGroup, readSchema, readSchemaGroup } from "./schema-store.ts";

/** The schema that metadata is checked against when it is written. */
export function metadataSchemaRoutes({ store }: { readonly store: Store }): RouteTable {
  const route = routes();
  const read = "_metadata_field_group_read" as const;
  const write = "_metadata_field_group_write" as const;

  route.get(
    "/metadata-schema",
    { summary: "Read the validation schema of metadata", role: read, output: MetadataSchemaDocument, etag: true },
    async () => ({ group: await readSchema(store) }),
  );

  route.put(
    "/metadata-schema",
    { summary: "Replace the validation schema", role: write, input: MetadataSchemaDocument, output: "none" },
    async (request) => {
      const change = request.change();
      putSchema(store, change, request.body.group ?? []);
      await change.commit();
    },
  );

  route.delete(
    "/metadata-schema",
    { summary: "Delete the validation schema: nothing is checked any more", role: write, output: "none" },
    async (request) => {
      const change = request.change();
      deleteSchema(store, change);
      await change.commit();
    },
  );

  const one = "/metadata-schema/{groupName}" as const;
  route.get(
    one,
    { summary: "Read the validation schema of a group", role: read, output: MetadataSchemaGroupDocument, etag: true },
    ({ params }) => readSchemaGroup(store, params.groupName),
  );

  route.put(
    one,
    {
      summary: "Set the validation schema of a group",
      role: write,
      input: MetadataSchemaGroupDocument,
      output: "none",
    },
    async (request) => {
      const change = request.change();
      putSchemaGroup(store, change, request.params.groupName, request.body);
      await change.commit();
    },
  );

  route.delete(
    one,
    { summary: "Delete the validation schema of a group", role: write, output: "none" },
    async (request) => {
      const change = request.change();
      deleteSchema(store, change, request.params.groupName);
      await change.commit();
    },
  );
  return route;
}
