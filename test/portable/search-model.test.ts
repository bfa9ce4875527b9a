import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  ItemSearch,
  SearchGroup,
  SearchOperator,
} from "../../src/assets/search/documents/item-search-document.ts";
import { runsHere } from "./runs-here.ts";
import { type ModelEntity, modelFacet, modelMatches, modelSortValue } from "./search-model.ts";
import { administrator, makeSearchWorld, type SearchWorld, subject, type WorldValue } from "./search-world.ts";

const vocabulary = ["dawn", "Harbour", "boat", "sea", "Boats", "salt"] as const;
const word = fc.constantFrom(...vocabulary);
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const day = fc.constantFrom(
  "1999-12-31T23:59:59.999Z",
  "2024-01-01T00:00:00.000Z",
  "2024-01-31T12:00:00.000Z",
  "2024-02-01T00:00:00.000Z",
  "2025-06-15T10:20:30.400Z",
);
const wholeNumber = fc.constantFrom("-100", "-25", "-3", "0", "3", "7", "10", "99", "100", "101", "1920");
const decimal = fc.constantFrom("-1.5", "-0.25", "0", "0.001", "0.1", "1.5", "2", "12.25", "1e+21");
const timeCode = fc.constantFrom("0", "12", "300@PAL", "301@PAL", "12.5");

const oneValue: fc.Arbitrary<WorldValue> = fc.oneof(
  phrase.map((text) => ({ field: "title", text })),
  phrase.map((text) => ({ field: "remark", text })),
  phrase.map((text) => ({ field: "note", text })),
  word.map((text) => ({ field: "keyword", text })),
  phrase.map((text) => ({ field: "code", text })),
  wholeNumber.map((text) => ({ field: "count", text })),
  wholeNumber.map((text) => ({ field: "size", text })),
  decimal.map((text) => ({ field: "ratio", text })),
  day.map((text) => ({ field: "day", text })),
  fc.boolean().map((ok) => ({ field: "ok", text: String(ok) })),
  timeCode.map((text) => ({ field: "tc", text })),
);

const place = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ span: ["0", "10"] as const }) },
  { weight: 1, arbitrary: fc.constant({ span: ["250@PAL", "20"] as const }) },
  { weight: 1, arbitrary: fc.constant({ groups: [["shot", 1001]] as const }) },
  { weight: 1, arbitrary: fc.constant({ groups: [["shot", 1002]] as const }) },
  {
    weight: 1,
    arbitrary: fc.constant({
      groups: [
        ["shot", 1001],
        ["take", 1003],
      ] as const,
    }),
  },
);
const values = fc.array(
  fc.tuple(oneValue, place).map(([value, where]) => ({ ...value, ...where })),
  { maxLength: 9 },
);

const kind = fc.constantFrom("item", "item", "collection");
const serial = fc.integer({ min: 1, max: 8 });
type Step =
  | {
      readonly do: "put";
      readonly kind: "item" | "collection";
      readonly serial: number;
      readonly values: readonly WorldValue[];
    }
  | { readonly do: "remove"; readonly kind: "item" | "collection"; readonly serial: number }
  | { readonly do: "access"; readonly kind: "item" | "collection"; readonly serial: number; readonly set: number }
  | {
      readonly do: "transient";
      readonly kind: "item" | "collection";
      readonly serial: number;
      readonly field: string;
      readonly values: readonly string[];
    };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("put" as const), kind, serial, values }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), kind, serial }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("access" as const), kind, serial, set: fc.integer({ min: 0, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("transient" as const),
      kind,
      serial,
      field: fc.constantFrom("__collection", "__shape_size"),
      values: fc.uniqueArray(fc.constantFrom("1", "2", "30"), { maxLength: 2 }),
    }),
  },
);

const rangeOf = (name: string, bound: fc.Arbitrary<string>) =>
  fc.record({
    name: fc.constant(name),
    range: fc
      .tuple(fc.oneof(bound, fc.constant("*")), fc.oneof(bound, fc.constant("*")), fc.boolean(), fc.boolean())
      .map(([low, high, exclusiveMinimum, exclusiveMaximum]) => [
        { value: [{ value: low }, { value: high }], exclusiveMinimum, exclusiveMaximum },
      ]),
  });
