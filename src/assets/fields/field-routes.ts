import { KinoraError } from "../../errors.ts";
import { booleanParameter, intParameter, listParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";
import { addKeyValueRoutes } from "../../identity/key-value-routes.ts";
import { deleteKeyValues, putKeyValues, readKeyValue } from "../../identity/key-values.ts";
import { compilePattern } from "../../pattern/linear-pattern.ts";
import type { Subject } from "../../plugin/contract.ts";
import { type MetadataField, MetadataFieldDocument, MetadataFieldListDocument } from "../documents/field-document.ts";
import { noSuchDefinition, requireField } from "./definition-editing.ts";
import { deleteField, fieldData, mostValues, putEnumeration, putField, readEnumeration } from "./edit-fields.ts";
import { type ExtraData, readExtraData } from "./extra-data.ts";
import type { FieldDefinition } from "./field-definition.ts";
import { fieldDocument } from "./field-documents.ts";
import { editingOf, type FieldRoutesDeps, rightsOf } from "./field-routes-deps.ts";
import { readEnumerations } from "./read-enumerations.ts";
import { siteOf } from "./site.ts";
import { terseSchema } from "./terse-schema.ts";

interface Parts {
  readonly data: readonly string[];
  readonly includeValues: boolean;
}

/** Makes the documents of fields with the parts that a request asks for. */
async function documentOf(deps: FieldRoutesDeps, parts: Parts): Promise<(field: FieldDefinition) => MetadataField> {
  const data: ExtraData = await readExtraData(deps.store, "metadata-field", parts.data);
  const values = parts.includeValues ? await readEnumerations(deps.store) : undefined;
  const origin = siteOf(deps.store);
  return (field) =>
    fieldDocument(field, origin, {
      data: data.get(field.id),
      ...(values === undefined ? {} : { values: { field: values.get(field.id) ?? [] } }),
    });
}

async function requireReadable(deps: FieldRoutesDeps, subject: Subject, name: string): Promise<FieldDefinition> {
  const definitions = await deps.definitions.fresh();
  const field = requireField(definitions, name);
  if (!(await rightsOf(deps, definitions, subject)).mayRead("field", name)) throw noSuchDefinition(name);
  return field;
}

async function requireWritable(
  deps: FieldRoutesDeps,
  subject: Subject,
  name: string,
  right: "mayWrite" | "mayDelete",
): Promise<void> {
  const definitions = await deps.definitions.fresh();
  if ((await rightsOf(deps, definitions, subject))[right]("field", name)) return;
  throw new KinoraError("forbidden", {
    context: "metadata-field",
    id: name,
    explanation: `The access list of the field ${name} does not let the caller ${right === "mayWrite" ? "change" : "delete"} it`,
  });
}

function finder(pattern: string | undefined): ((text: string) => boolean) | undefined {
  return pattern === undefined ? undefined : compilePattern(pattern).finds;
}

/** Definitions of fields: list, read, define, delete; their enumerations and extra data; the terse schema. */
export function fieldRoutes(deps: FieldRoutesDeps): RouteTable {
  const { store } = deps;
  const route = routes();
  const parts = { data: listParameter(), includeValues: booleanParameter({ default: false }) };

  route.get(
    "/metadata-field",
    {
      summary: "List the metadata fields",
      role: "_metadata_field_read",
      query: parts,
      output: MetadataFieldListDocument,
      plain: ({ field = [] }) => field.map(({ name = "" }) => name),
    },
    async ({ query, subject }) => {
      const definitions = await deps.definitions.fresh();
      const rights = await rightsOf(deps, definitions, subject);
      const shown = definitions.fields.filter(({ name }) => rights.mayRead("field", name));
      return { field: shown.map(await documentOf(deps, query)) };
    },
  );

  route.get(
    "/metadata-field/terse-schema",
    { summary: "Read the XML schema of the terse form of metadata", role: "_metadata_field_read", output: "bytes" },
    async ({ subject }) => {
      const definitions = await deps.definitions.fresh();
      const rights = await rightsOf(deps, definitions, subject);
      const fields = definitions.fields.filter(({ name }) => rights.mayRead("field", name));
      return new Response(terseSchema(fields, deps.namespace), { headers: { "content-type": "application/xml" } });
    },
  );

  route.get(
    "/metadata-field/{fieldName}",
    {
      summary: "Read the definition of a field",
      role: "_metadata_field_read",
      query: parts,
      output: MetadataFieldDocument,
      etag: true,
    },
    async ({ params, query, subject }) => {
      const field = await requireReadable(deps, subject, params.fieldName);
      return (await documentOf(deps, query))(field);
    },
  );

  route.put(
    "/metadata-field/{fieldName}",
    {
      summary: "Define a field, or change its definition",
      role: "_metadata_field_write",
      input: MetadataFieldDocument,
      output: MetadataFieldDocument,
    },
    async (request) => {
      const { fieldName } = request.params;
      await requireWritable(deps, request.subject, fieldName, "mayWrite");
      const field = await putField(editingOf(deps, request), fieldName, request.body);
      return (await documentOf(deps, { data: ["all"], includeValues: request.body.values !== undefined }))(field);
    },
  );

  route.delete(
    "/metadata-field/{fieldName}",
    { summary: "Delete a field", role: "_metadata_field_write", output: "none" },
    async (request) => {
      await requireWritable(deps, request.subject, request.params.fieldName, "mayDelete");
      await deleteField(editingOf(deps, request), request.params.fieldName);
    },
  );

  route.get(
    "/metadata-field/{fieldName}/values",
    {
      summary: "Read the enumeration of a field",
      role: "_metadata_field_read",
      query: {
        hits: intParameter({ minimum: 0, maximum: mostValues }),
        "key-exact": textParameter(),
        "key-start": textParameter(),
        "key-regex": textParameter(),
        "value-exact": textParameter(),
        "value-start": textParameter(),
        "value-regex": textParameter(),
      },
      output: SimpleMetadataDocument,
    },
    async ({ params, query, subject }) => {
      await requireReadable(deps, subject, params.fieldName);
      return readEnumeration(store, params.fieldName, {
        hits: query.hits,
        key: { exact: query["key-exact"], start: query["key-start"], finds: finder(query["key-regex"]) },
        value: { exact: query["value-exact"], start: query["value-start"], finds: finder(query["value-regex"]) },
      });
    },
  );

  route.put(
    "/metadata-field/{fieldName}/values",
    {
      summary: "Replace the enumeration of a field",
      role: "_metadata_field_write",
      input: SimpleMetadataDocument,
      output: "none",
    },
    async (request) => {
      await requireWritable(deps, request.subject, request.params.fieldName, "mayWrite");
      await putEnumeration(editingOf(deps, request), request.params.fieldName, request.body);
    },
  );

  addKeyValueRoutes(route, store, {
    path: "/metadata-field/{fieldName}",
    entity: "a field",
    read: "_metadata_field_read",
    write: "_metadata_field_write",
    setStatus: 204,
    owner: ({ fieldName = "" }) => fieldData(fieldName),
  });
  addExtraDataRoutes(route, deps);
  return route;
}

/** One key of a field's extra data as text, directly below the field. */
function addExtraDataRoutes(route: RouteTable, { store, definitions, removeIdentifier }: FieldRoutesDeps): void {
  const path = "/metadata-field/{fieldName}/{key}" as const;

  route.get(
    path,
    { summary: "Read extra data of a field", role: "_metadata_field_read", output: "text" },
    ({ params }) => readKeyValue(store, fieldData(params.fieldName), params.key),
  );

  route.put(
    path,
    { summary: "Set extra data of a field", role: "_metadata_field_write", input: "text", output: "none" },
    async (request) => {
      const { fieldName, key } = request.params;
      const change = request.change();
      putKeyValues(change, fieldData(fieldName), { field: [{ key, value: request.body }] });
      await change.commit();
    },
  );

  route.delete(
    path,
    {
      summary: "Delete an external identifier or extra data of a field",
      role: "_metadata_field_write",
      output: "none",
    },
    async (request) => {
      const { id } = requireField(await definitions.fresh(), request.params.fieldName);
      const { key } = request.params;
      if (await removeIdentifier?.(() => request.change(), "metadata-field", id, key)) return;
      const change = request.change();
      deleteKeyValues(change, fieldData(request.params.fieldName), key);
      await change.commit();
    },
  );
}
