import { pageParameters } from "../../../http/page.ts";
import { booleanParameter, listParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import type { Subject } from "../../../plugin/contract.ts";
import type { MetadataGroupValue, MetadataValues } from "../../documents/metadata-document.ts";
import { type EntityKind, entityOf } from "../../entity.ts";
import { fullGroupDocument, readGroupParts } from "../../fields/group-documents.ts";
import { metadataDocuments } from "../../metadata/metadata-documents.ts";
import type { MetadataEnvironment } from "../../metadata/metadata-environment.ts";
import { readRows } from "../../metadata/metadata-row.ts";
import { everything } from "../../metadata/selection/metadata-selection.ts";
import { type MetadataFieldResult, MetadataFieldResultDocument } from "../documents/group-search-document.ts";
import { ItemSearchDocument } from "../documents/item-search-document.ts";
import type { FoundGroup } from "../find-groups.ts";
import type { Search } from "../search.ts";

export interface GroupSearchDeps {
  readonly search: Search;
  readonly environment: MetadataEnvironment;
}

type FoundInstance = NonNullable<MetadataFieldResult["group"]>[number];

/** An instance of a group in the document of its entity. */
interface ShownInstance {
  readonly group: MetadataGroupValue;
  readonly start: string;
  readonly end: string;
}

function collect(
  groups: readonly MetadataGroupValue[],
  span: Pick<ShownInstance, "start" | "end">,
  into: Map<string, ShownInstance>,
) {
  for (const group of groups) {
    if (group.uuid !== undefined) into.set(group.uuid, { ...span, group });
    collect(group.group ?? [], span, into);
  }
}

function instancesIn({ timespan = [] }: MetadataValues, into: Map<string, ShownInstance>): void {
  for (const { start = "-INF", end = "+INF", group = [] } of timespan) collect(group, { start, end }, into);
}

/** The instances by UUID, in the documents of the entities that they stand in, as the caller may see them. */
async function readInstances(
  environment: MetadataEnvironment,
  subject: Subject,
  found: readonly FoundGroup[],
): Promise<ReadonlyMap<string, ShownInstance>> {
  const byKind = new Map<EntityKind, Set<number>>();
  for (const { key } of found) {
    const entity = entityOf(key);
    if (entity === undefined) continue;
    byKind.set(entity.kind, (byKind.get(entity.kind) ?? new Set()).add(entity.serial));
  }
  const shown = new Map<string, ShownInstance>();
  for (const [kind, serials] of byKind) {
    const rows = await readRows(environment, subject, kind, [...serials]);
    const selection = { ...everything, transient: false };
    for (const { document } of await metadataDocuments(environment, subject, rows, selection)) {
      instancesIn(document, shown);
    }
  }
  return shown;
}

/** The search for instances of field groups. */
export function groupSearchRoutes({ search, environment }: GroupSearchDeps): RouteTable {
  const route = routes();
  route.put(
    "/metadata-field/field-group",
    {
      summary: "Search for instances of field groups",
      role: "_metadata_field_group_read",
      query: {
        ...pageParameters({ number: 100, maximum: 1000 }),
        group: listParameter(),
        data: listParameter(),
        includeValue: booleanParameter({ default: false }),
        includeDefinition: booleanParameter({ default: false }),
        includeSource: booleanParameter({ default: false }),
        traverse: booleanParameter({ default: false }),
      },
      input: ItemSearchDocument,
      inputOptional: true,
      anyRoot: true,
      output: MetadataFieldResultDocument,
    },
    async (request) => {
      const { subject, query } = request;
      const parts = await readGroupParts(environment, subject, { ...query, content: true });
      const { definitions, rights } = parts;
      const readable = (name: string) => definitions.group(name) !== undefined && rights.mayRead("group", name);
      const asked = query.group.length > 0 ? query.group : definitions.groups.map(({ name }) => name);
      const names = asked.filter(readable);
      const { first, number } = query;
      const { hits, found } = await search.groups({ subject, query: request.body ?? {}, names, first, number });
      const shown = await readInstances(environment, subject, found);
      const instances = found.flatMap(({ key, entry }): FoundInstance[] => {
        const uuid = environment.uuids.of(key)(entry);
        const instance = shown.get(uuid);
        const entity = entityOf(key);
        if (instance === undefined || entity === undefined) return [];
        const { group, start, end } = instance;
        const name = group.name ?? "";
        const definition = query.includeDefinition ? definitions.group(name) : undefined;
        const id = environment.ids.format(entity.serial);
        const path = entity.kind === "global" ? "/metadata" : `/${entity.kind}/${id}`;
        return [
          {
            name,
            uuid,
            start,
            end,
            ...(query.includeValue ? { value: group } : {}),
            ...(definition === undefined ? {} : { definition: fullGroupDocument(parts, definition) }),
            ...(query.includeSource ? { source: { id, type: entity.kind, loc: request.url(path) } } : {}),
          },
        ];
      });
      return { hits, group: instances };
    },
  );
  return route;
}
