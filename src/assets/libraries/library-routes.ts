import { fromEpoch } from "../../documents/date-time.ts";
import { type Job, JobDocument } from "../../documents/job.ts";
import { URIListDocument } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import { pageOf, pageParameters } from "../../http/page.ts";
import { booleanParameter, intParameter, listParameter, oneOfParameter, textParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { accessKey } from "../access/access-entity.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import { requireAccess } from "../access/require-access.ts";
import { itemParameters } from "../items/item-documents.ts";
import { type ItemList, ItemListDocument } from "../search/documents/list-documents.ts";
import { type ItemListDeps, itemList } from "../search/routes/item-list.ts";
import { deleteLibraries } from "./delete-libraries.ts";
import { addItems, createLibrary, mostAtOnce, putSettings, removeItem } from "./edit-libraries.ts";
import { updateModes } from "./library.ts";
import { LibrarySettingsDocument, settingsDocument } from "./library-documents.ts";
import type { LibraryEditing, LibraryEnvironment } from "./library-environment.ts";
import { readLibrary } from "./library-items.ts";
import { libraryContent } from "./library-scope.ts";
import { noteUse } from "./library-use.ts";
import { listLibraries } from "./list-libraries.ts";
import { refreshLibrary } from "./refresh-library.ts";

/** What the routes of libraries take from the service. */
export interface LibraryRoutesDeps extends ItemListDeps {
  readonly environment: LibraryEnvironment;
}

const read = "_library_read";
const write = "_library_write";

type SubjectRequest = Pick<AnyRouteRequest, "change"> & { readonly subject: Subject };

/** Items that a page of a library shows at most. */
const mostItems = 1000;

/** Libraries: light-weight lists of items, given or found. */
export function libraryRoutes(deps: LibraryRoutesDeps): RouteTable {
  const route = routes();
  const { environment } = deps;
  const { store } = environment;
  const one = "/library/{id}" as const;
  const editing = (request: SubjectRequest): LibraryEditing => ({
    environment,
    subject: request.subject,
    change: () => request.change(),
  });
  const serialOf = async (id: string) => Math.floor((await resolveAccessEntity(environment, "library", id)) / 8);
  const lines = ({ uri = [] }: { readonly uri?: readonly string[] | undefined }) => uri;

  route.get(
    "/library",
    {
      summary: "List libraries",
      role: read,
      query: {
        autoRefresh: booleanParameter(),
        frequencyFrom: intParameter(),
        frequencyTo: intParameter(),
        updateMode: oneOfParameter(updateModes),
        ...pageParameters({ number: 100, maximum: 10_000 }),
      },
      output: URIListDocument,
      plain: lines,
    },
    async ({ subject, query }) => ({
      uri: await listLibraries(environment, subject, { ...query, ...pageOf(query) }),
    }),
  );

  route.post(
    "/library",
    {
      summary: "Create a library of the items in a list",
      role: write,
      query: { externalId: textParameter() },
      input: ItemListDocument,
      inputOptional: true,
      output: URIListDocument,
      plain: lines,
    },
    async (request) => {
      const id = await createLibrary(editing(request), idsOf(request.body), request.query.externalId);
      return { uri: [id] };
    },
  );

  const asJob = booleanParameter({ default: false });
  route.delete(
    "/library",
    {
      summary: "Delete libraries",
      role: write,
      query: { id: listParameter({ required: true }), async: asJob },
      output: JobDocument,
    },
    async (request) => {
      const { id, async: job } = request.query;
      if (id.length > mostAtOnce) {
        throw new KinoraError("invalid-input", {
          context: "id",
          explanation: `One request deletes at most ${mostAtOnce} libraries`,
        });
      }
      const serials: number[] = [];
      for (const identifier of id) serials.push(await serialOf(identifier).catch(noSerial));
      await deleteLibraries(editing(request), serials, { ignoreMissing: true });
      return job ? await finishedJob(environment, request) : new Response(null);
    },
  );

  route.get(
    one,
    {
      summary: "List the items of a library",
      role: read,
      query: {
        ...itemParameters,
        count: booleanParameter({ default: true }),
        cursor: textParameter(),
        ...pageParameters({ number: 100, maximum: mostItems }),
      },
      output: ItemListDocument,
      plain: ({ item = [] }: ItemList) => item.map(({ id = "" }) => id),
    },
    async (request) => {
      const content = await libraryContent(environment, request.subject, await serialOf(request.params.id));
      const { first, number, count, cursor } = request.query;
      return itemList(deps, request, { query: {}, ...content, first, number, count, cursor });
    },
  );

  route.put(
    one,
    { summary: "Put items into a library", role: write, input: ItemListDocument, output: "none" },
    async (request) => addItems(editing(request), await serialOf(request.params.id), idsOf(request.body)),
  );

  route.delete(
    one,
    { summary: "Delete a library", role: write, query: { async: asJob }, output: JobDocument },
    async (request) => {
      await deleteLibraries(editing(request), [await serialOf(request.params.id)]);
      return request.query.async ? await finishedJob(environment, request) : new Response(null);
    },
  );

  const settings = "/library/{id}/settings" as const;
  route.get(
    settings,
    { summary: "Read how a library is made and kept", role: read, output: LibrarySettingsDocument, etag: true },
    async ({ params, subject }) => {
      const serial = await serialOf(params.id);
      await requireAccess(environment, subject, accessKey("library", serial), "READ");
      const library = await readLibrary(environment, serial);
      await noteUse(environment, library);
      return settingsDocument(store.ids, library);
    },
  );
  route.put(
    settings,
    {
      summary: "Change how a library is kept, and bring it up to date",
      role: write,
      input: LibrarySettingsDocument,
      output: "none",
    },
    async (request) => {
      const serial = await serialOf(request.params.id);
      await putSettings(editing(request), serial, request.body);
      await refreshLibrary(environment, request.subject, () => request.change(), serial);
    },
  );

  const member = "/library/{id}/{itemId}" as const;
  route.put(member, { summary: "Put an item into a library", role: write, output: "none" }, async (request) =>
    addItems(editing(request), await serialOf(request.params.id), [request.params.itemId]),
  );
  route.delete(
    member,
    { summary: "Take an item out of a library, or remove an external identifier of it", role: write, output: "none" },
    async (request) => {
      const { itemId } = request.params;
      const serial = await serialOf(request.params.id);
      await requireAccess(environment, request.subject, accessKey("library", serial), "WRITE");
      if (await environment.removeIdentifier?.(() => request.change(), serial, itemId)) return;
      await removeItem(editing(request), serial, itemId);
    },
  );

  return route;
}

function idsOf(list: ItemList | undefined): readonly string[] {
  return (list?.item ?? []).map(({ id }) => {
    if (id !== undefined) return id;
    throw new KinoraError("invalid-input", { context: "item", explanation: "Each item is named by its id" });
  });
}

/** Identifiers of nothing are passed over; no library has the serial 0. */
function noSerial(error: unknown): number {
  if (error instanceof KinoraError && error.code === "not-found") return 0;
  throw error;
}

/** A deletion is done at once, also when it was asked for as a job. */
async function finishedJob({ store }: LibraryEnvironment, { subject }: SubjectRequest): Promise<Job> {
  const now = fromEpoch(store.now());
  return {
    jobId: await store.ids.next("job"),
    user: subject.userName,
    started: now,
    finished: now,
    status: "FINISHED",
    type: "DELETE_LIBRARY",
    priority: "MEDIUM",
  };
}