const valuesOf = (name: string, value: fc.Arbitrary<string>) =>
  fc.record({
    name: fc.constant(name),
    value: fc.array(
      value.map((text) => ({ value: text })),
      { maxLength: 2 },
    ),
  });
const wordTerm = fc.oneof(
  word,
  phrase.map((text) => `"${text}"`),
  word.map((text) => `${text.slice(0, 3)}*`),
  phrase,
);
const fieldCriterion = fc.oneof(
  valuesOf("title", wordTerm),
  valuesOf("remark", wordTerm),
  valuesOf("note", wordTerm),
  valuesOf(
    "keyword",
    fc.oneof(
      word,
      word.map((text) => `${text.slice(0, 2)}*`),
    ),
  ),
  valuesOf("code", phrase),
  rangeOf("code", phrase),
  valuesOf("count", wholeNumber),
  rangeOf("count", wholeNumber),
  rangeOf("size", wholeNumber),
  rangeOf("ratio", decimal),
  rangeOf("day", day),
  valuesOf(
    "day",
    fc.oneof(
      day,
      day.map((text) => text.slice(0, 10)),
    ),
  ),
  valuesOf("ok", fc.constantFrom("true", "false")),
  rangeOf("tc", timeCode),
);
const transientCriterion = fc.oneof(
  valuesOf("__collection", fc.constantFrom("1", "2", "30")),
  rangeOf("__shape_size", fc.constantFrom("1", "2", "30")),
);

const { group, operator } = fc.letrec<{ readonly group: SearchGroup; readonly operator: SearchOperator }>((tie) => ({
  group: fc.record(
    {
      name: fc.constantFrom("shot", "take"),
      field: fc.array(fieldCriterion, { maxLength: 2 }),
      group: fc.array(tie("group"), { maxLength: 1, depthIdentifier: "group" }),
    },
    { requiredKeys: ["name"] },
  ),
  operator: fc.record(
    {
      operation: fc.constantFrom("AND", "OR", "NOT"),
      text: fc.array(
        wordTerm.map((value) => ({ value })),
        { maxLength: 2 },
      ),
      field: fc.array(
        fc.oneof({ weight: 4, arbitrary: fieldCriterion }, { weight: 1, arbitrary: transientCriterion }),
        {
          maxLength: 2,
        },
      ),
      group: fc.array(tie("group"), { maxLength: 1, depthIdentifier: "operator" }),
      operator: fc.array(tie("operator"), { maxLength: 2, depthIdentifier: "operator" }),
    },
    { requiredKeys: ["operation"] },
  ),
}));

const query: fc.Arbitrary<ItemSearch> = fc.record(
  {
    text: fc.array(
      wordTerm.map((value) => ({ value })),
      { maxLength: 1 },
    ),
    field: fc.array(fc.oneof({ weight: 4, arbitrary: fieldCriterion }, { weight: 1, arbitrary: transientCriterion }), {
      maxLength: 2,
    }),
    group: fc.array(group, { maxLength: 1 }),
    operator,
    filter: fc.array(
      operator.map((one) => ({ ...one, name: "f" })),
      { maxLength: 1 },
    ),
    intervals: fc.constantFrom("all", "generic", "timed"),
  },
  { requiredKeys: [] },
);

const sort = fc.record({
  field: fc.constantFrom("title", "keyword", "code", "count", "size", "ratio", "day", "tc", "__shape_size"),
  order: fc.constantFrom("ascending", "descending"),
});
const facetFields = ["keyword", "code", "count", "ok", "day", "__collection"] as const;

type Model = Map<string, ModelEntity>;

