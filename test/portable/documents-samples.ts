// Declarations of the kinds that the media asset documents need: text with attributes, types in themselves, choices,
// elements of any name, dashes in names, types that extend others.
import {
  anyMap,
  attribute,
  boolean,
  choice,
  content,
  type Declaration,
  dateTime,
  document,
  double,
  type Infer,
  int,
  jsonOnly,
  list,
  long,
  object,
  oneOf,
  others,
  ref,
  text,
} from "../../src/documents/declare.ts";

const change = {
  uuid: attribute(text()),
  user: attribute(text()),
  timestamp: attribute(dateTime()),
  change: attribute(text()),
  mode: attribute(oneOf("add", "remove")),
};

const MetadataValue = object("MetadataValueType", { ...change, value: content(), lang: attribute(text()) });

const MetadataField = object("MetadataFieldValueType", {
  ...change,
  track: attribute(text()),
  name: text(),
  value: list(MetadataValue),
  reference: object({ id: text() }),
});

const MetadataGroup = object(
  "MetadataGroupValueType",
  {
    name: text(),
    field: list(MetadataField),
    get group() {
      return list(MetadataGroup);
    },
  },
  change,
);

/** Text with attributes in lists, in a type that contains itself. */
export const MetadataDocument = document("MetadataDocument", {
  revision: text(),
  group: list(text()).jsonEmptyList(),
  timespan: list({
    start: attribute(text().required()),
    end: attribute(text().required()),
    field: list(MetadataField),
    group: list(MetadataGroup),
  }),
});
export type Metadata = Infer<typeof MetadataDocument>;

interface Operator {
  readonly operation: "AND" | "OR" | "NOT";
  readonly text?: readonly string[] | undefined;
  readonly operator?: readonly Operator[] | undefined;
}
/** A type that contains itself through an annotated reference. */
const SearchOperator: Declaration<Operator> = object("SearchOperatorType", {
  operation: attribute(oneOf("AND", "OR", "NOT").required()),
  text: list(text()),
  operator: list(ref(() => SearchOperator)),
});

export const SearchDocument = document("SearchDocument", {
  version: attribute(int()),
  operator: SearchOperator,
  range: object({ exclusive: attribute(boolean()), value: list(text(), { minimum: 2, maximum: 2 }).required() }),
  facet: list({
    field: text().required(),
    count: list({
      fieldValue: attribute(text().required()),
      value: content(long()),
      count: jsonOnly(long()).readOnly(),
    }),
    range: list({ start: attribute(text()), value: content(int()) }),
    level: list({ note: attribute(text()), value: content(double()).required() }),
  }),
});

const component = { id: text(), metadata: list({ key: text().required(), value: text().required() }) };

const terse = { start: attribute(text()), end: attribute(text()), value: content() };

export const ItemListDocument = document("ItemListDocument", {
  hits: int(),
  item: list(
    object("ItemType", {
      id: attribute(text()),
      terse: anyMap(terse),
      "merged-access": object({ access: list({ superUser: attribute(boolean()), permission: text().required() }) }),
      audioComponent: list(object("AudioComponentType", { ...component, channelCount: int().required() })),
      created: dateTime().readOnly(),
      size: long(),
    }),
  ),
});

/** Attributes beside elements of any name. */
export const TerseListDocument = document("TerseListDocument", {
  item: list({ id: attribute(text().required()), fields: others(terse) }),
});

const rule = {
  ...choice({ user: text(), group: text() }, { required: true }),
  ...choice({ collection: text(), library: text() }),
  resource: list(
    object("ResourceType", {
      name: oneOf("item", "storage").required(),
      limit: long().required(),
      usage: long().readOnly(),
    }),
  ).required(),
};
const QuotaRule = object("QuotaRuleType", rule);
export const QuotaRuleDocument = document("QuotaRuleDocument", QuotaRule);
/** The same type under another root. */
export const QuotaTemplateDocument = document("QuotaTemplateDocument", QuotaRule);

/** Values of each, with as much in them as they can hold. */
export const metadata: Metadata = {
  revision: "VX-41,VX-44",
  group: ["Asset"],
  timespan: [
    {
      start: "-INF",
      end: "+INF",
      field: [
        {
          uuid: "u1",
          user: "ada",
          timestamp: "2024-03-05T10:11:12.345Z",
          change: "VX-44",
          name: "title",
          value: [
            { uuid: "u2", value: "Harbour <at> dawn & dusk" },
            { value: "", lang: "sv_SE", mode: "remove" },
          ],
        },
        { name: "link", reference: { id: "VX-7" } },
      ],
      group: [
        { mode: "add", name: "shot", group: [{ name: "take", field: [{ name: "n", value: [{ value: "1" }] }] }] },
      ],
    },
  ],
};

export const search: Infer<typeof SearchDocument> = {
  version: 2,
  operator: { operation: "OR", text: ["a"], operator: [{ operation: "NOT", text: ["b"] }] },
  range: { exclusive: false, value: ["1", "2"] },
  facet: [
    {
      field: "mediaType",
      count: [{ fieldValue: "video", value: 9_007_199_254_740_993n, count: 9_007_199_254_740_993n }],
      range: [{ start: "0", value: 3 }, { start: "4" }],
      level: [{ value: -0.5 }],
    },
  ],
};

export const items: Infer<typeof ItemListDocument> = {
  hits: 2,
  item: [
    {
      id: "VX-12",
      terse: { title: [{ start: "-INF", end: "+INF", value: "Harbour" }], __shape_size: [{ value: "1" }] },
      "merged-access": { access: [{ superUser: true, permission: "OWNER" }] },
      audioComponent: [{ id: "VX-3", metadata: [{ key: "k", value: "v" }], channelCount: 2 }],
      created: "2024-03-05T10:11:12.345Z",
      size: 5_000_000_000,
    },
    {},
  ],
};

export const terseList: Infer<typeof TerseListDocument> = {
  item: [{ id: "VX-1", fields: { title: [{ value: "x" }, { value: "y" }] } }, { id: "VX-2" }],
};

export const quotaRule: Infer<typeof QuotaRuleDocument> = {
  user: "ada",
  library: "VX*19",
  resource: [
    { name: "item", limit: 10, usage: 4 },
    { name: "storage", limit: 2n ** 60n },
  ],
};
