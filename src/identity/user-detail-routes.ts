import { booleanParameter, oneOfParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { GroupListDocument } from "./documents.ts";
import { commitIdentity } from "./editing.ts";
import { addKeyValueRoutes } from "./key-value-routes.ts";
import { repeatWhenRaced } from "./repeat-when-raced.ts";
import { editingOf, type IdentityRoutesDeps } from "./routes-deps.ts";
import { readSalt, renewSalt } from "./salt.ts";
import { ownPassword, userItself, writeOwnMetadata } from "./user-access.ts";
import { addAlias, removeAlias } from "./user-aliases.ts";
import { requireUser } from "./user-changes.ts";
import { setPassword, setRealName, userMetadata } from "./user-editing.ts";
import { listUserGroups, userGroupHierarchy } from "./user-groups.ts";
import { editUserGroups } from "./user-memberships.ts";
import { readUser } from "./user-reading.ts";
import { requireRaw } from "./user-routes.ts";

/** Parts of a user: real name, password, groups, aliases, metadata. */
export function userDetailRoutes(deps: IdentityRoutesDeps): RouteTable {
  const { store } = deps;
  const route = routes();
  const administrator = "_administrator";

  route.get(
    "/user/{userName}/realname",
    { summary: "Read a user's real name", role: "_user_read", output: "text" },
    async ({ params }) => (await readUser(store, params.userName)).realName ?? "",
  );

  route.put(
    "/user/{userName}/realname",
    { summary: "Set a user's real name", role: administrator, input: "text", output: "none" },
    (request) => setRealName(editingOf(deps, request), request.params.userName, request.body),
  );

  route.put(
    "/user/{userName}/password",
    {
      summary: "Set a user's password",
      role: ownPassword,
      query: { type: oneOfParameter(["raw", "md5"], { default: "raw" }) },
      input: "text",
      output: "none",
    },
    async (request) => {
      requireRaw("type", request.query.type);
      await setPassword(editingOf(deps, request), request.params.userName, request.body);
    },
  );

  route.get(
    "/user/{userName}/password/salt",
    { summary: "Read the salt of a user's password hash", role: administrator, output: "bytes" },
    async ({ params }) => saltResponse(await readSalt(store, params.userName)),
  );

  route.post(
    "/user/{userName}/password/salt",
    { summary: "Make a new salt, which invalidates the user's password", role: administrator, output: "bytes" },
    async (request) => saltResponse(await renewSalt(editingOf(deps, request), request.params.userName)),
  );

  route.get(
    "/user/{userName}/groups",
    {
      summary: "List a user's groups",
      role: "_user_read",
      query: { allgroups: booleanParameter({ default: false }), traverse: booleanParameter({ default: false }) },
      output: GroupListDocument,
    },
    ({ params, query }) => {
      if (query.allgroups && query.traverse) return userGroupHierarchy(store, params.userName);
      return listUserGroups(store, params.userName, { kinds: "groups", inherited: query.allgroups });
    },
  );

  route.put(
    "/user/{userName}/groups",
    {
      summary: "Add a user to groups, or with move=true make them the user's only groups",
      role: administrator,
      query: { move: booleanParameter({ default: false }) },
      input: GroupListDocument,
      output: "none",
    },
    (request) => {
      const { params, body, query } = request;
      const editing = editingOf(deps, request);
      return repeatWhenRaced(async () => {
        const change = editing.change();
        requireUser(change, params.userName);
        await editUserGroups(editing, change, params.userName, body.group ?? [], query.move);
        await commitIdentity(editing, change);
      });
    },
  );

  route.get(
    "/user/{userName}/roles",
    {
      summary: "List a user's roles, also those that come through groups",
      role: "_user_read",
      output: GroupListDocument,
    },
    ({ params }) => listUserGroups(store, params.userName, { kinds: "roles", inherited: true }),
  );

  route.get(
    "/user/{userName}/allgroups",
    { summary: "List a user's groups and roles with all parents", role: "_user_read", output: GroupListDocument },
    ({ params }) => listUserGroups(store, params.userName, { kinds: "both", inherited: true }),
  );

  route.put(
    "/user/{userName}/alias/{alias}",
    { summary: "Give a user a further name to log in by", role: administrator, output: "none" },
    async (request) => {
      const editing = editingOf(deps, request);
      const change = editing.change();
      addAlias(change, request.params.userName, request.params.alias);
      await commitIdentity(editing, change);
    },
  );

  route.delete(
    "/user/{userName}/alias/{alias}",
    { summary: "Take a further name from a user", role: administrator, output: "none" },
    async (request) => {
      const editing = editingOf(deps, request);
      const change = editing.change();
      removeAlias(change, request.params.userName, request.params.alias);
      await commitIdentity(editing, change);
    },
  );

  addKeyValueRoutes(route, store, {
    path: "/user/{userName}",
    entity: "a user",
    read: userItself,
    write: writeOwnMetadata,
    owner: ({ userName = "" }) => userMetadata(userName),
  });

  return route;
}

function saltResponse(salt: Uint8Array<ArrayBuffer>): Response {
  return new Response(salt, { headers: { "content-type": "application/octet-stream" } });
}