async function apply(world: SearchWorld, model: Model, one: Step): Promise<void> {
  const key = `${one.kind} ${one.serial}`;
  const known = model.get(key);
  if (one.do === "put") {
    await world.put(one.kind, one.serial, one.values);
    model.set(key, {
      kind: one.kind,
      serial: one.serial,
      access: known?.access ?? 0,
      transient: known?.transient ?? {},
      values: one.values,
    });
  } else if (known !== undefined) {
    if (one.do === "remove") {
      await world.remove(one.kind, [one.serial]);
      model.delete(key);
    } else if (one.do === "access") {
      await world.access(one.kind, one.serial, one.set);
      known.access = one.set;
    } else {
      await world.transient(one.kind, [one.serial], one.field, one.values);
      known.transient = { ...known.transient, [one.field]: one.values };
    }
  }
}

const newestFirst = (a: ModelEntity, b: ModelEntity) => b.serial - a.serial || (a.kind < b.kind ? -1 : 1);
const label = ({ kind: k, serial: s }: ModelEntity) => `${k} ${s}`;

function sorted(entities: readonly ModelEntity[], field: string, descending: boolean): readonly string[] {
  const direction = descending ? -1 : 1;
  const oldestFirst = (a: ModelEntity, b: ModelEntity) => -newestFirst(a, b);
  return [...entities]
    .sort((a, b) => {
      const [x, y] = [modelSortValue(a, field, descending), modelSortValue(b, field, descending)];
      if (x === undefined || y === undefined) {
        return x === y ? direction * oldestFirst(a, b) : x === undefined ? 1 : -1;
      }
      return direction * (x < y ? -1 : x > y ? 1 : oldestFirst(a, b));
    })
    .map(label);
}

async function allByCursor(world: SearchWorld, search: ItemSearch, number: number, options: object) {
  const found: string[] = [];
  let cursor = "*";
  for (let pages = 0; pages < 50; pages++) {
    const page = await world.run(search, { ...options, number, cursor });
    found.push(...page.found.map(({ kind: k, serial: s }) => `${k} ${s}`));
    expect(page.nextCursor).toBeTypeOf("string");
    if (page.found.length < number || page.nextCursor === cursor) return found;
    cursor = page.nextCursor as string;
  }
  return found;
}

describe("whatever is written, searches agree with a plain list", () => {
  test("hits, access, order, pages, cursors and facets", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 30 }),
        fc.array(query, { minLength: 25, maxLength: 25 }),
        sort,
        fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
        async (steps, queries, order, readable) => {
          const world = await makeSearchWorld();
          const model: Model = new Map();
          for (const one of steps) await apply(world, model, one);
          world.grant("ada", readable);
          for (const [index, search] of queries.entries()) {
            const kinds = (["item", "collection"] as const).slice(index % 3 === 0 ? 1 : 0, index % 3 === 1 ? 1 : 2);
            const isAdministrator = index % 2 === 0;
            const options = { kinds, subject: isAdministrator ? administrator() : subject("ada") };
            const hits = [...model.values()]
              .filter((entity) => (kinds as readonly string[]).includes(entity.kind))
              .filter((entity) => isAdministrator || readable.includes(entity.access))
              .filter((entity) => modelMatches(entity, search))
              .sort(newestFirst);
            const facet = facetFields.map((field) => ({ field }));
            const result = await world.run({ ...search, facet }, options);
            expect(result.hits).toBe(hits.length);
            expect(result.found.map(({ kind: k, serial: s }) => `${k} ${s}`)).toEqual(hits.map(label));
            for (const [place, counted] of result.facets.entries()) {
              const counts = new Map(counted.count?.map(({ fieldValue, value }) => [fieldValue, value]));
              expect([counted.field, counts]).toEqual([counted.field, modelFacet(hits, facetFields[place] as string)]);
            }
            const bySort = { ...search, sort: [order] };
            const inOrder = sorted(hits, order.field, order.order === "descending");
            expect(await world.find(bySort, options)).toEqual(inOrder);
            expect(await world.find(bySort, { ...options, first: 2, number: 2 })).toEqual(inOrder.slice(1, 3));
            expect(await allByCursor(world, bySort, 2, options)).toEqual(inOrder);
            expect(await allByCursor(world, search, 3, options)).toEqual(hits.map(label));
          }
          await world.sqlite("insert into search_index (search_index) values ('integrity-check')");
        },
      ),
      { numRuns: runsHere(6) },
    );
  });
});
