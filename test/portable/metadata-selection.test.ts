import { describe, expect, it } from "vitest";
import type { MetadataValues } from "../../src/assets/documents/metadata-document.ts";
import { indexDefinitions } from "../../src/assets/fields/definitions.ts";
import { inheritedParts } from "../../src/assets/metadata/inherited.ts";
import { emptyMetadata, type GroupEntry } from "../../src/assets/metadata/model.ts";
import { toTerse } from "../../src/assets/metadata/projection/terse.ts";
import { type MetadataSelectors, parseSelection } from "../../src/assets/metadata/selection/metadata-selection.ts";
import { rational } from "../../src/assets/metadata/time/rational.ts";
import { timeSpanKey } from "../../src/assets/metadata/time/time-span.ts";
import { KinoraError } from "../../src/errors.ts";
import { definitions, field, group, itemKey, project, put, texts, untimed, uuids } from "./metadata-scene.ts";

const document: MetadataValues = {
  group: ["Asset"],
  timespan: [
    {
      start: "-INF",
      end: "+INF",
      field: [
        {
          name: "title",
          value: [{ value: "Harbour" }, { value: "Hafen", lang: "de-AT" }, { value: "Port", lang: "fr_CA" }],
        },
        { name: "news_keyword", value: [{ value: "boats" }] },
        { name: "news_note", track: "A1", value: [{ value: "left" }] },
        { name: "news_note", track: "A3", value: [{ value: "right" }] },
        { name: "news_note", track: "V1", value: [{ value: "picture" }] },
      ],
    },
    {
      start: "250@PAL",
      end: "500@PAL",
      group: [
        {
          name: "news_shot",
          field: [{ name: "news_note", value: [{ value: "wide" }] }],
          group: [{ name: "news_person", field: [{ name: "title", value: [{ value: "Ada" }] }] }],
        },
      ],
    },
  ],
};
const metadata = put(emptyMetadata, document);
const transient = { __shape_size: ["2"], user: ["ada"] };

function select(selectors: MetadataSelectors): readonly string[] {
  return texts(project(metadata, { selection: parseSelection(selectors), transient }));
}

