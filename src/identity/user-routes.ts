import { fromEpoch } from "../documents/date-time.ts";
import { JobDocument } from "../documents/job.ts";
import { KinoraError } from "../errors.ts";
import { pageParameters } from "../http/page.ts";
import {
  booleanParameter,
  keyValueParameter,
  listParameter,
  oneOfParameter,
  textParameter,
} from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { SimpleSearchDocument, type User, UserDocument, type UserList, UserListDocument } from "./documents.ts";
import { editingOf, type IdentityRoutesDeps } from "./routes-deps.ts";
import { createNamedUser, createUser, putUser } from "./user-editing.ts";
import { listUsers, readUser, searchUsers } from "./user-reading.ts";
import { deleteUser, disableUser, enableUser } from "./user-removal.ts";

/** Users of a page when nothing is asked for, and at most. */
export const mostListed = 10_000;
/** Users or groups of a page of a search when nothing is asked for. */
export const searchPage = 10;

/** Users as such: list, search, create, change, remove. */
export function userRoutes(deps: IdentityRoutesDeps): RouteTable {
  const { store } = deps;
  const route = routes();
  const role = "_administrator";
  const passwordType = oneOfParameter(["raw", "md5"], { default: "raw" });

  route.get(
    "/whoami",
    { summary: "Name the caller", role: "authenticated", output: "text" },
    (request) => request.subject.userName,
  );

  route.get(
    "/user",
    {
      summary: "List users",
      role: "_user_read",
      query: {
        name: listParameter(),
        disabled: oneOfParameter(["true", "false", "all"], { default: "all" }),
        ...pageParameters({ number: mostListed, maximum: mostListed }),
      },
      output: UserListDocument,
      plain: userLines,
    },
    async (request) => {
      const { query } = request;
      const names = query.name.length > 0 ? query.name : undefined;
      const disabled = query.disabled === "all" ? undefined : query.disabled === "true";
      return withAddresses(await listUsers(store, { names, disabled }, query), request);
    },
  );

  route.post(
    "/user",
    { summary: "Create a user", role, query: { passwordType }, input: UserDocument, output: "none" },
    async (request) => {
      requireRaw("passwordType", request.query.passwordType);
      await createUser(editingOf(deps, request), request.body);
    },
  );

  route.put(
    "/user",
    {
      summary: "Search users",
      role: "_user_read",
      query: pageParameters({ number: searchPage, maximum: mostListed }),
      input: SimpleSearchDocument,
      output: UserListDocument,
      plain: userLines,
    },
    async (request) => withAddresses(await searchUsers(store, request.body, request.query), request),
  );

  route.get(
    "/user/{userName}",
    { summary: "Read a user", role: "_user_read", output: UserDocument, etag: true },
    async (request) => withAddress(await readUser(store, request.params.userName), request),
  );

  route.put(
    "/user/{userName}",
    {
      summary: "Create a user of this name (without a body), or change, rename or create one as a document says",
      role,
      query: { passwordType },
      input: UserDocument,
      inputOptional: true,
      output: UserDocument,
      plain: (user) => userLines({ user: [user] }),
    },
    async (request) => {
      const { params, body, query } = request;
      const editing = editingOf(deps, request);
      if (body === undefined) {
        await createNamedUser(editing, params.userName);
        return new Response(null, { status: 200 });
      }
      requireRaw("passwordType", query.passwordType);
      const name = await putUser(editing, params.userName, body);
      return withAddress(await readUser(store, name), request);
    },
  );

  route.delete(
    "/user/{userName}",
    {
      summary: "Disable a user, or with hard=true remove it for good",
      role,
      query: {
        hard: booleanParameter({ default: false }),
        preserveAccess: booleanParameter({ default: false }),
        notification: textParameter(),
        notificationData: textParameter(),
        priority: textParameter({ default: "MEDIUM" }),
        jobmetadata: keyValueParameter(),
      },
      output: JobDocument,
      plain: ({ jobId }) => jobId,
    },
    async (request) => {
      const { params, query, subject } = request;
      const editing = editingOf(deps, request);
      if (!query.hard) {
        await disableUser(editing, params.userName, query.preserveAccess);
        return new Response(null, { status: 200 });
      }
      if (query.preserveAccess) {
        throw new KinoraError("invalid-input", {
          context: "preserveAccess",
          explanation: "A hard delete also removes the access that the user granted; it cannot be preserved",
        });
      }
      const started = fromEpoch(request.now());
      await deleteUser(editing, params.userName);
      return {
        jobId: await store.ids.next("job"),
        user: subject.userName,
        started,
        finished: fromEpoch(request.now()),
        status: "FINISHED",
        type: "DELETE_USER",
        priority: query.priority,
      };
    },
  );

  route.put(
    "/user/{userName}/enable",
    { summary: "Let a disabled user log in again", role, output: "none" },
    (request) => enableUser(editingOf(deps, request), request.params.userName),
  );

  return route;
}

/** @throws KinoraError `invalid-input` for passwords that were hashed elsewhere */
export function requireRaw(context: string, type: "raw" | "md5"): void {
  if (type === "raw") return;
  throw new KinoraError("invalid-input", {
    context,
    value: type,
    explanation: "Passwords hashed with MD5 are not supported, send the password itself with type raw",
  });
}

/** Users as lines: name, real name and groups, separated by tabs. */
export function userLines(list: UserList): readonly string[] {
  return (list.user ?? []).map((user) =>
    [user.userName, user.realName ?? "", ...(user.groupList?.group ?? []).map((group) => group.groupName)].join("\t"),
  );
}

/** What makes an absolute address. */
export interface Addresses {
  url(path: string): string;
}

/** The list with the address of each user. */
export function withAddresses(list: UserList, addresses: Addresses): UserList {
  return { ...list, user: list.user?.map((user) => withAddress(user, addresses)) };
}

function withAddress(user: User, addresses: Addresses): User {
  return { ...user, loc: addresses.url(`/user/${encodeURIComponent(user.userName ?? "")}`) };
}
