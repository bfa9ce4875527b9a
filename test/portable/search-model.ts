/** What searches must find, told by a plain list of entities: no index, no SQL, and code of its own. */
import type { ItemSearch, SearchOperator } from "../../src/assets/search/documents/item-search-document.ts";
import type { WorldValue } from "./search-world.ts";

export interface ModelEntity {
  readonly kind: "item" | "collection";
  readonly serial: number;
  values: readonly WorldValue[];
  access: number;
  transient: Record<string, readonly string[]>;
}

type Field = NonNullable<ItemSearch["field"]>[number];
type Group = NonNullable<ItemSearch["group"]>[number];
type Interval = NonNullable<ItemSearch["intervals"]>;

const words = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const numeric = new Set(["count", "size", "ratio"]);
const textual = new Set(["title", "note", "remark"]);
const fullText = new Set(["title", "keyword", "remark"]);

const comparable = (field: string, text: string): number | string => {
  if (field.endsWith("_size") || numeric.has(field)) return Number(text);
  if (field === "day") return Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
  if (field === "tc") {
    const [samples, base] = text.split("@");
    return base === undefined ? Number(samples) : Number(samples) / 25;
  }
  return text;
};

function wordMatches(text: string, wanted: string): boolean {
  const found = words(text);
  if (/^".*"$/.test(wanted)) return ` ${found.join(" ")} `.includes(` ${words(wanted).join(" ")} `);
  return wanted.split(" ").some((term) => {
    if (term.endsWith("*")) return found.some((word) => word.startsWith(term.slice(0, -1).toLowerCase()));
    return found.includes(term.toLowerCase());
  });
}

function valueMatches(field: string, text: string, wanted: string): boolean {
  if (textual.has(field)) return wordMatches(text, wanted);
  if (wanted.endsWith("*")) return text.startsWith(wanted.slice(0, -1));
  if (field === "day" && wanted.length === 10) return text.startsWith(wanted);
  return comparable(field, text) === comparable(field, wanted);
}

function fieldMatches(values: readonly WorldValue[], criterion: Field): boolean {
  const own = values.filter(({ field }) => field === criterion.name);
  const wanted = criterion.value ?? [];
  const ranges = criterion.range ?? [];
  if (wanted.length + ranges.length === 0) return own.length > 0;
  return own.some(
    ({ field, text }) =>
      wanted.some(({ value }) => valueMatches(field, text, value ?? "")) ||
      ranges.some(({ value: [low, high], exclusiveMinimum, exclusiveMaximum }) => {
        const is = comparable(field, text);
        const from = low?.value === "*" ? undefined : comparable(field, low?.value ?? "");
        const to = high?.value === "*" ? undefined : comparable(field, high?.value ?? "");
        return (
          (from === undefined || (exclusiveMinimum ? is > from : is >= from)) &&
          (to === undefined || (exclusiveMaximum ? is < to : is <= to))
        );
      }),
  );
}

function groupMatches(values: readonly WorldValue[], group: Group, inside: number | undefined): boolean {
  const depth = (value: WorldValue) => {
    if (inside === undefined) return 0;
    return (value.groups ?? []).findIndex(([, entry]) => entry === inside) + 1;
  };
  const instances = new Set<number>();
  for (const value of values) {
    if (inside === undefined) {
      for (const [name, entry] of value.groups ?? []) if (name === group.name) instances.add(entry);
    } else {
      const found = depth(value) > 0 ? value.groups?.[depth(value)] : undefined;
      if (found?.[0] === group.name) instances.add(found[1]);
    }
  }
  return [...instances].some((entry) => {
    const own = values.filter(({ groups }) => groups?.at(-1)?.[1] === entry);
    return (
      (group.field ?? []).every((field) => fieldMatches(own, field)) &&
      (group.group ?? []).every((inner) => groupMatches(values, inner, entry)) &&
      (group.operator === undefined ||
        operatorMatches({ ...blank, values: own, all: values, inside: entry }, group.operator))
    );
  });
}

interface Subject {
  readonly values: readonly WorldValue[];
  readonly all: readonly WorldValue[];
  readonly inside: number | undefined;
  readonly transient: Record<string, readonly string[]>;
}
const blank = { transient: {}, inside: undefined };

function parts(subject: Subject, criteria: Omit<SearchOperator, "operation">): readonly boolean[] {
  return [
    ...(criteria.text ?? []).map(({ value }) =>
      subject.values.some(({ field, text }) => fullText.has(field) && wordMatches(text, value ?? "")),
    ),
    ...(criteria.field ?? []).map((field) =>
      field.name.startsWith("__")
        ? fieldMatches(
            (subject.transient[field.name] ?? []).map((text) => ({ field: field.name, text })),
            field,
          )
        : fieldMatches(subject.values, field),
    ),
    ...(criteria.group ?? []).map((group) => groupMatches(subject.all, group, subject.inside)),
    ...(criteria.operator ?? []).map((operator) => operatorMatches(subject, operator)),
  ];
}

function operatorMatches(subject: Subject, operator: SearchOperator): boolean {
  const holds = parts(subject, operator);
  if (holds.length === 0) return true;
  if (operator.operation === "NOT") return !holds.includes(true);
  return operator.operation === "OR" ? holds.includes(true) : !holds.includes(false);
}

function isIn(value: WorldValue, interval: Interval): boolean {
  return interval === "all" || (interval === "timed") === (value.span !== undefined);
}

export function modelMatches(entity: ModelEntity, query: ItemSearch): boolean {
  const values = entity.values.filter((value) => isIn(value, query.intervals ?? "all"));
  const subject: Subject = { values, all: values, inside: undefined, transient: entity.transient };
  const { operator, filter = [], ...rest } = query;
  return (
    !parts(subject, { ...rest, ...(operator === undefined ? {} : { operator: [operator] }) }).includes(false) &&
    filter.every((one) => operatorMatches(subject, { ...one, operation: one.operation ?? "AND" }))
  );
}

/** The sort value of an entity: its lowest when ascending, its highest when descending. */
export function modelSortValue(entity: ModelEntity, field: string, descending: boolean): number | string | undefined {
  const texts = field.startsWith("__")
    ? (entity.transient[field] ?? [])
    : entity.values.filter((value) => value.field === field).map(({ text }) => text);
  const all = texts.map((text) => comparable(field, textual.has(field) ? text.toLowerCase() : text));
  return all.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).at(descending ? -1 : 0);
}

export function modelFacet(entities: readonly ModelEntity[], field: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entity of entities) {
    const texts = field.startsWith("__")
      ? (entity.transient[field] ?? [])
      : entity.values.filter((value) => value.field === field).map(({ text }) => text);
    for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
