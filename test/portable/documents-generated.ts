// Documents of any structure with values that fit them, for tests of what must hold for all of them.
import fc from "fast-check";
import { fromEpoch } from "../../src/documents/date-time.ts";
import {
  type AnyDocument,
  anyMap,
  attribute,
  boolean,
  content,
  type Declaration,
  dateTime,
  document,
  double,
  int,
  list,
  long,
  object,
  oneOf,
  others,
  text,
} from "../../src/documents/declare.ts";

/** A declaration and values that fit it. */
interface Sample {
  readonly declaration: Declaration<unknown, boolean>;
  readonly values: fc.Arbitrary<unknown>;
}

/** Text that documents can hold: every character of XML 1.0, the troublesome ones more often. */
export const documentText: fc.Arbitrary<string> = fc
  .string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(..."&<>\"'\t\n\r ;]]>\\/{}\u00a0\u2028\ud7ff\ue000\ufffd") },
      { weight: 5, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) },
    ),
    maxLength: 12,
  })
  .filter((value) => !/[\ufffe\uffff]/.test(value) && !/\p{Cc}/u.test(value.replace(/[\t\n\r\u007f-\u009f]/g, "")));

const names = ["id", "name", "value", "merged-access", "size.total", "_x1", "größe"];
const openNames = ["title", "__proto__", "hasOwnProperty", "news_keyword", "__metadata_last_modified"];

const scalars: readonly Sample[] = [
  { declaration: text(), values: documentText },
  { declaration: boolean(), values: fc.boolean() },
  { declaration: int(), values: fc.integer() },
  {
    declaration: long(),
    values: fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
  },
  { declaration: double(), values: fc.double() },
  {
    declaration: dateTime(),
    values: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }).map((epoch) => fromEpoch(epoch)),
  },
  { declaration: oneOf("ACTIVE", "IN QUEUE", "<&>"), values: fc.constantFrom("ACTIVE", "IN QUEUE", "<&>") },
];

const scalarSample: fc.Arbitrary<Sample> = fc.constantFrom(...scalars);

/** An element with text and attributes. Its text is always there: an empty element has the empty text. */
const contentSample: fc.Arbitrary<Sample> = fc
  .tuple(scalarSample, fc.dictionary(fc.constantFrom("lang", "uuid", "n"), scalarSample))
  .map(([inner, attributes]) => {
    const declared = Object.entries(attributes).map(([name, { declaration }]) => [name, attribute(declaration)]);
    return {
      declaration: object({ value: content(inner.declaration), ...Object.fromEntries(declared) }),
      values: record({ value: inner.values }, attributes),
    };
  });

const openSample: fc.Arbitrary<Sample> = fc.oneof(scalarSample, contentSample).map((item) => ({
  declaration: anyMap(item.declaration),
  values: openValues(item),
}));

const { anything } = fc.letrec<{ anything: Sample }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalarSample,
    contentSample,
    openSample,
    objectSample(tie),
  ),
}));

function openValues(item: Sample): fc.Arbitrary<unknown> {
  const entry = fc.tuple(fc.constantFrom(...openNames), fc.array(item.values, { minLength: 1, maxLength: 2 }));
  return fc.array(entry, { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

type Tie = (key: "anything") => fc.Arbitrary<Sample>;

/** A complex type with attributes, elements, lists and sometimes elements of any name. */
function objectSample(tie: Tie): fc.Arbitrary<Sample> {
  const member = fc.oneof(
    { weight: 2, arbitrary: tie("anything") },
    { weight: 1, arbitrary: scalarSample.map((of) => ({ ...of, declaration: attribute(of.declaration) })) },
    { weight: 1, arbitrary: tie("anything").map(listSample) },
  );
  const members = fc.dictionary(fc.constantFrom(...names), member, { maxKeys: 4 });
  return fc.tuple(members, fc.option(scalarSample, { freq: 4 })).map(([declared, open]) => {
    const rest: Record<string, Sample> =
      open === null
        ? {}
        : { others: { declaration: others(open.declaration), values: openValues(open).filter(isFilled) } };
    const all = { ...declared, ...rest };
    const declarations = Object.entries(all).map(([name, { declaration }]) => [name, declaration]);
    return { declaration: object(Object.fromEntries(declarations) as object), values: record({}, all) };
  });
}

function isFilled(value: unknown): boolean {
  return Object.keys(value as object).length > 0;
}

function listSample(item: Sample): Sample {
  return { declaration: list(item.declaration), values: fc.array(item.values, { minLength: 1, maxLength: 3 }) };
}

/** Values with all of the first and any of the second. */
function record(
  always: Record<string, fc.Arbitrary<unknown>>,
  sometimes: Record<string, Sample>,
): fc.Arbitrary<unknown> {
  const needed = Object.entries(always).map(([name, values]) => fc.tuple(fc.constant(name), values));
  const optional = Object.entries(sometimes).map(([name, { values }]) =>
    fc.option(fc.tuple(fc.constant(name), values), { nil: undefined }),
  );
  return fc
    .tuple(...needed, ...optional)
    .map((entries) => Object.fromEntries(entries.filter((entry) => entry !== undefined)));
}

/** A document and a value of it. */
export const documentWithValue: fc.Arbitrary<{ readonly document: AnyDocument; readonly value: never }> = fc
  .oneof(
    objectSample(() => anything),
    contentSample,
  )
  .chain(({ declaration, values }) => {
    const made = document("GeneratedDocument", declaration as ReturnType<typeof object<object>>);
    return values.map((value) => ({ document: made, value: value as never }));
  });
