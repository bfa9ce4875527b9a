/** All routes of assets on a database of their own, for the tests of what items have beside metadata. */
import { onTestFinished } from "vitest";
import { openAssets } from "../../src/assets/assets.ts";
import { responseOf } from "../../src/http/answer.ts";
import { mount } from "../../src/http/dispatcher.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import { createSubject } from "../../src/security/subject.ts";
import type { ChangeEvent } from "../../src/store/change.ts";
import type { Store } from "../../src/store/store.ts";
import { openTestStore, type TestStore } from "./identity-store.ts";

/** What a request is sent with; a body that is neither text nor bytes is sent as JSON. */
export interface Send {
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly body: any;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** Sends a request below `/API`: `PUT /item/VX-1/shape`. */
export type Sender = (request: string, send?: Send) => Promise<Answer>;

export interface MediaApi extends Pick<TestStore, "store" | "clock"> {
  readonly admin: Sender;
  /** A user with these roles. */
  as(userName: string, ...roles: readonly string[]): Sender;
  /** A caller without login, with the whole path. */
  readonly nobody: Sender;
  /** Everything that was recorded. */
  readonly events: ChangeEvent[];
  tick(): Promise<number>;
  /** The administrator on another instance of the same database. */
  onAnother(): Promise<Sender>;
  /** Makes a placeholder item; answers its id. */
  item(query?: string): Promise<string>;
  /** Registers a file; answers its id. */
  file(name: string, more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Makes a collection of `item VX-1` and `collection VX-2`; answers its id. */
  collection(name: string, ...members: readonly string[]): Promise<string>;
}

/** Opens the routes; closed when the test ends. */
export async function openMediaApi(): Promise<MediaApi> {
  const opened = await openTestStore();
  onTestFinished(() => opened.close());
  const events: ChangeEvent[] = [];
  await opened.store.database.batch(
    ["admin", "ada", "bo"].map((name) => ({ sql: "insert into user (name, created) values (?, 0)", args: [name] })),
    "write",
  );

  async function open(store: Store) {
    store.observe((change) => {
      events.push(...change.events);
    });
    const assets = await openAssets({
      store,
      namespace: "urn:test",
      memberOf: (userName) => new Set(userName === "admin" ? ["_administrator"] : []),
      collectionsInOrder: () => false,
      groupStyle: () => "separate",
      removesExpiredLocks: () => true,
    });
    const dispatcher = mount(assets.routes, {
      namespace: "urn:test",
      now: store.now,
      change: (actor) => store.change(actor),
      onDefect: (cause) => console.error("A request failed by a defect", cause),
    });
    const send = async (userName: string | undefined, roles: readonly string[], request: string, sent: Send = {}) => {
      const { body, type = "application/json", accept = "application/json", headers = {} } = sent;
      const [method = "GET", path = "/"] = request.split(" ", 2);
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const target = path.startsWith("/API") ? path : `/API${path}`;
      const raw = new Request(`http://kinora.test${target}`, {
        method,
        headers: { accept, ...(body === undefined ? {} : { "content-type": type }), ...headers },
        ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
      });
      const subject =
        userName === undefined
          ? undefined
          : createSubject({
              userName,
              method: "password",
              realms: [],
              known: true,
              roles: new Set(roles),
              permissions: [],
            });
      const dispatched = await dispatcher.dispatch({
        ...canonicalTarget(target),
        method: raw.method,
        raw,
        origin: "http://kinora.test",
        target,
        subject,
        requestId: "test",
        header: (name) => raw.headers.get(name) ?? undefined,
      });
      const answer = responseOf(dispatched);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
      return { status: answer.status, body: isJson ? JSON.parse(text) : text, bytes, headers: answer.headers };
    };
    const as =
      (userName: string | undefined, ...roles: readonly string[]): Sender =>
      (request, sent) =>
        send(userName, roles, request, sent);
    return { as, tick: () => assets.tick() };
  }

  const { as, tick } = await open(opened.store);
  const admin = as("admin", "_administrator");
  const made = async (request: string, sent?: Send): Promise<string> => {
    const { status, body } = await admin(request, sent);
    if (status !== 200) throw new Error(`${request}: ${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  return {
    store: opened.store,
    clock: opened.clock,
    admin,
    as,
    nobody: as(undefined),
    events,
    tick,
    onAnother: async () => (await open(await opened.another())).as("admin", "_administrator"),
    item: (query = "") => made(`POST /import/placeholder${query}`),
    file: (name, more = {}) => made("POST /storage/file", { body: { uri: [`file:///mnt/a/${name}`], ...more } }),
    async collection(name, ...members) {
      const id = await made(`POST /collection?name=${name}`);
      for (const member of members) {
        const [type = "item", entity = ""] = member.split(" ");
        const { status, body } = await admin(`PUT /collection/${id}/${entity}?type=${type}`);
        if (status !== 200) throw new Error(`${member}: ${status} ${JSON.stringify(body)}`);
      }
      return id;
    },
  };
}
