import { pageParameters } from "../http/page.ts";
import { booleanParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { GroupListDocument, UserListDocument } from "./documents.ts";
import { addressLines, withGroupAddresses } from "./group-addresses.ts";
import { editChild, editMember, groupMetadata, putDescription } from "./group-editing.ts";
import { listRelatives, readGroup, requireGroup } from "./group-reading.ts";
import { addKeyValueRoutes } from "./key-value-routes.ts";
import { editingOf, type IdentityRoutesDeps } from "./routes-deps.ts";
import { listMembers } from "./user-reading.ts";
import { mostListed, userLines, withAddresses } from "./user-routes.ts";

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
