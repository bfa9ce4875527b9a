import { KinoraError } from "../../errors.ts";
import { booleanParameter, oneOfParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { type ItemRelation, ItemRelationDocument, ItemRelationListDocument } from "../documents/relation-document.ts";
import { readRanks, requireEntity } from "../metadata/entity-access.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import {
  addRelation,
  endsOf,
  type Relation,
  type RelationPairs,
  readRelation,
  readRelations,
  relationDirections,
  relationDocument,
  removeRelations,
  updateRelation,
} from "./relations.ts";

/** Relations of one document. */
const mostInList = 1000;

/** Every parameter that has no meaning of its own is a pair of the relation. */
const ownParameters: ReadonlySet<string> = new Set(["direction", "allowDuplicate"]);

function pairsOf(request: Pick<AnyRouteRequest, "parameters">): RelationPairs {
  return request.parameters.filter(([name]) => !ownParameters.has(name));
}

function line({ id = "", direction, value = [] }: ItemRelation): string {
  const pairs = value.map((pair) => `${pair.key}=${pair.value ?? ""}`);
  return [id, direction?.type, direction?.source, direction?.target, ...pairs].join("\t");
}

/** Relations between items. */
export function relationRoutes({ environment }: { readonly environment: MetadataEnvironment }): RouteTable {
  const route = routes();
  const { store } = environment;
  const item = (request: { readonly subject: Subject }, id: string, needed: "READ" | "WRITE") =>
    requireEntity(environment, request.subject, "item", id, needed);

  /** Those of which the caller may read both ends. */
  async function readable(subject: Subject, relations: readonly Relation[]): Promise<readonly Relation[]> {
    const ends = new Set(relations.flatMap(({ source, target }) => [source, target]));
    const ranks = await readRanks(environment, subject, "item", [...ends]);
    return relations.filter(({ source, target }) => (ranks.get(source) ?? 0) >= 1 && (ranks.get(target) ?? 0) >= 1);
  }

  route.get(
    "/item/{id}/relation",
    {
      summary: "List the relations of an item",
      role: "_relation_read",
      query: { direction: oneOfParameter(["A", ...relationDirections], { default: "A" }) },
      output: ItemRelationListDocument,
      plain: ({ relation = [] }) => relation.map(line),
    },
    async (request) => {
      const serial = await item(request, request.params.id, "READ");
      const { direction } = request.query;
      const found = await readRelations(store, serial, direction === "A" ? undefined : direction);
      const wanted = pairsOf(request);
      const matching = found.filter(({ pairs }) =>
        wanted.every(([key, value]) => pairs.some((pair) => pair[0] === key && pair[1] === value)),
      );
      const shown = await readable(request.subject, matching);
      return { relation: shown.map((relation) => relationDocument(store, relation)) };
    },
  );

  route.delete(
    "/item/{id}/relation",
    {
      summary: "Delete the relations of an item",
      role: "_relation_write",
      query: { direction: oneOfParameter(["A", ...relationDirections], { default: "A" }) },
      output: "none",
    },
    async (request) => {
      const serial = await item(request, request.params.id, "WRITE");
      const { direction } = request.query;
      const found = await readRelations(store, serial, direction === "A" ? undefined : direction);
      const change = request.change();
      removeRelations(
        change,
        found.map(({ id }) => id),
      );
      await change.commit();
    },
  );

  route.post(
    "/item/{id}/relation/{other}",
    {
      summary: "Relate two items",
      role: "_relation_write",
      query: {
        direction: oneOfParameter(relationDirections, { required: true }),
        allowDuplicate: booleanParameter({ default: true }),
      },
      output: ItemRelationDocument,
    },
    async (request) => {
      const first = await item(request, request.params.id, "WRITE");
      const second = await item(request, request.params.other, "READ");
      const { direction, allowDuplicate } = request.query;
      const id = await store.ids.nextSerial("relation");
      const relation = { ...endsOf(first, second, direction), id, pairs: pairsOf(request) };
      const change = request.change();
      addRelation(store, change, relation, allowDuplicate);
      await change.commit();
      return relationDocument(store, relation);
    },
  );

  route.delete(
    "/item/{id}/relation/{other}",
    {
      summary: "Delete the relations between two items",
      role: "_relation_write",
      query: { direction: oneOfParameter(["A", ...relationDirections], { default: "A" }) },
      output: "none",
    },
    async (request) => {
      const first = await item(request, request.params.id, "WRITE");
      const second = await item(request, request.params.other, "READ");
      const { direction } = request.query;
      const found = await readRelations(store, first, direction === "A" ? undefined : direction);
      const between = found.filter(({ source, target }) => source === second || target === second);
      const change = request.change();
      removeRelations(
        change,
        between.map(({ id }) => id),
      );
      await change.commit();
    },
  );

  route.post(
    "/relation",
    {
      summary: "Make relations between items",
      role: "_relation_write",
      query: { allowDuplicate: booleanParameter({ default: true }) },
      input: ItemRelationListDocument,
      output: ItemRelationListDocument,
    },
    async (request) => {
      const wanted = request.body.relation ?? [];
      if (wanted.length > mostInList) {
        throw new KinoraError("invalid-input", {
          context: "relation",
          explanation: `At most ${mostInList} relations are made by one request`,
        });
      }
      const change = request.change();
      const made: Relation[] = [];
      for (const document of wanted) {
        const { direction, value = [] } = document;
        if (direction === undefined) {
          throw new KinoraError("invalid-input", { context: "relation", explanation: "A relation has no direction" });
        }
        const relation: Relation = {
          id: await store.ids.nextSerial("relation"),
          source: await item(request, direction.source, "WRITE"),
          target: await item(request, direction.target, "READ"),
          direction: direction.type,
          pairs: value.map((pair) => [pair.key, pair.value ?? ""]),
        };
        addRelation(store, change, relation, request.query.allowDuplicate);
        made.push(relation);
      }
      await change.commit();
      return { relation: made.map((relation) => relationDocument(store, relation)) };
    },
  );

  const one = "/relation/{relationId}" as const;
  /** A relation of which the caller may do with one end what is needed, and read the other. */
  async function requireRelation(subject: Subject, id: string, needed: 1 | 2): Promise<Relation> {
    const relation = await readRelation(store, id);
    const ranks = await readRanks(environment, subject, "item", [relation.source, relation.target]);
    const [source, target] = [ranks.get(relation.source) ?? 0, ranks.get(relation.target) ?? 0];
    if (Math.min(source, target) < 1) throw new KinoraError("not-found", { type: "relation", id });
    if (Math.max(source, target) >= needed) return relation;
    throw new KinoraError("forbidden", {
      context: "relation",
      id,
      explanation: "The caller may write neither of the related items",
    });
  }

  route.get(
    one,
    { summary: "Read a relation", role: "_relation_read", output: ItemRelationDocument, etag: true },
    async (request) => relationDocument(store, await requireRelation(request.subject, request.params.relationId, 1)),
  );

  route.put(
    one,
    {
      summary: "Change the direction or the pairs of a relation",
      role: "_relation_write",
      query: { direction: oneOfParameter(relationDirections) },
      output: ItemRelationDocument,
    },
    async (request) => {
      const before = await requireRelation(request.subject, request.params.relationId, 2);
      const { direction } = request.query;
      const ends = direction === undefined ? before : endsOf(before.source, before.target, direction);
      const pairs = pairsOf(request);
      const relation = { ...before, ...ends, id: before.id, pairs: pairs.length === 0 ? before.pairs : pairs };
      const change = request.change();
      updateRelation(change, relation);
      await change.commit();
      return relationDocument(store, relation);
    },
  );

  route.delete(one, { summary: "Delete a relation", role: "_relation_write", output: "none" }, async (request) => {
    const { id } = await requireRelation(request.subject, request.params.relationId, 2);
    const change = request.change();
    removeRelations(change, [id]);
    await change.commit();
  });
  return route;
}
