import { reply } from "../http/reply.ts";
import type { RoleRule } from "../http/role-rule.ts";
import type { RouteTable } from "../http/route-table.ts";
import type { Subject } from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";
import { SimpleMetadataDocument } from "./documents.ts";
import { deleteKeyValues, type KeyValueOwner, putKeyValues, readKeyValue, readKeyValues } from "./key-values.ts";

/** Who asks for simple metadata, and what for. */
export interface KeyValueCall {
  readonly subject: Subject;
  readonly writes: boolean;
}

/** Of what the routes of simple metadata are. */
export interface KeyValueResource {
  /** Path of the entity: `/user/{userName}`. */
  readonly path: `/${string}`;
  /** The entity in words: `a user`. */
  readonly entity: string;
  readonly read: Exclude<RoleRule, "open">;
  readonly write: Exclude<RoleRule, "open">;
  /** Whose metadata the path means. Throws for callers that the entity is closed to. */
  readonly owner: (
    params: Readonly<Record<string, string>>,
    call: KeyValueCall,
  ) => KeyValueOwner | Promise<KeyValueOwner>;
  /** What setting pairs answers. Default 200; clients expect 204 of all but users and groups. */
  readonly setStatus?: 204;
}

/** Adds `…/metadata` and `…/metadata/{key}` of one kind of entity to a table. */
export function addKeyValueRoutes(route: RouteTable, store: Store, resource: KeyValueResource): void {
  const { entity, read, write, setStatus = 200 } = resource;
  const all = `${resource.path}/metadata` as const;
  const one = `${resource.path}/metadata/{key...}` as const;
  const ownerOf = (request: { readonly params: unknown; readonly subject: Subject }, writes: boolean) =>
    resource.owner(paramsOf(request), { subject: request.subject, writes });

  route.get(
    all,
    { summary: `Read the metadata of ${entity}`, role: read, output: SimpleMetadataDocument },
    async (request) => readKeyValues(store, await ownerOf(request, false)),
  );

  route.put(
    all,
    { summary: `Set pairs of the metadata of ${entity}`, role: write, input: SimpleMetadataDocument, output: "none" },
    async (request) => {
      const change = request.change();
      putKeyValues(change, await ownerOf(request, true), request.body);
      await change.commit();
      return reply(undefined, { status: setStatus });
    },
  );

  route.delete(all, { summary: `Remove the metadata of ${entity}`, role: write, output: "none" }, async (request) => {
    const change = request.change();
    deleteKeyValues(change, await ownerOf(request, true));
    await change.commit();
  });

  route.get(
    one,
    { summary: `Read one value of the metadata of ${entity}`, role: read, output: "text" },
    async (request) => readKeyValue(store, await ownerOf(request, false), keyOf(request)),
  );

  route.put(
    one,
    { summary: `Set one value of the metadata of ${entity}`, role: write, input: "text", output: "none" },
    async (request) => {
      const change = request.change();
      putKeyValues(change, await ownerOf(request, true), { field: [{ key: keyOf(request), value: request.body }] });
      await change.commit();
      return reply(undefined, { status: setStatus });
    },
  );

  route.delete(
    one,
    {
      summary: `Remove values of the metadata of ${entity}; * and ? in the key stand for any text`,
      role: write,
      output: "none",
    },
    async (request) => {
      const change = request.change();
      deleteKeyValues(change, await ownerOf(request, true), keyOf(request));
      await change.commit();
    },
  );
}

/** The names in a path that is put together are not in its type. */
function paramsOf(request: { readonly params: unknown }): Readonly<Record<string, string>> {
  return request.params as Readonly<Record<string, string>>;
}

function keyOf(request: { readonly params: unknown }): string {
  return paramsOf(request).key ?? "";
}
