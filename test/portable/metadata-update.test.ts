import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MetadataFieldValue, MetadataValues } from "../../src/assets/documents/metadata-document.ts";
import { decodeMetadata, encodeMetadata } from "../../src/assets/metadata/compact.ts";
import { emptyMetadata, type Metadata } from "../../src/assets/metadata/model.ts";
import { KinoraError } from "../../src/errors.ts";
import { definitions, itemKey, project, put, texts, untimed, uuids } from "./metadata-scene.ts";

function refused(action: () => unknown): KinoraError {
  try {
    action();
  } catch (error) {
    if (error instanceof KinoraError) return error;
    throw error;
  }
  throw new Error("It was accepted");
}

function shown(metadata: Metadata): readonly string[] {
  return texts(project(metadata));
}

function field(name: string, ...value: { value?: string; lang?: string; uuid?: string; mode?: "add" | "remove" }[]) {
  return { name, value };
}

function generic(...fields: MetadataFieldValue[]): MetadataValues {
  return { timespan: [{ start: "-INF", end: "+INF", field: fields }] };
}

const harbour = put(emptyMetadata, untimed({ title: ["Harbour"], news_keyword: ["boats", "dawn"] }));

describe("values", () => {
  it("without mode replace those of the same field", () => {
    expect(shown(put(harbour, untimed({ news_keyword: ["sea"] })))).toEqual(["title=Harbour", "news_keyword=sea"]);
  });

  it("replace only those of the same language", () => {
    const many = put(harbour, generic(field("title", { value: "Hafen", lang: "de" }, { value: "Port", lang: "fr" })));
    expect(shown(many)).toEqual([
      "title=Harbour",
      "title:de=Hafen",
      "title:fr=Port",
      "news_keyword=boats",
      "news_keyword=dawn",
    ]);
    const changed = put(many, generic(field("title", { value: "Der Hafen", lang: "de" })));
    expect(shown(changed).slice(0, 3)).toEqual(["title=Harbour", "title:de=Der Hafen", "title:fr=Port"]);
  });

  it("are added with mode add, on the value or on the field", () => {
    const added = put(harbour, generic(field("news_keyword", { value: "sea", mode: "add" })));
    expect(shown(added).slice(1)).toEqual(["news_keyword=boats", "news_keyword=dawn", "news_keyword=sea"]);
    const again = put(added, generic({ ...field("news_keyword", { value: "quay" }), mode: "add" }));
    expect(shown(again).at(-1)).toBe("news_keyword=quay");
  });

  it("go with mode remove, by uuid or by text", () => {
    const keyword = project(harbour).timespan?.[0]?.field?.[1];
    const uuid = keyword?.value?.[0]?.uuid as string;
    expect(shown(put(harbour, generic(field("news_keyword", { uuid, mode: "remove" })))).slice(1)).toEqual([
      "news_keyword=dawn",
    ]);
    expect(shown(put(harbour, generic(field("news_keyword", { value: "dawn", mode: "remove" })))).slice(1)).toEqual([
      "news_keyword=boats",
    ]);
  });

  it("of a removed uuid that is not there are 404", () => {
    const uuid = uuids.of(itemKey)(9999);
    const error = refused(() => put(harbour, generic(field("news_keyword", { uuid, mode: "remove" }))));
    expect([error.code, error.details]).toEqual(["not-found", { type: "metadata-entry", id: uuid }]);
  });

  it("change in place by uuid, and keep it", () => {
    const before = project(harbour).timespan?.[0]?.field?.[1]?.value ?? [];
    const changed = put(
      harbour,
      generic(field("news_keyword", { value: "ships", uuid: before[0]?.uuid as string }, { value: "dawn" })),
    );
    const after = project(changed).timespan?.[0]?.field?.[1]?.value ?? [];
    expect(after.map(({ value }) => value)).toEqual(["ships", "dawn"]);
    expect(after[0]?.uuid).toBe(before[0]?.uuid);
    expect(after[0]?.change).not.toBe(before[0]?.change);
    expect(after[1]).toEqual(before[1]);
  });

  it("that stay the same keep uuid, user and change, and a document that changes nothing changes nothing", () => {
    expect(put(harbour, untimed({ title: ["Harbour"], news_keyword: ["dawn", "boats"] }))).toBe(harbour);
    const returned = project(harbour);
    expect(put(harbour, returned)).toBe(harbour);
  });

  it("are normalised to the type of their field, and a blank one clears it", () => {
    const typed = put(harbour, untimed({ news_count: [" +007 "], news_date: ["2024-03-05"] }));
    expect(shown(typed).slice(3)).toEqual(["news_count=7", "news_date=2024-03-05T00:00:00.000Z"]);
    expect(shown(put(typed, untimed({ news_count: [" "] }))).slice(3)).toEqual(["news_date=2024-03-05T00:00:00.000Z"]);
  });
});

