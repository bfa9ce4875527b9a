/** Definitions and short ways to write metadata for the tests of updates, history and selection. */
import type { MetadataValues } from "../../src/assets/documents/metadata-document.ts";
import { type Definitions, indexDefinitions } from "../../src/assets/fields/definitions.ts";
import { anyOccurrence, type FieldDefinition, type GroupDefinition } from "../../src/assets/fields/field-definition.ts";
import { entryUuids } from "../../src/assets/metadata/entry-uuid.ts";
import type { ChangeStamp, Metadata } from "../../src/assets/metadata/model.ts";
import { projectMetadata } from "../../src/assets/metadata/projection/project-metadata.ts";
import type { ProjectionContext } from "../../src/assets/metadata/projection/projection-context.ts";
import { everything } from "../../src/assets/metadata/selection/metadata-selection.ts";
import { applyUpdate } from "../../src/assets/metadata/update/apply-update.ts";
import type { UpdateContext } from "../../src/assets/metadata/update/update-context.ts";

export const uuids = entryUuids("00112233445566778899aabbccddeeff");
export const itemKey = 12 * 8 + 1;

export function field(name: string, more: Partial<FieldDefinition> = {}): FieldDefinition {
  return {
    id: 0,
    name,
    type: "string",
    index: "index",
    fullText: true,
    inheritance: false,
    system: false,
    ...more,
  };
}

export function group(
  name: string,
  fields: readonly string[] = [],
  more: Partial<GroupDefinition> = {},
): GroupDefinition {
  return {
    id: 0,
    name,
    inheritance: false,
    fields: fields.map((member) => ({ ...anyOccurrence, name: member })),
    groups: [],
    ...more,
  };
}

export const definitions: Definitions = indexDefinitions({
  version: 1,
  fields: [
    field("title", { defaultValue: "Untitled" }),
    field("news_keyword"),
    field("news_note"),
    field("news_count", { type: "integer" }),
    field("news_date", { type: "date" }),
    field("news_rating", { type: "integer", restriction: { kind: "integer", minimum: "1", maximum: "5" } }),
    field("itemId", { type: "string-exact", system: true }),
    field("mediaType", { type: "string-exact", system: true }),
  ],
  groups: [group("Asset", ["title", "news_keyword"]), group("news_shot", ["news_count"]), group("news_person")],
});

export function stamp(sequence: number, user = "ada"): ChangeStamp {
  return { id: 40 + sequence, user, time: Date.UTC(2024, 2, 5, 10, sequence), sequence, writtenOut: false };
}

/** Puts a document on metadata as its next change set. */
export function put(metadata: Metadata, document: MetadataValues, context: Partial<UpdateContext> = {}): Metadata {
  return applyUpdate(metadata, document, {
    stamp: stamp((metadata.last?.sequence ?? 0) + 1),
    field: definitions.field,
    group: definitions.group,
    entryOf: (uuid) => {
      const address = uuids.find(uuid);
      return address?.entityKey === itemKey ? address.entry : undefined;
    },
    mayWrite: () => true,
    ...context,
  });
}

/** A document of untimed fields: `{ title: ["x"] }`. */
export function untimed(fields: Readonly<Record<string, readonly string[]>>): MetadataValues {
  return {
    timespan: [
      {
        start: "-INF",
        end: "+INF",
        field: Object.entries(fields).map(([name, values]) => ({ name, value: values.map((value) => ({ value })) })),
      },
    ],
  };
}

export function project(metadata: Metadata, context: Partial<ProjectionContext> = {}): MetadataValues {
  return projectMetadata(metadata, {
    entityKey: itemKey,
    selection: everything,
    definitions,
    uuidsOf: uuids.of,
    changeId: (serial) => `VX-${serial}`,
    mayRead: () => true,
    ...context,
  });
}

/** The values of a metadata as short texts: `-INF|+INF title=x`, groups and languages in front. */
export function texts(document: MetadataValues): readonly string[] {
  return (document.timespan ?? []).flatMap((timespan) => {
    type Level = Pick<typeof timespan, "field" | "group">;
    const walk = (level: Level, path: string): string[] => [
      ...(level.field ?? []).flatMap((one) =>
        (one.value ?? []).map(
          ({ lang, value }) =>
            `${path}${one.name}${one.track === undefined ? "" : `@${one.track}`}${lang === undefined ? "" : `:${lang}`}=${value}`,
        ),
      ),
      ...(level.group ?? []).flatMap((one) => walk(one, `${path}${one.name}/`)),
    ];
    return walk(
      timespan,
      timespan.start === "-INF" && timespan.end === "+INF" ? "" : `${timespan.start}..${timespan.end} `,
    );
  });
}
