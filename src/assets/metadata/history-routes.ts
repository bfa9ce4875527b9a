import { KinoraError } from "../../errors.ts";
import { booleanParameter, intParameter, listParameter } from "../../http/parameters.ts";
import type { RouteTable } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import {
  MetadataChangeSetDocument,
  type MetadataChangeSets,
  MetadataDocument,
} from "../documents/metadata-document.ts";
import type { EntityKind } from "../entity.ts";
import type { ChangeSet } from "./change-set.ts";
import { deleteChangeSet, replaceChangeSet, requireChangeSet, trimHistory } from "./edit-history.ts";
import { replay } from "./history.ts";
import { readChangeSets } from "./history-store.ts";
import { metadataDocuments, rightsFor } from "./metadata-documents.ts";
import { editedDocument } from "./metadata-routes.ts";
import { editorOf, type MetadataRoutesDeps } from "./metadata-routes-deps.ts";
import type { MetadataRow } from "./metadata-row.ts";
import { compareMetadata } from "./projection/compare.ts";
import { projectChangeSet } from "./projection/project-change-set.ts";
import { putMetadata } from "./put-metadata.ts";
import { readRow, resolveEntity } from "./read-metadata.ts";
import { selectionOf, selectionParameters } from "./selection/selection-parameters.ts";

/** Change sets that one request puts. */
const mostPut = 1000;

/** Change sets of one page that can be asked for. */
const mostListed = 10_000;

async function documentsOf(
  { environment }: MetadataRoutesDeps,
  subject: Subject,
  row: MetadataRow,
  changeSets: readonly ChangeSet[],
): Promise<MetadataChangeSets> {
  const definitions = await environment.definitions.current();
  const rights = await rightsFor(environment, definitions, subject);
  const { format } = environment.ids;
  const projection = {
    uuid: environment.uuids.of(row.key),
    changeId: format,
    mayRead: (kind: "field" | "group", name: string) =>
      (kind === "field" ? definitions.field(name) : definitions.group(name)) !== undefined &&
      rights.mayRead(kind, name),
  };
  return {
    changeSet: changeSets.map((changeSet) => ({
      id: format(changeSet.stamp.id),
      metadata: projectChangeSet(changeSet, projection),
    })),
  };
}

/** A page of the change sets of an entity, or those that are named. @throws KinoraError `not-found` */
export async function listChangeSets(
  deps: MetadataRoutesDeps,
  subject: Subject,
  row: MetadataRow,
  page: { readonly change: readonly string[]; readonly first: number; readonly number: number },
): Promise<MetadataChangeSets> {
  const all = await readChangeSets(deps.environment.store, row);
  const named = page.change.map((id) => requireChangeSet(deps.environment, all, id));
  const wanted = named.length === 0 ? all : all.filter((one) => named.includes(one));
  const from = Math.max(0, page.first - 1);
  return documentsOf(deps, subject, row, wanted.slice(from, page.number === 0 ? undefined : from + page.number));
}