describe("selectors of metadata", () => {
  it("show everything by default, transient fields last", () => {
    expect(select({})).toEqual([
      "title=Harbour",
      "title:de-AT=Hafen",
      "title:fr_CA=Port",
      "news_keyword=boats",
      "news_note@A1=left",
      "news_note@A3=right",
      "news_note@V1=picture",
      "__shape_size=2",
      "user=ada",
      "250@PAL..500@PAL news_shot/news_note=wide",
      "250@PAL..500@PAL news_shot/news_person/title=Ada",
    ]);
  });

  const cases: readonly (readonly [MetadataSelectors, readonly string[]])[] = [
    [{ field: ["news_keyword"] }, ["news_keyword=boats"]],
    [{ field: ["news_keyword:tags", "__shape_size:shapes"] }, ["tags=boats", "shapes=2"]],
    [{ field: ["-title", "-news_note", "-user", "-__shape_size"] }, ["news_keyword=boats"]],
    [{ field: ["title"], language: ["none"] }, ["title=Harbour", "250@PAL..500@PAL news_shot/news_person/title=Ada"]],
    [{ field: ["title"], language: ["de*"] }, ["title:de-AT=Hafen"]],
    [{ field: ["title"], language: ["*_CA"] }, ["title:fr_CA=Port"]],
    [{ field: ["title"], language: ["FR-ca", "de-at"] }, ["title:de-AT=Hafen", "title:fr_CA=Port"]],
    [{ field: ["news_note"], track: ["A1"] }, ["news_note@A1=left"]],
    [{ field: ["news_note"], track: ["A2-4"] }, ["news_note@A3=right"]],
    [{ field: ["news_note"], track: ["A*"] }, ["news_note@A1=left", "news_note@A3=right"]],
    [{ field: ["news_note"], track: ["generic"] }, ["250@PAL..500@PAL news_shot/news_note=wide"]],
    [{ field: ["title"], interval: ["generic"], language: ["none"] }, ["title=Harbour"]],
    [{ group: ["news_shot"], interval: ["0-100"] }, ["250@PAL..500@PAL news_shot/news_note=wide"]],
    [{ group: ["news_shot"], interval: ["30-40"] }, []],
    [{ group: ["news_shot"], interval: ["-INF- INF"] }, ["250@PAL..500@PAL news_shot/news_note=wide"]],
    [
      { group: ["news_shot+"] },
      ["250@PAL..500@PAL news_shot/news_note=wide", "250@PAL..500@PAL news_shot/news_person/title=Ada"],
    ],
    [{ group: ["news_shot:shot"] }, ["250@PAL..500@PAL shot/news_note=wide"]],
    [{ group: ["-news_shot"], field: ["news_keyword", "news_note"], track: ["generic"] }, ["news_keyword=boats"]],
    [{ group: ["Asset"], language: ["none"] }, ["title=Harbour", "news_keyword=boats"]],
    [
      { field: ["title"], group: ["news_shot"], language: ["none"] },
      [
        "title=Harbour",
        "250@PAL..500@PAL news_shot/news_note=wide",
        "250@PAL..500@PAL news_shot/news_person/title=Ada",
      ],
    ],
    [{ field: ["user"], includeTransientMetadata: false }, []],
    [
      { field: ["news_note"], track: ["generic"], sampleRate: "NTSC30" },
      ["300@NTSC30..600@NTSC30 news_shot/news_note=wide"],
    ],
  ];
  it.each(cases)("%j", (selectors, expected) => {
    expect(select(selectors)).toEqual(expected);
  });

  it.each([
    [{ field: ["a:b:c"] }, "field"],
    [{ group: ["-a+"] }, "group"],
    [{ interval: ["1"] }, "interval"],
    [{ track: ["1A"] }, "track"],
    [{ sampleRate: "fast" }, "time-base"],
  ])("refuse %j", (selectors, context) => {
    const error = (() => {
      try {
        parseSelection(selectors);
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(KinoraError);
    expect((error as KinoraError).details.context).toBe(context);
  });

  it("give time codes relative to the start of the item", () => {
    const selection = parseSelection({ group: ["news_shot"], starttc: true });
    expect(texts(project(metadata, { selection, startSeconds: rational(5n) }))).toEqual([
      "5..15 news_shot/news_note=wide",
    ]);
  });

  it("show defaults of fields without value, and extra data of definitions", () => {
    const bare = put(emptyMetadata, untimed({ news_keyword: ["x"] }));
    const selection = parseSelection({ defaultValue: true, include: ["extradata"], field: ["title", "news_keyword"] });
    expect(texts(project(bare, { selection }))).toEqual(["news_keyword=x", "title=Untitled"]);
    const shown = project(metadata, {
      selection: parseSelection({ include: ["extradata"], field: ["title"] }),
      extraData: (name) => (name === "title" ? new Map([["extradata", "headline"]]) : undefined),
    });
    expect(shown.timespan?.[0]?.field?.[0]?.data).toEqual([{ key: "extradata", value: "headline" }]);
  });

  it("leave out what the caller may not read", () => {
    const mayRead = (kind: "field" | "group", name: string) =>
      !(kind === "group" ? name === "news_shot" : name === "title");
    expect(texts(project(metadata, { mayRead }))).toEqual([
      "news_keyword=boats",
      "news_note@A1=left",
      "news_note@A3=right",
      "news_note@V1=picture",
    ]);
  });

  it("give attributes of the write to every entry", () => {
    const title = project(metadata).timespan?.[0]?.field?.[0];
    const written = { user: "ada", timestamp: "2024-03-05T10:01:00.000Z", change: "VX-41" };
    expect(title).toMatchObject(written);
    expect(title?.value?.[0]).toMatchObject(written);
    expect(project(metadata).revision).toBe("VX-41");
  });
});

describe("the terse form", () => {
  it("lists values by field with their spans, groups flattened", () => {
    const terse = toTerse(project(metadata, { transient }));
    expect(Object.keys(terse)).toEqual(["title", "news_keyword", "news_note", "__shape_size", "user"]);
    expect(terse.news_note?.at(-1)).toMatchObject({ start: "250@PAL", end: "500@PAL", value: "wide" });
    expect(terse.__shape_size).toEqual([{ start: "-INF", end: "+INF", uuid: "", value: "2" }]);
    expect(terse.title?.[1]).toMatchObject({ lang: "de-AT", value: "Hafen" });
  });
});

describe("inheritance", () => {
  const inheriting = indexDefinitions({
    version: 1,
    fields: definitions.fields.map((one) =>
      one.name === "news_note" || one.name === "title" ? { ...one, inheritance: true } : one,
    ),
    groups: [...definitions.groups, group("news_credit", [], { inheritance: true })],
  });
  const collection = put(emptyMetadata, {
    timespan: [
      {
        field: [
          { name: "title", value: [{ value: "Rushes" }] },
          { name: "news_note", value: [{ value: "from above" }] },
          { name: "news_keyword", value: [{ value: "not inherited" }] },
        ],
        group: [{ name: "news_person", field: [{ name: "title", value: [{ value: "Bo" }] }] }],
      },
    ],
  });
  const further = put(emptyMetadata, untimed({ news_note: ["from further above"], title: ["Top"] }));
  const source = (origin: string, key: number, from: typeof collection) => ({ origin, entityKey: key, metadata: from });

  it("shows values of collections that the item has not itself, the nearest first", () => {
    const own = put(emptyMetadata, untimed({ title: ["Own"] }));
    const parts = inheritedParts(
      own,
      [source("Collection/VX-6", 50, collection), source("Collection/VX-1", 10, further)],
      inheriting,
    );
    const shown = project(own, { inherited: parts, definitions: inheriting });
    expect(texts(shown)).toEqual(["title=Own", "news_note=from above"]);
    const inherited = shown.timespan?.[0]?.field?.[1];
    expect(inherited?.inheritance).toBe("Collection/VX-6");
    expect(uuids.find(inherited?.value?.[0]?.uuid ?? "")?.entityKey).toBe(50);
  });

  it("takes each field from one collection only", () => {
    const parts = inheritedParts(emptyMetadata, [source("a", 50, collection), source("b", 10, further)], inheriting);
    expect(parts.map(({ origin }) => origin)).toEqual(["a"]);
  });

  it("of a field that comes back as it was shown makes no own value", () => {
    const own = put(emptyMetadata, untimed({ news_keyword: ["x"] }));
    const parts = inheritedParts(own, [source("Collection/VX-6", 50, collection)], inheriting);
    const shown = project(own, { inherited: parts, definitions: inheriting });
    const inherited = (key: string) =>
      parts.flatMap(({ timespans }) => timespans).find(({ span }) => timeSpanKey(span) === key) ?? {
        fields: [],
        groups: [],
      };
    expect(put(own, shown, { inherited })).toBe(own);
    const changed = {
      timespan: [{ field: [{ ...field("news_note"), inheritance: "Collection/VX-6", value: [{ value: "own" }] }] }],
    };
    expect(texts(project(put(own, changed as unknown as MetadataValues, { inherited })))).toEqual([
      "news_keyword=x",
      "news_note=own",
    ]);
  });
});

describe("references", () => {
  const target = put(emptyMetadata, {
    timespan: [{ group: [{ name: "news_person", field: [{ name: "title", value: [{ value: "Ada" }] }] }] }],
  });
  const person = target.timespans[0]?.groups[0] as GroupEntry;
  const uuid = uuids.of(11)(person.entry);

  it("show the content of what they lead to, and where it is", () => {
    const referring = put(emptyMetadata, { timespan: [{ group: [{ name: "news_person", reference: uuid }] }] });
    const references = () => ({ type: "global", id: "VX-1", uuid, entityKey: 11, entry: person });
    const shown = project(referring, { references }).timespan?.[0]?.group?.[0];
    expect(shown?.referenced).toEqual({ id: "VX-1", uuid, type: "global" });
    expect(shown?.field?.[0]?.value?.[0]?.value).toBe("Ada");
    expect(uuids.find(shown?.field?.[0]?.uuid ?? "")?.entityKey).toBe(11);
    expect(project(referring).timespan?.[0]?.group?.[0]).toMatchObject({ reference: uuid });
  });

  it("that lead in a circle end with a mark", () => {
    const loop = put(emptyMetadata, {
      timespan: [{ group: [{ name: "news_person", reference: uuids.of(itemKey)(1) }] }],
    });
    const entry = loop.timespans[0]?.groups[0] as GroupEntry;
    const references = (to: string) => ({ type: "item", id: "VX-12", uuid: to, entityKey: itemKey, entry });
    expect(project(loop, { references }).timespan?.[0]?.group?.[0]).toMatchObject({
      cycle: true,
      name: "news_person",
      reference: uuids.of(itemKey)(1),
    });
  });

  it("that lead on are followed to the content", () => {
    const middle = { ...person, fields: [], entry: 7, reference: uuid };
    const referring = put(emptyMetadata, {
      timespan: [{ group: [{ name: "news_person", reference: uuids.of(19)(7) }] }],
    });
    const references = (to: string) =>
      to === uuid
        ? { type: "global", id: "VX-1", uuid, entityKey: 11, entry: person }
        : { type: "document", id: "VX-2", uuid: to, entityKey: 19, entry: middle };
    const shown = project(referring, { references }).timespan?.[0]?.group?.[0];
    expect([shown?.referenced?.id, shown?.field?.[0]?.value?.[0]?.value]).toEqual(["VX-2", "Ada"]);
  });
});
