import { textParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import type { Subject } from "../../../plugin/contract.ts";
import type { Store } from "../../../store/store.ts";
import type { AccessPort } from "../../access-port.ts";
import { fileDocument, type UriFilter } from "../../files/file-documents.ts";
import { itemsOfFiles } from "../../files/file-items.ts";
import { readFiles } from "../../files/read-files.ts";
import { readItemShapes } from "../../shapes/read-shapes.ts";
import { shapeDocument } from "../../shapes/shape-documents.ts";
import { FileSearchDocument, type ItemSearch, ShapeSearchDocument } from "../documents/item-search-document.ts";
import { FoundFileListDocument, ShapeListDocument } from "../documents/list-documents.ts";
import type { SearchRequest } from "../search-request.ts";
import { type SavingDeps, type SavingRequest, savedAnswer, saveParameter } from "./saved-search.ts";
import { listExtras, queryParameter, searchOf, searchParameters } from "./search-parameters.ts";

export interface RelatedSearchDeps extends SavingDeps {
  readonly store: Store;
  readonly access: AccessPort;
}

interface RelatedRequest {
  readonly subject: Subject;
  readonly query: Pick<SearchRequest, "first" | "number" | "count" | "cursor"> & UriFilter;
}

const body = { inputOptional: true, anyRoot: true } as const;
const shown = { ...searchParameters, scheme: textParameter() };
const query = { ...shown, ...queryParameter, ...saveParameter };

/** Searches for shapes and for files. */
export function relatedSearchRoutes(deps: RelatedSearchDeps): RouteTable {
  const route = routes();
  const ofShapes = { role: ["_shape_read", "_item_shape_read"], output: ShapeListDocument } as const;
  const ofFiles = { role: "_file_read", output: FoundFileListDocument } as const;
  const shapes = { ...ofShapes, query } as const;
  const files = { ...ofFiles, query } as const;

  route.get("/search/shape", { summary: "List shapes, newest first", ...shapes }, (request) =>
    searchShapes(deps, request, searchOf(undefined, request.query.q)),
  );
  route.put(
    "/search/shape",
    { summary: "Search for shapes", ...shapes, ...body, input: ShapeSearchDocument },
    (request) => searchShapes(deps, request, searchOf(request.body, request.query.q)),
  );
  route.get(
    "/search/shape/saved/{key}",
    { summary: "Show what a saved search for shapes finds", ...ofShapes, query: shown, etag: true },
    async (request) => findShapes(deps, request, await deps.saved.find("shape", request.params.key)),
  );
  route.get("/search/file", { summary: "List files, newest first", ...files }, (request) =>
    searchFiles(deps, request, searchOf(undefined, request.query.q)),
  );
  route.put("/search/file", { summary: "Search for files", ...files, ...body, input: FileSearchDocument }, (request) =>
    searchFiles(deps, request, searchOf(request.body, request.query.q)),
  );
  route.get(
    "/search/file/saved/{key}",
    { summary: "Show what a saved search for files finds", ...ofFiles, query: shown, etag: true },
    async (request) => findFiles(deps, request, await deps.saved.find("file", request.params.key)),
  );
  return route;
}

type SearchingRequest = RelatedRequest & SavingRequest & { readonly query: { readonly save: boolean } };

async function searchShapes(deps: RelatedSearchDeps, request: SearchingRequest, wanted: ItemSearch) {
  return request.query.save ? save(deps, request, "shape", wanted) : findShapes(deps, request, wanted);
}

async function searchFiles(deps: RelatedSearchDeps, request: SearchingRequest, wanted: ItemSearch) {
  return request.query.save ? save(deps, request, "file", wanted) : findFiles(deps, request, wanted);
}

function save(deps: RelatedSearchDeps, request: SearchingRequest, kind: "shape" | "file", query: ItemSearch) {
  return savedAnswer(deps, request, { target: kind, kinds: [kind], query, path: `/search/${kind}` });
}

async function find(
  { search }: RelatedSearchDeps,
  { subject, query: { first, number, count, cursor } }: RelatedRequest,
  kind: "shape" | "file",
  wanted: ItemSearch,
) {
  const result = await search.run({ subject, query: wanted, kinds: [kind], first, number, count, cursor });
  return { extras: listExtras(result), serials: result.found.map(({ serial }) => serial) };
}

async function findShapes(deps: RelatedSearchDeps, request: RelatedRequest, wanted: ItemSearch) {
  const { store } = deps;
  const uris = { scheme: request.query.scheme };
  const { extras, serials } = await find(deps, request, "shape", wanted);
  const rows = await store.query({
    sql: "select distinct item from shape where id in (select value from json_each(?))",
    args: [JSON.stringify(serials)],
  });
  const items = await readItemShapes(
    deps,
    request.subject,
    rows.map((row) => Number(row.item)),
  );
  const found = new Map(
    items.flatMap(({ item, shapes, files }) =>
      shapes.map((shape) => {
        const document = shapeDocument(shape, { format: store.ids.format, files, includePlaceholder: true, uris });
        return [shape.serial, { ...document, item: [{ id: store.ids.format(item) }] }];
      }),
    ),
  );
  return { ...extras, shape: serials.flatMap((serial) => found.get(serial) ?? []) };
}

async function findFiles(deps: RelatedSearchDeps, request: RelatedRequest, wanted: ItemSearch) {
  const { store } = deps;
  const { extras, serials } = await find(deps, request, "file", wanted);
  const [files, items] = await Promise.all([readFiles(store, serials), itemsOfFiles(deps, request.subject, serials)]);
  return {
    ...extras,
    file: serials.flatMap((serial) => {
      const file = files.get(serial);
      const item = items.get(serial);
      if (file === undefined) return [];
      return [{ ...fileDocument(file, store.ids.format, request.query), ...(item === undefined ? {} : { item }) }];
    }),
  };
}