/** The history of an entity's metadata: change sets, their comparison, edits of them. */
export function addHistoryRoutes(route: RouteTable, deps: MetadataRoutesDeps, kind: EntityKind, entity: string): void {
  const { environment, edit } = deps;
  const { store } = environment;
  const root = `/${kind}/{id}/metadata/changes` as const;
  const one = `${root}/{changeSet}` as const;
  const idOf = (request: { readonly params: unknown }) => (request.params as { readonly id: string }).id;
  const changeSetOf = (request: { readonly params: unknown }) =>
    (request.params as { readonly changeSet: string }).changeSet;
  const entityOf = async (request: { readonly params: unknown }) => ({
    kind,
    serial: await resolveEntity(environment, kind, idOf(request)),
  });
  const rowOf = async (request: { readonly params: unknown }, subject: Subject) =>
    readRow(environment, subject, kind, (await entityOf(request)).serial);

  const listed = async (request: { readonly params: unknown }, subject: Subject, wanted: readonly string[] = []) => {
    const row = await rowOf(request, subject);
    const changeSets = await readChangeSets(store, row);
    const named = wanted.map((id) => requireChangeSet(environment, changeSets, id));
    return { row, changeSets: named.length === 0 ? changeSets : changeSets.filter((one) => named.includes(one)) };
  };

  route.get(
    root,
    {
      summary: `List the change sets of ${entity}'s metadata`,
      role: "_metadata_read",
      query: {
        change: listParameter(),
        first: intParameter({ default: 1, minimum: 0 }),
        number: intParameter({ default: 0, minimum: 0, maximum: mostListed }),
      },
      output: MetadataChangeSetDocument,
    },
    async (request) => listChangeSets(deps, request.subject, await rowOf(request, request.subject), request.query),
  );

  route.put(
    root,
    {
      summary: `Put change sets on ${entity}'s metadata: new ones, or in the place of those that they name`,
      role: "_metadata_write",
      input: MetadataChangeSetDocument,
      output: MetadataChangeSetDocument,
    },
    async (request) => {
      const target = await entityOf(request);
      const touched: string[] = [];
      const { changeSet: given = [] } = request.body;
      if (given.length > mostPut) {
        throw new KinoraError("invalid-input", {
          context: "change-set",
          explanation: `At most ${mostPut} change sets are put by one request`,
        });
      }
      const named = given.flatMap(({ id }) => (id === undefined || id === "" ? [] : [id]));
      // Each set is a write of its own: one that is not there is told before any of them.
      if (named.length > 0) await listed(request, request.subject, named);
      for (const { id, metadata = {} } of given) {
        if (id === undefined || id === "") {
          const { stamp } = await putMetadata(environment, edit, editorOf(request), target, metadata);
          touched.push(environment.ids.format(stamp.id));
        } else {
          await replaceChangeSet(environment, edit, editorOf(request), target, id, metadata);
          touched.push(id);
        }
      }
      const { row, changeSets } = await listed(request, request.subject);
      const shown = changeSets.filter(({ stamp }) => touched.includes(environment.ids.format(stamp.id)));
      return documentsOf(deps, request.subject, row, shown);
    },
  );

  route.put(
    `${root}/trim`,
    {
      summary: `Take out of the history of ${entity}'s metadata what is no longer current`,
      role: "_metadata_write",
      output: MetadataChangeSetDocument,
    },
    async (request) => {
      await trimHistory(environment, edit, editorOf(request), await entityOf(request));
      const { row, changeSets } = await listed(request, request.subject);
      return documentsOf(deps, request.subject, row, changeSets);
    },
  );

  route.get(
    one,
    { summary: `Read a change set of ${entity}'s metadata`, role: "_metadata_read", output: MetadataChangeSetDocument },
    async (request) => {
      const { row, changeSets } = await listed(request, request.subject, [changeSetOf(request)]);
      return documentsOf(deps, request.subject, row, changeSets);
    },
  );

  route.put(
    one,
    {
      summary: `Put a document in the place of a change set of ${entity}'s metadata`,
      role: "_metadata_write",
      input: MetadataDocument,
      output: MetadataDocument,
    },
    async (request) => {
      const target = await entityOf(request);
      const id = changeSetOf(request);
      const edited = await replaceChangeSet(environment, edit, editorOf(request), target, id, request.body);
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.delete(
    one,
    { summary: `Undo a change set of ${entity}'s metadata`, role: "_metadata_write", output: MetadataDocument },
    async (request) => {
      const target = await entityOf(request);
      const edited = await deleteChangeSet(environment, edit, editorOf(request), target, changeSetOf(request));
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.put(
    `${one}/trim`,
    {
      summary: `Take out of a change set of ${entity}'s metadata what is no longer current`,
      role: "_metadata_write",
      output: MetadataChangeSetDocument,
    },
    async (request) => {
      const id = changeSetOf(request);
      await trimHistory(environment, edit, editorOf(request), await entityOf(request), id);
      const { row, changeSets } = await listed(request, request.subject);
      const left = changeSets.filter(({ stamp }) => environment.ids.format(stamp.id) === id);
      return documentsOf(deps, request.subject, row, left);
    },
  );

  route.get(
    `${one}/compareTo/{from}`,
    {
      summary: `Compare ${entity}'s metadata behind two change sets; previous stands for the one before`,
      role: "_metadata_read",
      query: { ...selectionParameters, valuesByUuid: booleanParameter({ default: false }) },
      output: MetadataDocument,
    },
    async (request) => {
      const { subject, query } = request;
      const { from } = request.params as { readonly from: string };
      const row = await rowOf(request, subject);
      const changeSets = await readChangeSets(store, row);
      const to = requireChangeSet(environment, changeSets, changeSetOf(request)).stamp.sequence;
      const base = from === "previous" ? to - 1 : requireChangeSet(environment, changeSets, from).stamp.sequence;
      const stateAt = (sequence: number): MetadataRow => {
        const until = changeSets.filter(({ stamp }) => stamp.sequence <= sequence);
        return { ...row, metadata: replay(until, row.metadata.nextEntry), transient: {} };
      };
      const selection = { ...selectionOf(query), transient: false, inherited: false };
      const [before, after] = await metadataDocuments(environment, subject, [stateAt(base), stateAt(to)], selection);
      if (before === undefined || after === undefined) throw new KinoraError("not-found");
      return compareMetadata(before.document, after.document, query.valuesByUuid);
    },
  );
}
