import { escapeAttribute } from "../xml/escape.ts";
import type { AnyDocument, Infer } from "./declare.ts";
import { itemOf, type Member, type ObjectPlan, planOf, resolve, type ValueShape } from "./plan.ts";
import type { ObjectShape, OpenShape } from "./shape.ts";

type Write = (value: never) => string;
type Fields = Readonly<Record<string, unknown>>;

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
/** What may stand as the name of an element; everything else would break the document. */
const elementName = /^[\p{L}_][\p{L}\p{N}\p{M}_.\u00b7-]*$/u;

/** Whether a name can be that of an XML element. */
export function isElementName(name: string): boolean {
  return elementName.test(name);
}

/**
 * A document as XML, elements in declared order, in one namespace (none when it is empty).
 *
 * Text is escaped as `escapeText` says.
 */
export function writeXml<D extends AnyDocument>(document: D, value: Infer<D>, namespace: string): string {
  const shape = resolve(document.specification.shape) as ObjectShape;
  const root = document.documentName;
  const write = contentWriter(shape);
  const declared = namespace === "" ? "" : ` xmlns="${escapeAttribute(namespace)}"`;
  return prolog + write(root, declared, value as Fields);
}

/** Writes an element of a complex type: its name, what else stands in its start tag, its value. */
type WriteElement = (name: string, extra: string, value: Fields) => string;

const contentWriters = new WeakMap<ObjectShape, WriteElement>();

function contentWriter(shape: ObjectShape): WriteElement {
  const known = contentWriters.get(shape);
  if (known !== undefined) return known;
  let compiled: WriteElement | undefined;
  // A type that contains itself finds this wrapper while it is being compiled.
  contentWriters.set(shape, (name, extra, value) => (compiled as WriteElement)(name, extra, value));
  compiled = compile(planOf(shape));
  contentWriters.set(shape, compiled);
  return compiled;
}

function compile(plan: ObjectPlan): WriteElement {
  const attributes = plan.members.filter(({ place }) => place === "attribute").map(attributeWriter);
  const parts = plan.members.filter(({ place }) => place !== "attribute" && place !== "json").map(partWriter);
  return (name, extra, value) => {
    let start = `<${name}${extra}`;
    for (const { key, write } of attributes) {
      const part = value[key];
      if (part !== undefined && part !== null) start += write(part as never);
    }
    let inner = "";
    for (const { key, write } of parts) {
      const part = value[key];
      if (part !== undefined && part !== null) inner += write(part as never);
    }
    return inner === "" ? `${start}/>` : `${start}>${inner}</${name}>`;
  };
}

interface MemberWriter {
  readonly key: string;
  readonly write: Write;
}

function attributeWriter(member: Member): MemberWriter {
  const { name, shape } = member;
  if (shape.kind !== "scalar") throw new TypeError(`The attribute ${name} is not a scalar`);
  const { xmlAttribute } = shape.scalar;
  return { key: name, write: (value) => ` ${name}="${xmlAttribute(value)}"` };
}

function partWriter(member: Member): MemberWriter {
  const { name, place, shape, list } = member;
  if (place === "content" && shape.kind === "scalar") return { key: name, write: shape.scalar.xml };
  if (place === "others" && shape.kind === "open") return { key: name, write: openWriter(shape) };
  const one = elementWriter(name, shape);
  return { key: name, write: list ? listWriter(one) : one };
}

function listWriter(one: Write): Write {
  return (values: readonly never[]) => {
    let all = "";
    for (const value of values) all += one(value);
    return all;
  };
}

function elementWriter(name: string, shape: ValueShape): Write {
  if (shape.kind === "scalar") {
    const { xml } = shape.scalar;
    const open = `<${name}>`;
    const close = `</${name}>`;
    return (value) => open + xml(value) + close;
  }
  if (shape.kind === "object") {
    let write: WriteElement | undefined;
    return (value) => {
      write ??= contentWriter(shape);
      return write(name, "", value);
    };
  }
  const children = openWriter(shape);
  return (value) => `<${name}>${children(value)}</${name}>`;
}

/** Writes the children of an open element. */
function openWriter(shape: OpenShape): Write {
  const writers = new Map<string, Write>();
  return (value: Readonly<Record<string, readonly never[]>>) => {
    let all = "";
    for (const name of Object.keys(value)) {
      const write = writers.get(name) ?? namedWriter(name, shape);
      if (writers.size < rememberedNames) writers.set(name, write);
      all += write(value[name] as never);
    }
    return all;
  };
}

/** Names come from data, so the memory of them is bounded. */
const rememberedNames = 1000;

function namedWriter(name: string, shape: OpenShape): Write {
  if (!isElementName(name)) throw new TypeError(`${JSON.stringify(name)} cannot be the name of an XML element`);
  return listWriter(elementWriter(name, itemOf(shape)));
}
