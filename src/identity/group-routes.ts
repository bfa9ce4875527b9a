import { pageParameters } from "../http/page.ts";
import { booleanParameter, listParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import {
  type Group,
  GroupDocument,
  type GroupList,
  GroupListDocument,
  SimpleSearchDocument,
  UserListDocument,
} from "./documents.ts";
import {
  createGroup,
  deleteGroups,
  editChild,
  editMember,
  groupMetadata,
  putDescription,
  putGroup,
} from "./group-editing.ts";
import { listGroups, listRelatives, readGroup, requireGroup, searchGroups } from "./group-reading.ts";
import { addKeyValueRoutes } from "./key-value-routes.ts";
import { editingOf, type IdentityRoutesDeps } from "./routes-deps.ts";
import { listMembers } from "./user-reading.ts";
import { type Addresses, mostListed, searchPage, userLines, withAddresses } from "./user-routes.ts";

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

/** Parts of a group: description, users, parents, children, metadata. */
export function groupDetailRoutes(deps: IdentityRoutesDeps): RouteTable {
  const { store } = deps;
  const route = routes();
  const read = "_group_read";
  const write = "_group_write";
  const traversal = {
    traverse: booleanParameter({ default: false }),
    ...pageParameters({ number: mostListed, maximum: mostListed }),
  };

  route.get(
    "/group/{groupName}/role",
    { summary: "Tell whether a group is a role: 1 or 0", role: read, output: "text" },
    async ({ params }) => ((await readGroup(store, params.groupName)).role ? "1" : "0"),
  );

  route.get(
    "/group/{groupName}/description",
    { summary: "Read the description of a group", role: read, output: "text" },
    async ({ params }) => (await readGroup(store, params.groupName)).description ?? "",
  );

  route.put(
    "/group/{groupName}/description",
    { summary: "Set the description of a group", role: write, input: "text", output: "none" },
    (request) => putDescription(editingOf(deps, request), request.params.groupName, request.body),
  );

  route.get(
    "/group/{groupName}/users",
    {
      summary: "List the users of a group, with traverse=true also those of the groups below it",
      role: read,
      query: traversal,
      output: UserListDocument,
      plain: (list) => userLines({ user: list.user?.map(({ userName, realName }) => ({ userName, realName })) }),
    },
    async (request) => {
      const { params, query } = request;
      await requireGroup(store, params.groupName);
      return withAddresses(await listMembers(store, params.groupName, query.traverse, query), request);
    },
  );

  for (const way of ["parents", "children"] as const) {
    route.get(
      `/group/{groupName}/${way}`,
      {
        summary: `List the ${way} of a group, with traverse=true all the way`,
        role: read,
        query: traversal,
        output: GroupListDocument,
        plain: addressLines,
      },
      async (request) => {
        const { params, query } = request;
        const list = await listRelatives(store, params.groupName, way, query.traverse, query);
        return withGroupAddresses(list, request);
      },
    );
  }

  route.put(
    "/group/{groupName}/user/{userName}",
    { summary: "Add a user to a group, or give a role", role: write, output: "none" },
    (request) => editMember(editingOf(deps, request), request.params.groupName, request.params.userName, "ADD"),
  );

  route.delete(
    "/group/{groupName}/user/{userName}",
    { summary: "Take a user out of a group, or take a role", role: write, output: "none" },
    (request) => editMember(editingOf(deps, request), request.params.groupName, request.params.userName, "REMOVE"),
  );

  route.put(
    "/group/{groupName}/group/{childName}",
    { summary: "Make a group the child of another", role: write, output: "none" },
    (request) => editChild(editingOf(deps, request), request.params.groupName, request.params.childName, "ADD"),
  );

  route.delete(
    "/group/{groupName}/group/{childName}",
    { summary: "Make a group no longer the child of another", role: write, output: "none" },
    (request) => editChild(editingOf(deps, request), request.params.groupName, request.params.childName, "REMOVE"),
  );

  addKeyValueRoutes(route, store, {
    path: "/group/{groupName}",
    entity: "a group",
    read,
    write,
    owner: ({ groupName = "" }) => groupMetadata(groupName),
  });

  return route;
}

function addressLines(list: GroupList): readonly string[] {
  return (list.group ?? []).map((group) => group.loc ?? "");
}

function withGroupAddresses(list: GroupList, addresses: Addresses): GroupList {
  return { ...list, group: list.group?.map((group) => withGroupAddress(group, addresses)) };
}

function withGroupAddress(group: Group, addresses: Addresses): Group {
  return { ...group, loc: addresses.url(`/group/${encodeURIComponent(group.groupName ?? "")}`) };
}
