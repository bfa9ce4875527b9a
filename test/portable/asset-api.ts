/** The routes of fields, metadata and items on a database of their own, with access given by the test. */
import type { AccessPort } from "../../src/assets/access-port.ts";
import { createEntityIds } from "../../src/assets/entity-ids.ts";
import { definitionRoutes } from "../../src/assets/fields/all-field-routes.ts";
import { createDefinitionCache } from "../../src/assets/fields/definition-cache.ts";
import { ensureSystemFields } from "../../src/assets/fields/first-fields.ts";
import type { IndexedEntity, MetadataIndex } from "../../src/assets/index-port.ts";
import { type InheritancePort, noInheritance } from "../../src/assets/inheritance-port.ts";
import type { ItemEnvironment } from "../../src/assets/items/create-item.ts";
import { createItemContent } from "../../src/assets/items/item-content.ts";
import type { ItemDocumentEnvironment } from "../../src/assets/items/item-documents.ts";
import type { ItemHooks } from "../../src/assets/items/item-hooks.ts";
import { createItemLists } from "../../src/assets/items/item-lists.ts";
import { itemRoutes } from "../../src/assets/items/item-routes.ts";
import { relationRoutes } from "../../src/assets/items/relation-routes.ts";
import { metadataRoutes } from "../../src/assets/metadata/all-metadata-routes.ts";
import { createEditMetadata, type EditMetadata } from "../../src/assets/metadata/metadata-editing.ts";
import { readEntryUuids } from "../../src/assets/metadata/metadata-environment.ts";
import { createMetadataIndex } from "../../src/assets/search/index/metadata-index.ts";
import { responseOf } from "../../src/http/answer.ts";
import { mount } from "../../src/http/dispatcher.ts";
import type { Subject } from "../../src/plugin/contract.ts";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import type { ChangeEvent } from "../../src/store/change.ts";
import type { Store } from "../../src/store/store.ts";
import { openTestStore, type TestStore } from "./identity-store.ts";

/** What a request is sent with. */
export interface Send {
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer: its status, and its body as JSON, or as text when it is none. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly body: any;
  readonly headers: Headers;
}

/** Sends a request: `PUT /item/VX-1/metadata`. */
export type Sender = (request: string, send?: Send) => Promise<Answer>;

export interface AssetApi extends TestStore {
  readonly environment: ItemEnvironment & ItemDocumentEnvironment;
  readonly edit: EditMetadata;
  readonly admin: Sender;
  /** A caller with all roles but `_administrator`, or with those given. */
  as(userName: string, roles?: readonly string[]): Sender;
  /** What users may do with entities beside what they own: `user kind serial` to a rank. */
  readonly grants: Map<string, number>;
  /** Groups of users. */
  readonly groups: Map<string, ReadonlySet<string>>;
  /** Everything that changes recorded. */
  readonly events: ChangeEvent[];
  /** What the index has of each entity, put together from the differences that it was handed. */
  readonly indexed: Map<number, Map<string, string>>;
  /** Statements of the last commits. */
  readonly counts: { statements: number };
  close(): Promise<void>;
}

export interface AssetApiOptions {
  readonly inheritance?: (store: Store) => InheritancePort;
  readonly hooks?: readonly ItemHooks[];
}

export function subject(userName: string, roles: readonly string[] | undefined): Subject {
  return {
    userName,
    callerName: userName,
    method: "password",
    realms: ["serviceRealm"],
    known: true,
    hasRole: (role) =>
      roles === undefined ? role !== "_administrator" : roles.includes(role) || roles.includes("_administrator"),
    isPermitted: () => false,
  };
}

function testAccess(grants: ReadonlyMap<string, number>): AccessPort {
  return {
    rank(by, kind, column) {
      if (by.hasRole("_administrator")) return { sql: "4", args: [] };
      const given = [...grants].flatMap(([key, rank]) => {
        const [user, kindName, serial] = key.split(" ");
        return user === by.userName && kindName === kind ? [[Number(serial), rank]] : [];
      });
      const owned = kind === "item" ? `exists (select 1 from item where id = ${column} and owner = ?)` : "? = ''";
      return {
        sql: `max(iif(${owned}, 4, 0), coalesce((select value ->> 1 from json_each(?) where value ->> 0 = ${column}), 0))`,
        args: [by.userName, JSON.stringify(given)],
      };
    },
    grades: () => ({ sql: "'{}'", args: [] }),
    importOwner: async (userName) => userName,
    created() {},
    removed() {},
  };
}