describe("fields", () => {
  it("go when the document has them empty, but for those of the system", () => {
    const system = put(harbour, untimed({ mediaType: ["video"] }), { system: true });
    const cleared = put(system, generic({ name: "title" }, { name: "mediaType" }, { name: "news_rating" }));
    expect(shown(cleared)).toEqual(["news_keyword=boats", "news_keyword=dawn", "mediaType=video"]);
  });

  it("given twice in one place are one field", () => {
    const twice = put(
      emptyMetadata,
      generic(field("news_keyword", { value: "a" }), field("news_keyword", { value: "b" })),
    );
    expect(shown(twice)).toEqual(["news_keyword=a", "news_keyword=b"]);
  });

  it("are apart on each track", () => {
    const tracks = put(harbour, generic({ ...field("title", { value: "Left" }), track: "A1" }));
    expect(shown(tracks)).toContain("title=Harbour");
    expect(shown(tracks)).toContain("title@A1=Left");
  });

  it("that only the server writes are passed over", () => {
    const returned = generic(
      field("__shape_size", { value: "3" }),
      field("itemId", { value: "VX-1" }),
      field("user", { value: "x" }),
    );
    expect(put(harbour, returned)).toBe(harbour);
  });

  it("may hold a reference instead of values", () => {
    const uuid = uuids.of(11)(1);
    const referring = put(harbour, generic({ name: "title", reference: uuid }));
    expect(project(referring).timespan?.[0]?.field?.[0]).toMatchObject({ name: "title", reference: uuid });
    expect(shown(put(referring, untimed({ title: ["Own"] })))[0]).toBe("title=Own");
  });
});

describe("groups", () => {
  it("given twice in one place are one instance, in the order of the document", () => {
    const shot = (value: string, mode?: "add" | "remove") => ({
      name: "news_shot",
      ...(mode === undefined ? {} : { mode }),
      field: [field("news_count", { value })],
    });
    const made = put(emptyMetadata, { timespan: [{ group: [shot("1"), shot("2")] }] });
    expect(shown(made)).toEqual(["news_shot/news_count=1", "news_shot/news_count=2"]);
    const again = put(made, {
      timespan: [{ group: [shot("3"), shot("", "remove"), shot("4", "add"), shot("5", "add")] }],
    });
    expect(shown(again)).toEqual(["news_shot/news_count=4", "news_shot/news_count=5"]);
    const several = { timespan: [{ group: [shot("6", "add"), shot("7")] }] };
    expect(refused(() => put(made, several)).message).toContain("several groups news_shot");
  });

  const shot = (note: string, more: object = {}): MetadataValues => ({
    timespan: [
      {
        start: "250@PAL",
        end: "500@PAL",
        group: [{ name: "news_shot", field: [field("news_note", { value: note })], ...more }],
      },
    ],
  });

  it("without mode change the only one of the name, or make it", () => {
    const one = put(emptyMetadata, shot("wide"));
    expect(shown(put(one, shot("close")))).toEqual(["250@PAL..500@PAL news_shot/news_note=close"]);
  });

  it("of the same span are found however the span is written", () => {
    const one = put(emptyMetadata, shot("wide"));
    const seconds = { timespan: [{ start: "10", end: "20.0", group: shot("close").timespan?.[0]?.group }] };
    expect(shown(put(one, seconds))).toEqual(["250@PAL..500@PAL news_shot/news_note=close"]);
  });

  it("with mode add are further instances, which then need a uuid", () => {
    const two = put(put(emptyMetadata, shot("wide")), shot("close", { mode: "add" }));
    expect(shown(two)).toEqual([
      "250@PAL..500@PAL news_shot/news_note=wide",
      "250@PAL..500@PAL news_shot/news_note=close",
    ]);
    expect(refused(() => put(two, shot("which"))).message).toMatch(/several groups news_shot/);
    const uuid = project(two).timespan?.[0]?.group?.[1]?.uuid as string;
    expect(shown(put(two, shot("near", { uuid })))).toContain("250@PAL..500@PAL news_shot/news_note=near");
    expect(shown(put(two, shot("", { uuid, mode: "remove" })))).toEqual(["250@PAL..500@PAL news_shot/news_note=wide"]);
  });

  it("nest, at most 64 deep", () => {
    const nested = (depth: number): object =>
      depth === 0
        ? { name: "news_person", field: [field("title", { value: "deep" })] }
        : { name: "news_person", group: [nested(depth - 1)] };
    const document = (depth: number): MetadataValues => ({ timespan: [{ group: [nested(depth)] }] });
    expect(shown(put(emptyMetadata, document(2)))).toEqual(["news_person/news_person/news_person/title=deep"]);
    expect(shown(put(emptyMetadata, document(63)))).toHaveLength(1);
    expect(refused(() => put(emptyMetadata, document(64))).message).toBe("Groups are nested more than 64 deep");
  });

  it("of the entity itself are named at the top", () => {
    const asset = put(harbour, { group: ["Asset"] });
    expect(project(asset).group).toEqual(["Asset"]);
    expect(put(asset, { group: ["Asset"] })).toBe(asset);
    expect(refused(() => put(harbour, { group: ["Nothing"] })).details).toEqual({ type: "field-group", id: "Nothing" });
  });
});

