import type { Row, Statement } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { autocomplete, suggest } from "./completions.ts";
import type { AutocompleteRequest } from "./documents/item-search-document.ts";
import type { Autocomplete } from "./documents/search-answer.ts";
import { findGroups, type GroupSearchRequest, type GroupSearchResult } from "./find-groups.ts";
import { findPlaces } from "./find-places.ts";
import type { GroupStyle } from "./index/group-rows.ts";
import { wordPrefixOf } from "./kinds.ts";
import { type PreparedSearch, prepare } from "./prepare.ts";
import { cursorStart, readCursor, writeCursor } from "./query/cursor.ts";
import type { Fragment } from "./query/fragment.ts";
import { byKey, countStatement, keyPageOf, keyPageStatement, type PageRequest } from "./query/page.ts";
import type { SearchPlan } from "./query/plan.ts";
import { runFacets } from "./run-facets.ts";
import { runSorted, sortKeysOf } from "./run-sorted.ts";
import type { SearchAccess, SearchEntities, SearchFieldSource, SearchKind, SearchKinds } from "./search-ports.ts";
import type { SearchRequest, SearchResult } from "./search-request.ts";
import type { SearchSurroundings } from "./search-scope.ts";

export interface SearchEnvironment {
  readonly store: Pick<Store, "query" | "readAll" | "now">;
  readonly access: SearchAccess;
  readonly fields: SearchFieldSource;
  readonly entities: SearchEntities;
  readonly kinds: SearchKinds;
  /** How instances of groups are indexed. Default: each on its own. */
  readonly groupStyle?: (() => GroupStyle) | undefined;
}

/** Finds entities. */
export interface Search {
  /**
   * Finds a page of hits, and what else the search asks for.
   *
   * @throws KinoraError `not-found` for a field that is not defined, `invalid-value` and `invalid-input` for searches
   *   that make no sense or ask for more than the limits allow
   */
  run(request: SearchRequest): Promise<SearchResult>;
  /** Reads a search without making it. @throws KinoraError what {@link Search.run} throws for one that makes no sense */
  check(request: Pick<SearchRequest, "subject" | "query" | "kinds" | "scope">): Promise<void>;
  /** Keys of all hits in blocks, oldest first: for what is done with each hit. */
  keys(request: Pick<SearchRequest, "subject" | "query" | "kinds" | "scope">): AsyncIterable<readonly number[]>;
  /** Finds a page of the instances of field groups in which the criteria hold, the newest entities first. */
  groups(request: GroupSearchRequest): Promise<GroupSearchResult>;
  /** Words and values that begin like a text. */
  autocomplete(
    subject: SearchRequest["subject"],
    kinds: readonly SearchKind[],
    request: AutocompleteRequest,
  ): Promise<Autocomplete>;
}

/** Keys of one block of {@link Search.keys}. */
const blockSize = 1000;

