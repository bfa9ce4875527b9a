import { onTestFinished } from "vitest";
import { entityKey } from "../../src/assets/entity.ts";
import type { FieldType } from "../../src/assets/fields/field-types.ts";
import type { IndexedField, IndexedGroup, IndexedValue } from "../../src/assets/index-port.ts";
import { parseTimeSpan } from "../../src/assets/metadata/time/time-span.ts";
import type { ItemSearch } from "../../src/assets/search/documents/item-search-document.ts";
import type { GroupStyle } from "../../src/assets/search/index/group-rows.ts";
import { createMetadataIndex } from "../../src/assets/search/index/metadata-index.ts";
import { modifiedField } from "../../src/assets/search/index/own-fields.ts";
import { transientAnalysis } from "../../src/assets/search/index/transient.ts";
import { raw, sql } from "../../src/assets/search/query/fragment.ts";
import { registerRelatedKinds } from "../../src/assets/search/related-kinds.ts";
import { createSearch } from "../../src/assets/search/search.ts";
import { createSearchKinds } from "../../src/assets/search/search-ports.ts";
import type { SearchRequest } from "../../src/assets/search/search-request.ts";
import { indexFieldOf } from "../../src/assets/search/tokens/field-analysis.ts";
import type { Subject } from "../../src/plugin/contract.ts";
import type { Change } from "../../src/store/change.ts";
import type { Statement } from "../../src/store/database.ts";
import { openTestStore } from "./identity-store.ts";

const define = (id: number, name: string, type: FieldType, fullText = true): IndexedField => ({
  id,
  name,
  type,
  index: type.endsWith("-noindex") ? "noindex" : "index",
  fullText,
});

/** Fields of every kind of analysis. */
export const worldFields: Readonly<Record<string, IndexedField>> = Object.fromEntries(
  [
    define(1, "title", "string-sortable"),
    define(2, "note", "string", false),
    define(3, "keyword", "string-exact"),
    define(4, "code", "string-exact-sortable", false),
    define(5, "count", "integer"),
    define(6, "size", "long"),
    define(7, "ratio", "float"),
    define(8, "day", "date"),
    define(9, "ok", "boolean"),
    define(10, "tc", "timeCode"),
    define(11, "secret", "string-noindex"),
    define(40, "remark", "string"),
  ].map((field) => [field.name, field]),
);

/** A value as a test writes it. */
export interface WorldValue {
  readonly field: string;
  readonly text: string;
  readonly span?: readonly [start: string, end: string];
  /** Names and entries of the groups around it, outermost first. */
  readonly groups?: readonly (readonly [name: string, entry: number])[];
}

export interface WorldEntity {
  readonly kind: "item" | "collection";
  readonly serial: number;
  readonly values: readonly IndexedValue[];
}

