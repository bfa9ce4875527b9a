/** All routes of assets on a database of their own, for callers whom the test names. */
import { openAssets } from "../../src/assets/assets.ts";
import { responseOf } from "../../src/http/answer.ts";
import { mount } from "../../src/http/dispatcher.ts";
import type { Subject } from "../../src/plugin/contract.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import { createSubject } from "../../src/security/subject.ts";
import type { ChangeEvent } from "../../src/store/change.ts";
import type { Store } from "../../src/store/store.ts";
import { openTestStore, type TestStore } from "./identity-store.ts";

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly body: any;
}

/** Sends a request: `PUT /collection/VX-1/VX-2`, with a document that is sent as JSON. */
export type Send = (request: string, document?: unknown, accept?: string) => Promise<Answer>;

export interface ContainerApi extends TestStore {
  readonly admin: Send;
  /** A user with every role but `_administrator`. */
  as(userName: string): Send;
  subject(userName: string): Subject;
  /** Everything that was recorded. */
  readonly events: ChangeEvent[];
  /** Groups of users by the name of the user. */
  readonly groups: Map<string, Set<string>>;
  /** Whether collections are listed in their own order. */
  readonly settings: {
    inOrder: boolean;
    /** Days after which unused libraries go; 0: they stay. */
    libraryRetentionDays: number;
  };
  tick(): Promise<number>;
  /** The same on another instance. */
  onAnother(): Promise<(userName: string) => Send>;
}

const anyone: readonly string[] = [
  "_item_read",
  "_item_write",
  "_import",
  "_metadata_read",
  "_metadata_write",
  "_collection_read",
  "_collection_write",
  "_library_read",
  "_library_write",
  "_accesscontrol_read",
  "_accesscontrol_write",
];

/** Opens the routes with the users `admin`, `alva`, `bo`, `cy` and the groups `editors` and `guests`. */
export async function openContainerApi(): Promise<ContainerApi> {
  const opened = await openTestStore();
  const { store } = opened;
  const groups = new Map<string, Set<string>>([["bo", new Set(["editors"])]]);
  const settings = { inOrder: false, libraryRetentionDays: 0 };
  const events: ChangeEvent[] = [];
  const users = ["admin", "alva", "bo", "cy"];
  await store.database.batch(
    [
      ...users.map((name) => ({ sql: "insert into user (name, created) values (?, 0)", args: [name] })),
      ...["editors", "guests"].map((name) => ({
        sql: "insert into user_group (name, created) values (?, 0)",
        args: [name],
      })),
      {
        sql: `insert into group_user (user_id, group_id) select u.id, g.id from user u, user_group g
          where u.name = 'bo' and g.name = 'editors'`,
      },
    ],
    "write",
  );
  const rolesOf = (userName: string) => new Set(userName === "admin" ? ["_administrator"] : anyone);
  const subject = (userName: string) =>
    createSubject({ userName, method: "password", realms: [], known: true, roles: rolesOf(userName), permissions: [] });

  async function open(on: Store) {
    on.observe((change) => {
      events.push(...change.events);
    });
    const assets = await openAssets({
      store: on,
      namespace: "urn:test",
      memberOf: (userName) => new Set([...(groups.get(userName) ?? []), ...rolesOf(userName)]),
      collectionsInOrder: () => settings.inOrder,
      libraryRetentionDays: () => settings.libraryRetentionDays,
    });
    const dispatcher = mount(assets.routes, {
      namespace: "urn:test",
      now: on.now,
      change: (actor) => on.change(actor),
      onDefect: (cause) => console.error("defect", cause),
    });
    const as =
      (userName: string): Send =>
      async (request, document, accept = "application/json") => {
        const [method = "GET", path = "/"] = request.split(" ", 2);
        const raw = new Request(`http://kinora.test${path}`, {
          method,
          headers: { accept, ...(document === undefined ? {} : { "content-type": "application/json" }) },
          ...(document === undefined ? {} : { body: JSON.stringify(document) }),
        });
        const dispatched = await dispatcher.dispatch({
          ...canonicalTarget(path),
          method,
          raw,
          origin: "http://kinora.test",
          target: path,
          subject: subject(userName),
          requestId: "test",
          header: (name) => raw.headers.get(name) ?? undefined,
        });
        const answer = responseOf(dispatched);
        const text = await answer.text();
        return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text };
      };
    return { as, tick: () => assets.tick() };
  }

  const { as, tick } = await open(store);
  return {
    ...opened,
    admin: as("admin"),
    as,
    subject,
    events,
    groups,
    settings,
    tick,
    onAnother: async () => (await open(await opened.another())).as,
  };
}

/** Makes an item, and answers its identifier. */
export async function makeItem(send: Send, title?: string): Promise<string> {
  const field = title === undefined ? [] : [{ name: "title", value: [{ value: title }] }];
  const { body } = await send("POST /import/placeholder?container=1", { timespan: [{ field }] });
  return body.id;
}

/** Makes a collection, and answers its identifier. */
export async function makeCollection(send: Send, name = "Rushes"): Promise<string> {
  return (await send(`POST /collection?name=${encodeURIComponent(name)}`)).body.id;
}