describe("timespans", () => {
  it("go when the document has them empty", () => {
    const timed = put(harbour, {
      timespan: [{ start: "0", end: "10", field: [field("title", { value: "Opening" })] }],
    });
    expect(shown(timed)).toContain("0..10 title=Opening");
    expect(shown(put(timed, { timespan: [{ start: "0@PAL", end: "250@PAL" }] }))).toEqual(shown(harbour));
    expect(put(harbour, { timespan: [{ start: "5", end: "6" }] })).toBe(harbour);
  });

  it("given twice are one, however their ends are written; an empty one forgets those before it", () => {
    const timed = (start: string, ...value: { value: string }[]) => ({
      start,
      end: "10",
      field: [field("title", ...value)],
    });
    const twice = put(emptyMetadata, { timespan: [timed("4", { value: "a" }), timed("100@PAL", { value: "b" })] });
    expect(shown(twice)).toEqual(["4..10 title=a", "4..10 title=b"]);
    const emptied = [timed("4", { value: "c" }), { start: "100@PAL", end: "10" }, timed("4", { value: "d" })];
    expect(shown(put(twice, { timespan: emptied }))).toEqual(["4..10 title=d"]);
  });

  it("keep the system's fields and what the caller may not write", () => {
    const system = put(harbour, untimed({ mediaType: ["video"] }), { system: true });
    const mayWrite = (_: string, name: string) => name !== "title";
    const emptied = put(system, { timespan: [{}] }, { mayWrite, skipForbidden: true });
    expect(shown(emptied)).toEqual(["title=Harbour", "mediaType=video"]);
    expect(refused(() => put(system, { timespan: [{}] }, { mayWrite })).code).toBe("forbidden");
  });

  it.each([
    ["12:00", "+INF"],
    ["10", "5"],
    ["0@SECAM", "1"],
  ])("from %s to %s are refused", (start, end) => {
    const document = { timespan: [{ start, end, field: [field("title", { value: "x" })] }] };
    expect(refused(() => put(harbour, document)).code).toBe("invalid-value");
  });
});

describe("refusals", () => {
  it("name an unknown field, and nothing is written", () => {
    const error = refused(() => put(harbour, untimed({ title: ["New"], news_unknown: ["x"] })));
    expect([error.status, error.details]).toEqual([404, { type: "metadata-field", id: "news_unknown" }]);
  });

  it.each([
    ["news_rating", "6", 'The value "6" of the field news_rating must be at most 5'],
    ["news_rating", "0", 'The value "0" of the field news_rating must be at least 1'],
    ["news_rating", "five", 'The value "five" of the field news_rating must be a whole number of at most 32 bits'],
    [
      "news_count",
      "2147483648",
      'The value "2147483648" of the field news_count must be a whole number of at most 32 bits',
    ],
    [
      "news_date",
      "2024-02-30",
      'The value "2024-02-30" of the field news_date must be a date-time like 2024-03-05T10:11:12.345Z',
    ],
  ])("name field and rule: %s %s", (name, value, sentence) => {
    const error = refused(() => put(harbour, untimed({ [name]: [value] })));
    expect([error.status, error.details.id, error.message]).toEqual([400, name, sentence]);
  });

  it("name a field that the caller may not write, or leave it out", () => {
    const mayWrite = (_: string, name: string) => name !== "title";
    const document = untimed({ title: ["No"], news_keyword: ["yes"] });
    expect(refused(() => put(harbour, document, { mayWrite })).details.id).toBe("title");
    expect(shown(put(harbour, document, { mayWrite, skipForbidden: true }))).toEqual([
      "title=Harbour",
      "news_keyword=yes",
    ]);
  });

  it.each([["e n"], ["1"], ["en--us"], ["x".repeat(9)]])("name the language %j", (lang) => {
    expect(refused(() => put(harbour, generic(field("title", { value: "x", lang })))).message).toMatch(/language tag/);
  });
});

const names = ["title", "news_keyword", "news_note"] as const;
const fieldsOf = fc.dictionary(
  fc.constantFrom(...names),
  fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 3 }),
);