/** An index over an empty database, written to without the rest of the service. */
export interface SearchWorld {
  /** Writes entities with these values in place of what they had. */
  put(kind: "item" | "collection", serial: number, values: readonly WorldValue[], owner?: string): Promise<void>;
  remove(kind: "item" | "collection", serials: readonly number[]): Promise<void>;
  transient(
    kind: "item" | "collection",
    serials: readonly number[],
    field: string,
    values: readonly string[],
  ): Promise<void>;
  access(kind: "item" | "collection", serial: number, set: number): Promise<void>;
  /** Access sets that a user may read. */
  grant(user: string, sets: readonly number[]): void;
  /** The caller may not see these fields. */
  hide(...fields: readonly string[]): void;
  run(query: ItemSearch, options?: Partial<SearchRequest>): ReturnType<ReturnType<typeof createSearch>["run"]>;
  /** Identifiers of all hits, in their order: `item 3`. */
  find(query: ItemSearch, options?: Partial<SearchRequest>): Promise<readonly string[]>;
  /** Commits a change. */
  change(fill: (change: Change) => void): Promise<void>;
  readonly search: ReturnType<typeof createSearch>;
  /** Statements that were read since the last call. */
  statements(): readonly Statement[];
  readonly sqlite: (
    sql: string,
    args?: readonly (string | number)[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly clock: { now: number };
}

export const administrator = (): Subject => subject("admin", true);

export function subject(userName: string, isAdministrator = false): Subject {
  return {
    userName,
    callerName: userName,
    method: "password",
    realms: [],
    known: true,
    hasRole: () => isAdministrator,
    isPermitted: () => isAdministrator,
  };
}

export interface WorldOptions {
  readonly groupStyle?: GroupStyle;
  /** Shapes and files can be searched, too. */
  readonly related?: boolean;
}

export async function makeSearchWorld(options: WorldOptions = {}): Promise<SearchWorld> {
  const { store, clock, close } = await openTestStore();
  onTestFinished(close);
  const { groupStyle = "separate" } = options;
  const index = createMetadataIndex({ groupStyle: () => groupStyle });
  const entities = new Map<number, WorldEntity>();
  const granted = new Map<string, readonly number[]>();
  const hidden = new Set<string>();
  const read: Statement[] = [];
  let nextEntry = 1;
  const setsOf = ({ userName }: Subject) =>
    sql`select value from json_each(${JSON.stringify(granted.get(userName) ?? [])})`;

  const kinds = createSearchKinds();
  if (options.related === true) registerRelatedKinds(kinds);
  const search = createSearch({
    groupStyle: () => groupStyle,
    store: {
      now: () => clock.now,
      query: (statement) => {
        read.push(statement);
        return store.query(statement);
      },
      readAll: (statements) => {
        read.push(...statements);
        return store.readAll(statements);
      },
    },
    kinds,
    access: {
      readable: (caller) => (caller.hasRole("_administrator") ? "all" : setsOf(caller)),
      shapes: (caller) =>
        caller.hasRole("_administrator")
          ? "all"
          : { limited: raw("0"), readable: (access) => sql`${access} in (${setsOf(caller)})` },
    },
    fields: {
      fieldsFor: (caller) => {
        const limited = hidden.size > 0 && caller !== undefined && !caller.hasRole("_administrator");
        const mayRead = (name: string) => !(limited && hidden.has(name));
        const indexed = Object.values(worldFields).flatMap((field) => {
          const found = mayRead(field.name) ? indexFieldOf(field) : undefined;
          return found === undefined ? [] : [found];
        });
        return {
          mayRead,
          fields: {
            field(name) {
              if (name.startsWith("__") && name !== modifiedField.name) {
                return { store: "transient", field: { name, analysis: transientAnalysis(name) } };
              }
              if (name === modifiedField.name) return { store: "index", field: modifiedField };
              if (worldFields[name] === undefined) return undefined;
              const field = indexed.find((found) => found.name === name);
              return field === undefined ? "hidden" : { store: "index", field };
            },
            ...(limited
              ? { visibleText: indexed.filter(({ fullText, analysis }) => fullText && analysis === "words") }
              : {}),
          },
        };
      },
    },
    entities: {
      valuesOf: async (keys) => new Map(keys.map((key) => [key, entities.get(key)?.values ?? []])),
    },
  });

  const toValue = (value: WorldValue): IndexedValue => ({
    entry: nextEntry++,
    field: worldFields[value.field] as IndexedField,
    text: value.text,
    groups: (value.groups ?? []).map(([name, entry]): IndexedGroup => ({ name, entry })),
    ...(value.span === undefined ? {} : { span: parseTimeSpan(...value.span) }),
  });

  async function commit(fill: (change: Change) => void): Promise<void> {
    const change = store.change({ userName: "test" });
    fill(change);
    await change.commit();
  }

  const run: SearchWorld["run"] = (query, request = {}) =>
    search.run({
      subject: administrator(),
      query,
      kinds: ["item"],
      first: 1,
      number: 1000,
      count: true,
      ...request,
    });

  return {
    change: commit,
    search,
    clock,
    run,
    put: (kind, serial, values, owner = "admin") =>
      commit((change) => {
        const key = entityKey(kind, serial);
        const before = entities.get(key);
        const now = values.map(toValue);
        index.write(change, {
          kind,
          serial,
          key,
          created: before === undefined,
          ...(before === undefined ? { owner } : {}),
          modifiedAt: clock.now,
          values: now,
          added: now,
          removed: before?.values ?? [],
        });
        entities.set(key, { kind, serial, values: now });
      }),
    remove: (kind, serials) =>
      commit((change) => {
        index.remove(change, kind, serials);
        for (const serial of serials) {
          // Access control does this when an entity is deleted.
          change.add({ sql: "delete from search_document where id = ?", args: [entityKey(kind, serial)] });
          entities.delete(entityKey(kind, serial));
        }
      }),
    transient: (kind, serials, field, values) =>
      commit((change) => index.transient(change, kind, serials, field, values)),
    access: (kind, serial, set) =>
      commit((change) => {
        change.add({ sql: "update search_document set access = ? where id = ?", args: [set, entityKey(kind, serial)] });
      }),
    grant: (user, sets) => {
      granted.set(user, sets);
    },
    hide: (...fields) => {
      for (const field of fields) hidden.add(field);
    },
    find: async (query, request) => (await run(query, request)).found.map(({ kind, serial }) => `${kind} ${serial}`),
    statements: () => read.splice(0),
    sqlite: (text, args = []) => store.query({ sql: text, args }),
  };
}
