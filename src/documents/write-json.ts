import type { AnyDocument, Infer } from "./declare.ts";
import { quoteJson } from "./json-text.ts";
import { itemOf, type Member, planOf, resolve, type ValueShape } from "./plan.ts";
import type { ObjectShape, OpenShape } from "./shape.ts";

type Write = (value: never) => string;
type Fields = Readonly<Record<string, unknown>>;

/**
 * A document as JSON: a bare object without the root's name; attributes, elements and text content side by side;
 * repeatable elements always arrays; what is absent is left out, but for lists declared with `jsonEmptyList`.
 */
export function writeJson<D extends AnyDocument>(document: D, value: Infer<D>): string {
  return valueWriter(resolve(document.specification.shape) as ObjectShape)(value as never);
}

const objectWriters = new WeakMap<ObjectShape, Write>();

function valueWriter(shape: ValueShape): Write {
  if (shape.kind === "scalar") return shape.scalar.json;
  if (shape.kind === "open") {
    const entries = entriesWriter(shape);
    return (value) => `{${entries(value).slice(1)}}`;
  }
  const known = objectWriters.get(shape);
  if (known !== undefined) return known;
  let compiled: Write | undefined;
  // A type that contains itself finds this wrapper while it is being compiled.
  objectWriters.set(shape, (value) => (compiled as Write)(value));
  compiled = objectWriter(shape);
  objectWriters.set(shape, compiled);
  return compiled;
}

function objectWriter(shape: ObjectShape): Write {
  const members = planOf(shape).members.map(memberWriter);
  return (value: Fields) => {
    let inner = "";
    for (const { key, write, absent } of members) {
      const part = value[key];
      inner += part === undefined || part === null ? absent : write(part as never);
    }
    return `{${inner.slice(1)}}`;
  };
}

interface MemberWriter {
  readonly key: string;
  /** With the comma in front. */
  readonly write: Write;
  /** What stands for an absent value. */
  readonly absent: string;
}

function memberWriter({ name, place, shape, list, jsonEmptyList }: Member): MemberWriter {
  if (place === "others" && shape.kind === "open") return { key: name, write: entriesWriter(shape), absent: "" };
  const front = `,${quoteJson(name)}:`;
  const absent = jsonEmptyList ? `${front}[]` : "";
  const one = valueWriter(shape);
  if (!list) return { key: name, write: (value) => front + one(value), absent };
  const array = arrayWriter(one);
  return {
    key: name,
    write: (values: readonly never[]) => (values.length === 0 ? absent : front + array(values as never)),
    absent,
  };
}

function arrayWriter(one: Write): Write {
  return (values: readonly never[]) => {
    let all = "";
    for (const value of values) all += `,${one(value)}`;
    return `[${all.slice(1)}]`;
  };
}

/** Writes the entries of an open element, each with a comma in front. */
function entriesWriter(shape: OpenShape): Write {
  let array: Write | undefined;
  return (value: Readonly<Record<string, readonly never[]>>) => {
    array ??= arrayWriter(valueWriter(itemOf(shape)));
    let all = "";
    for (const name of Object.keys(value)) all += `,${quoteJson(name)}:${array(value[name] as never)}`;
    return all;
  };
}