describe("always", () => {
  it("what is put is read, and stored text reads as what was stored", () => {
    fc.assert(
      fc.property(fc.array(fieldsOf, { maxLength: 6 }), (writes) => {
        let metadata = emptyMetadata;
        const model = new Map<string, readonly string[]>();
        for (const write of writes) {
          metadata = put(metadata, untimed(write));
          // A timespan without fields takes the timespan away.
          if (Object.keys(write).length === 0) model.clear();
          for (const [name, values] of Object.entries(write)) model.set(name, values);
          const stored = decodeMetadata(encodeMetadata(metadata));
          expect(stored).toEqual(metadata);
          metadata = stored;
        }
        const read = new Map(
          (project(metadata).timespan?.[0]?.field ?? []).map((one) => [
            one.name,
            one.value?.map(({ value }) => value).sort(),
          ]),
        );
        expect(read).toEqual(new Map([...model].map(([name, values]) => [name, [...values].sort()])));
      }),
    );
  });

  it("the work of an update grows with its size, not faster", () => {
    const work = (size: number): number => {
      let calls = 0;
      const counted = <A extends unknown[], R>(inner: (...args: A) => R) => {
        return (...args: A): R => {
          calls++;
          return inner(...args);
        };
      };
      const context = {
        field: counted((name: string) => definitions.field(name.replace(/_n\d+$/, "_note"))),
        mayWrite: counted(() => true),
        entryOf: counted(() => undefined),
      };
      const fields = Array.from({ length: size }, (_, index) => field(`news_n${index}`, { value: "x", uuid: "none" }));
      const languages = Array.from({ length: size }, (_, index) => ({ value: "y", lang: `l-${index}`, uuid: "none" }));
      const groups = Array.from({ length: size }, () => ({
        name: "news_shot",
        mode: "add" as const,
        field: [field("news_note", { value: "z" })],
      }));
      const first = put(
        emptyMetadata,
        { timespan: [{ field: [...fields, field("title", ...languages)], group: groups }] },
        context,
      );
      const second = put(first, { timespan: [{ field: [field("title", ...languages), ...fields] }] }, context);
      expect(second).toBe(first);
      return calls;
    };
    const [small, large] = [work(100), work(1000)];
    expect(large).toBeLessThanOrEqual(10 * small);
    expect(work(10_000)).toBeLessThanOrEqual(100 * small);
  });

  // An update that looked at what is there anew for each of these elements would run for many minutes.
  it.each<readonly [string, (index: number) => MetadataValues["timespan"]]>([
    ["timespans", (index) => [{ field: [{ ...field("title", { value: "x" }), track: `V${index + 1}` }] }]],
    ["fields", (index) => [{ field: [field("title", { value: `${index}`, mode: "add" })] }]],
    [
      "groups",
      (index) => [
        { group: [{ name: "news_shot", field: [{ ...field("title", { value: "x" }), track: `V${index + 1}` }] }] },
      ],
    ],
  ])("30,000 elements for the same place are put together once: %s", (_, part) => {
    const timespan = Array.from({ length: 30_000 }, (_, index) => part(index) ?? []).flat();
    expect(shown(put(emptyMetadata, { timespan }))).toHaveLength(30_000);
    const merged = {
      field: timespan.flatMap((one) => one.field ?? []),
      group: timespan.flatMap((one) => one.group ?? []),
    };
    expect(shown(put(emptyMetadata, { timespan: [merged] }))).toHaveLength(30_000);
  });

  it("two updates of different fields commute", () => {
    fc.assert(
      fc.property(fieldsOf, fieldsOf, fieldsOf, (base, one, other) => {
        const only = (write: typeof one, name: string) =>
          untimed(name in write ? { [name]: write[name] as string[] } : {});
        const start = put(emptyMetadata, untimed(base));
        const a = only(one, "title");
        const b = only(other, "news_note");
        const sorted = (metadata: Metadata) => [...shown(metadata)].sort();
        if (a.timespan?.[0]?.field?.length === 0 || b.timespan?.[0]?.field?.length === 0) return;
        expect(sorted(put(put(start, a), b))).toEqual(sorted(put(put(start, b), a)));
      }),
    );
  });

  it("uuids of entries are different, and lead back", () => {
    const seen = new Set<string>();
    for (const key of [9, 17, 8 * 2 ** 33 + 1]) {
      for (const entry of [1, 2, 255, 4_000_000_000]) {
        const uuid = uuids.of(key)(entry);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(uuids.find(uuid)).toEqual({ entityKey: key, entry });
        seen.add(uuid);
      }
    }
    expect(seen.size).toBe(12);
    expect(uuids.find("00000000-0000-8000-8000-000000000000")).toBeUndefined();
    expect(uuids.find("nonsense")).toBeUndefined();
  });
});
