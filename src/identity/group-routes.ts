import { pageParameters } from "../http/page.ts";
import { booleanParameter, listParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { GroupDocument, GroupListDocument, SimpleSearchDocument } from "./documents.ts";
import { addressLines, withGroupAddress, withGroupAddresses } from "./group-addresses.ts";
import { createGroup, deleteGroups, putGroup } from "./group-editing.ts";
import { listGroups, readGroup, searchGroups } from "./group-reading.ts";
import { editingOf, type IdentityRoutesDeps } from "./routes-deps.ts";
import { mostListed, searchPage } from "./user-routes.ts";

/** Groups and roles as such: list, search, create, change, remove. */
export function groupRoutes(deps: IdentityRoutesDeps): RouteTable {
  const { store } = deps;
  const route = routes();
  const whole = pageParameters({ number: mostListed, maximum: mostListed });

  route.get(
    "/group",
    {
      summary: "List groups and roles",
      role: "_group_read",
      query: { role: booleanParameter(), ...whole },
      output: GroupListDocument,
      plain: addressLines,
    },
    async (request) => withGroupAddresses(await listGroups(store, request.query.role, request.query), request),
  );

  route.put(
    "/group",
    {
      summary: "Search groups and roles",
      role: "_group_read",
      query: { role: booleanParameter(), ...pageParameters({ number: searchPage, maximum: mostListed }) },
      input: SimpleSearchDocument,
      output: GroupListDocument,
      plain: (list) => (list.group ?? []).map((group) => group.groupName ?? ""),
    },
    async (request) => {
      const { body, query } = request;
      return withGroupAddresses(await searchGroups(store, body, query.role, query), request);
    },
  );

  route.delete(
    "/group",
    {
      summary: "Delete groups",
      role: "_group_write",
      query: { name: listParameter({ required: true }) },
      output: "none",
    },
    (request) => deleteGroups(editingOf(deps, request), request.query.name),
  );

  route.get(
    "/group/{groupName}",
    {
      summary: "Read a group",
      role: "_group_read",
      output: GroupDocument,
      etag: true,
      plain: (group) => [group.loc ?? ""],
    },
    async (request) => withGroupAddress(await readGroup(store, request.params.groupName), request),
  );

  route.put(
    "/group/{groupName}",
    {
      summary: "Create a group (without a body), or create or extend one as a document says",
      role: "_group_write",
      query: { clear: booleanParameter({ default: false }) },
      input: GroupDocument,
      inputOptional: true,
      output: "none",
    },
    (request) => {
      const { params, body, query } = request;
      const editing = editingOf(deps, request);
      if (body === undefined) return createGroup(editing, params.groupName);
      return putGroup(editing, params.groupName, body, query.clear);
    },
  );

  route.delete("/group/{groupName}", { summary: "Delete a group", role: "_group_write", output: "none" }, (request) =>
    deleteGroups(editingOf(deps, request), [request.params.groupName]),
  );

  return route;
}