export function createSearch(environment: SearchEnvironment): Search {
  const { store, groupStyle = () => "separate" } = environment;

  async function readRow(statement: Statement): Promise<Row | undefined> {
    const [row] = await store.query(statement);
    return row;
  }

  async function surroundingsFor(subject: SearchRequest["subject"]) {
    const [found, shapes, { fields, mayRead }] = await Promise.all([
      subject === undefined ? "all" : environment.access.readable(subject),
      subject === undefined ? "all" : environment.access.shapes(subject),
      environment.fields.fieldsFor(subject),
    ]);
    const surroundings: SearchSurroundings = {
      readAll: store.readAll,
      now: store.now(),
      kinds: environment.kinds,
      fields,
      readable: found === "all" ? undefined : found,
      shapes: shapes === "all" ? undefined : shapes,
      groupStyle: groupStyle(),
    };
    return { surroundings, mayRead };
  }

  async function run(request: SearchRequest): Promise<SearchResult> {
    const { query } = request;
    const { surroundings, mayRead } = await surroundingsFor(request.subject);
    const search = await prepare(request, surroundings);
    const page = await runPage(search, request);
    const facets = query.facet ?? [];
    const self = request.kinds[0] ?? "item";
    const { readAll } = store;
    return {
      ...(request.count ? { hits: page.hits ?? 0 } : {}),
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      found: await findPlaces(search, query, page, { mayRead, entities: environment.entities }),
      facets: facets.length === 0 ? [] : await runFacets(search, facets, page.hits, readAll),
      suggestions:
        query.suggestion === undefined
          ? []
          : await suggest(query.suggestion, search.criterion, wordPrefixOf(self), search.searched, readAll),
      autocompletes: await completions(search, self, query.autocomplete ?? []),
    };
  }

  /** The number of hits, where it is asked for or decides how the rest is found; and the keys of the page. */
  async function runPage(search: PreparedSearch, request: SearchRequest) {
    const plan = search.planWithout([]);
    const { query, first, number } = request;
    const sorts = sortKeysOf(query.sort ?? [], search, request.scope?.order);
    const given = request.cursor ?? query.cursor;
    const after = given === undefined ? undefined : readCursor(given, sorts.length);
    const page = { limit: number, offset: given === undefined ? Math.max(0, first - 1) : 0, after };
    const counted = request.count || sorts.length > 0 || (query.facet ?? []).length > 0;
    const count = counted ? countStatement(plan, search.searched) : undefined;
    const found =
      sorts.length === 0 ? await newest(plan, page, count) : await runSorted(search, plan, sorts, page, readRow);
    const { keys, timed, last } = found;
    return {
      keys,
      timed,
      hits: counted ? found.hits : undefined,
      nextCursor: given === undefined ? undefined : last === undefined ? given || cursorStart : writeCursor(last),
    };
  }

  async function newest(plan: SearchPlan, page: PageRequest, count: Fragment | undefined) {
    const found = keyPageOf(await readRow(keyPageStatement(byKey(plan, page, true), true, count)));
    const id = found.keys.at(-1);
    return { ...found, last: id === undefined ? undefined : { id, values: [] } };
  }

  async function completions(search: PreparedSearch, self: SearchKind, requests: readonly AutocompleteRequest[]) {
    const found: Autocomplete[] = [];
    for (const request of requests) {
      const field = request.field === undefined ? undefined : search.fieldNamed(request.field);
      found.push(await autocomplete(request, field, wordPrefixOf(self), search.searched, store.readAll));
    }
    return found;
  }

  async function check(request: Pick<SearchRequest, "subject" | "query" | "kinds" | "scope">): Promise<void> {
    const { surroundings } = await surroundingsFor(request.subject);
    const search = await prepare({ ...request, first: 1, number: 0, count: false }, surroundings);
    const { cursor, facet = [], sort = [], autocomplete: completed = [] } = request.query;
    search.planWithout([]);
    const sorts = sortKeysOf(sort, search, request.scope?.order);
    if (cursor !== undefined) readCursor(cursor, sorts.length);
    for (const { field } of [...facet, ...completed]) if (field !== undefined) search.fieldNamed(field);
  }

  async function* keys(request: Pick<SearchRequest, "subject" | "query" | "kinds" | "scope">) {
    const { surroundings } = await surroundingsFor(request.subject);
    const search = await prepare({ ...request, first: 1, number: blockSize, count: false }, surroundings);
    const plan = search.planWithout([]);
    for (let after = 0; ; ) {
      const page = { offset: 0, limit: blockSize, after: { id: after, values: [] } };
      const block = keyPageOf(await readRow(keyPageStatement(byKey(plan, page, false), false, undefined))).keys;
      if (block.length > 0) yield block;
      if (block.length < blockSize) return;
      after = block.at(-1) ?? after;
    }
  }

  return {
    run,
    check,
    keys,
    async groups(request) {
      const { surroundings } = await surroundingsFor(request.subject);
      const search = await prepare({ ...request, kinds: ["item"], count: false }, surroundings);
      return findGroups(search, request, store.readAll);
    },
    async autocomplete(subject, kinds, request) {
      const { surroundings } = await surroundingsFor(subject);
      const search = await prepare({ subject, kinds, query: {}, first: 1, number: 0, count: false }, surroundings);
      const [found] = await completions(search, kinds[0] ?? "item", [request]);
      return found ?? { suggestion: [] };
    },
  };
}