/** Keeps what the index is handed as differences, and lets the real index write as well. */
function recordingIndex(inner: MetadataIndex, indexed: Map<number, Map<string, string>>): MetadataIndex {
  const keyOf = (value: IndexedEntity["values"][number]) =>
    [
      ...value.groups.map((group) => `${group.name}/`),
      value.field.name,
      value.track === undefined ? "" : `@${value.track}`,
      value.language === undefined ? "" : `:${value.language}`,
      value.inherited === undefined ? "" : ` from ${value.inherited}`,
      ` #${value.entry}`,
    ].join("");
  return {
    ...inner,
    write(change, entity) {
      inner.write(change, entity);
      change.onCommit(() => {
        const has = entity.created ? new Map<string, string>() : (indexed.get(entity.key) ?? new Map<string, string>());
        for (const value of entity.removed) has.delete(keyOf(value));
        for (const value of entity.added) has.set(keyOf(value), value.text);
        indexed.set(entity.key, has);
        const whole = new Map(entity.values.map((value) => [keyOf(value), value.text]));
        const sorted = (map: ReadonlyMap<string, string>) => JSON.stringify([...map].sort());
        if (sorted(whole) !== sorted(has)) {
          throw new Error(`The difference handed to the index is wrong: ${sorted(has)} is not ${sorted(whole)}`);
        }
      });
    },
    remove(change, kind, serials) {
      inner.remove(change, kind, serials);
    },
  };
}

export async function openAssetApi(options: AssetApiOptions = {}): Promise<AssetApi> {
  const opened = await openTestStore();
  const { store } = opened;
  await ensureSystemFields(store);
  const grants = new Map<string, number>();
  const groups = new Map<string, ReadonlySet<string>>();
  const events: ChangeEvent[] = [];
  const indexed = new Map<number, Map<string, string>>();
  store.observe((change) => {
    change.onCommit(() => events.push(...change.events));
  });
  const definitions = createDefinitionCache(store);
  const groupsOf = (userName: string) => groups.get(userName) ?? new Set<string>();
  const environment = {
    store,
    definitions,
    uuids: await readEntryUuids(store),
    ids: createEntityIds(store.ids),
    access: testAccess(grants),
    inheritance: options.inheritance?.(store) ?? noInheritance,
    index: recordingIndex(createMetadataIndex(), indexed),
    groupsOf,
    hooks: options.hooks ?? [],
    content: createItemContent(),
  };
  const edit = createEditMetadata(environment);
  const dispatcher = mount(
    [
      ...definitionRoutes({ store, definitions, observers: [], namespace: "urn:test", groupsOf }),
      ...metadataRoutes({ environment, edit }),
      itemRoutes({ environment, lists: createItemLists() }),
      relationRoutes({ environment }),
    ],
    {
      namespace: "urn:test",
      now: store.now,
      change: (actor) => store.change(actor),
      onDefect: (cause) => console.error("defect", cause),
    },
  );

  function as(userName: string, roles?: readonly string[]): Sender {
    return async (request, send = {}) => {
      const { body, type = "application/json", accept = "application/json", headers = {} } = send;
      const [verb = "GET", target = "/"] = request.split(" ", 2);
      const raw = new Request(`http://kinora.test${target}`, {
        method: verb,
        headers: { accept, ...(body === undefined ? {} : { "content-type": type }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const { segments, matrix, path } = canonicalTarget(target);
      const answer = await dispatcher.dispatch({
        method: verb,
        raw,
        origin: "http://kinora.test",
        path,
        segments,
        matrix,
        target,
        subject: subject(userName, roles),
        requestId: "test",
        remoteAddress: "192.0.2.1",
        header: (name) => raw.headers.get(name) ?? undefined,
      });
      const response = responseOf(answer);
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    };
  }
  return {
    ...opened,
    environment,
    edit,
    admin: as("admin", ["_administrator"]),
    as,
    grants,
    groups,
    events,
    indexed,
    counts: { statements: 0 },
  };
}

/** A metadata document of untimed fields. */
export function fieldsOf(fields: Readonly<Record<string, string | readonly string[]>>): object {
  return {
    timespan: [
      {
        start: "-INF",
        end: "+INF",
        field: Object.entries(fields).map(([name, values]) => ({
          name,
          value: (typeof values === "string" ? [values] : values).map((value) => ({ value })),
        })),
      },
    ],
  };
}

/** The untimed values of a field in a metadata document. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
export function valuesOf(metadata: any, name: string): readonly string[] {
  for (const timespan of metadata.timespan ?? []) {
    if (timespan.start !== "-INF" || timespan.end !== "+INF") continue;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const field = (timespan.field ?? []).find((one: any) => one.name === name);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    if (field !== undefined) return (field.value ?? []).map((one: any) => one.value);
  }
  return [];
}
