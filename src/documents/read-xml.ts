import { KinoraError } from "../errors.ts";
import { decodeXml } from "../xml/decode.ts";
import { parseXml, type XmlAttribute, type XmlHandler } from "../xml/parse.ts";
import { invalidXml, inWords, type Place } from "../xml/xml-error.ts";
import type { AnyDocument, Infer } from "./declare.ts";
import { checkComplete, shown, unknownName, wrongStructure, wrongValue } from "./input-error.ts";
import { itemOf, type Member, type ObjectPlan, planOf, resolve, type ValueShape } from "./plan.ts";
import { defaultReadOptions, type ReadOptions, requireSize } from "./read-options.ts";
import type { ObjectShape, OpenShape, ScalarShape } from "./shape.ts";

/** The namespace that clients of the reference API send. */
const referenceNamespace = "http://xml.vidispine.com/schema/vidispine";
const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/**
 * Reads an XML document into the value its declaration describes. Elements may come in any order and in the configured
 * namespace, the reference's, or none.
 *
 * @param source bytes, whose encoding is found as `decodeXml` says, or text
 * @throws KinoraError `invalid-xml`, `unknown-element`, `invalid-value` or `invalid-input`, each with line and column;
 *   `too-large`
 */
export function readXml<D extends AnyDocument>(
  document: D,
  source: string | Uint8Array,
  options: Partial<ReadOptions> = {},
): Infer<D> {
  const settled = { ...defaultReadOptions, ...options };
  requireSize(source.length, settled.size);
  const text = typeof source === "string" ? source.replace(/^\ufeff/, "") : decodeXml(source, settled.charset);
  const reader = new Reader(document, settled);
  parseXml(text, settled, reader);
  return reader.root as Infer<D>;
}

type Fields = Record<string, unknown>;

/** An element that is open: how its parts are taken, and what becomes of it in the end. */
interface Frame {
  /** The element's name. */
  readonly name: string;
  readonly open: (local: string, attributes: readonly XmlAttribute[], place: () => Place) => Frame;
  readonly text: (text: string, place: () => Place) => void;
  readonly close: (place: () => Place) => void;
}

class Reader implements XmlHandler {
  root: unknown;
  readonly #stack: Frame[] = [];
  readonly #document: AnyDocument;
  readonly #options: ReadOptions;

  constructor(document: AnyDocument, options: ReadOptions) {
    this.#document = document;
    this.#options = options;
  }

  open(local: string, uri: string, attributes: readonly XmlAttribute[], place: () => Place): void {
    const parent = this.#stack.at(-1);
    if (!this.#accepts(uri) && parent !== skipped) {
      throw invalidXml(`The element ${shown(local)} is in the namespace ${shown(uri)}, which is not known`, place());
    }
    this.#stack.push(
      parent === undefined ? this.#root(local, attributes, place) : parent.open(local, attributes, place),
    );
  }

  text(text: string, place: () => Place): void {
    this.#stack.at(-1)?.text(text, place);
  }

  close(place: () => Place): void {
    this.#stack.pop()?.close(place);
  }

  #accepts(uri: string): boolean {
    return uri === this.#options.namespace || uri === referenceNamespace || uri === "";
  }

  #root(local: string, attributes: readonly XmlAttribute[], place: () => Place): Frame {
    const { documentName, specification } = this.#document;
    if (local !== documentName && !this.#options.anyRoot) {
      throw new KinoraError("unknown-element", {
        explanation: `The root must be ${documentName}, not ${shown(local)} ${inWords(place())}`,
        value: local.slice(0, 100),
      });
    }
    const plan = planOf(resolve(specification.shape) as ObjectShape);
    return objectFrame(plan, documentName, attributes, place, (value) => {
      this.root = value;
    });
  }
}

function frameOf(
  shape: ValueShape,
  name: string,
  owner: string,
  attributes: readonly XmlAttribute[],
  place: () => Place,
  assign: (value: unknown) => void,
): Frame {
  if (isNil(attributes)) return skipped;
  if (shape.kind === "object") return objectFrame(planOf(shape), name, attributes, place, assign);
  refuseAttributes(attributes, name, place);
  return shape.kind === "scalar" ? scalarFrame(shape, name, owner, assign) : openFrame(shape, name, assign);
}

/** An element of a read-only member, and everything in it. */
const skipped: Frame = { name: "", open: () => skipped, text: () => undefined, close: () => undefined };

function objectFrame(
  plan: ObjectPlan,
  name: string,
  attributes: readonly XmlAttribute[],
  place: () => Place,
  assign: (value: unknown) => void,
): Frame {
  const value: Fields = {};
  for (const attribute of attributes) takeAttribute(plan, name, attribute, value, place);
  const { content } = plan;
  let text = "";
  return {
    name,
    open: (local, given, at) => {
      const member = plan.elements.get(local);
      if (member !== undefined) return memberFrame(member, name, given, at, value);
      if (plan.others?.shape.kind === "open")
        return otherFrame(plan.others.shape, local, name, given, at, othersOf(plan.others, value));
      throw unknownName("element", local, name, plan.elements.keys(), at());
    },
    text: (part, at) => {
      if (content !== undefined) text += part;
      else refuseText(part, name, at);
    },
    close: (at) => {
      if (content?.shape.kind === "scalar") {
        const parsed = contentValue(content.shape, text, name, at);
        if (parsed !== undefined && !content.readOnly) value[content.name] = parsed;
      }
      checkComplete(plan, name, value, at);
      assign(value);
    },
  };
}

/** The text of an element with attributes; an empty one is the empty text, and absent for everything but text. */
function contentValue({ scalar }: ScalarShape, text: string, name: string, place: () => Place): unknown {
  const trimmed = scalar.trims ? trimXml(text) : text;
  if (scalar.trims && trimmed === "") return undefined;
  const parsed = scalar.parse(trimmed);
  if (parsed === undefined) throw wrongValue("the text", name, scalar.expected, text, place());
  return parsed;
}

function takeAttribute(
  plan: ObjectPlan,
  name: string,
  { local, uri, value: text }: XmlAttribute,
  value: Fields,
  place: () => Place,
): void {
  if (uri === instanceNamespace || uri === xmlNamespace) return;
  const member = uri === "" ? plan.attributes.get(local) : undefined;
  if (member === undefined || member.shape.kind !== "scalar") {
    throw unknownName("attribute", local, name, plan.attributes.keys(), place());
  }
  if (member.readOnly) return;
  const { scalar } = member.shape;
  const parsed = scalar.parse(scalar.trims ? trimXml(text) : text);
  if (parsed === undefined) throw wrongValue(local, name, scalar.expected, text, place());
  value[local] = parsed;
}

function memberFrame(
  member: Member,
  owner: string,
  attributes: readonly XmlAttribute[],
  place: () => Place,
  value: Fields,
): Frame {
  if (member.readOnly) return skipped;
  const { name } = member;
  if (member.list) {
    return frameOf(member.shape, name, owner, attributes, place, (entry) => append(value, name, entry));
  }
  if (value[name] !== undefined) throw wrongStructure(owner, `${owner} has ${name} more than once`, place());
  return frameOf(member.shape, name, owner, attributes, place, (found) => {
    value[name] = found;
  });
}

function append(value: Fields, name: string, entry: unknown): void {
  const entries = value[name] as unknown[] | undefined;
  if (entries === undefined) value[name] = [entry];
  else entries.push(entry);
}

function scalarFrame({ scalar }: ScalarShape, name: string, owner: string, assign: (value: unknown) => void): Frame {
  let text = "";
  return {
    name,
    open: (local, _, at) => {
      throw unknownName("element", local, name, [], at());
    },
    text: (part) => {
      text += part;
    },
    close: (at) => {
      const parsed = scalar.parse(scalar.trims ? trimXml(text) : text);
      if (parsed === undefined) throw wrongValue(name, owner, scalar.expected, text, at());
      assign(parsed);
    },
  };
}

function openFrame(shape: OpenShape, name: string, assign: (value: unknown) => void): Frame {
  // Without a prototype, so that no name of an element means anything but itself.
  const value: Fields = Object.create(null);
  return {
    name,
    open: (local, given, at) => otherFrame(shape, local, name, given, at, value),
    text: (part, at) => refuseText(part, name, at),
    close: () => assign(value),
  };
}

function otherFrame(
  shape: OpenShape,
  local: string,
  owner: string,
  attributes: readonly XmlAttribute[],
  place: () => Place,
  value: Fields,
): Frame {
  return frameOf(itemOf(shape), local, owner, attributes, place, (entry) => append(value, local, entry));
}

function othersOf(member: Member, value: Fields): Fields {
  const known = value[member.name] as Fields | undefined;
  if (known !== undefined) return known;
  const fresh: Fields = Object.create(null);
  value[member.name] = fresh;
  return fresh;
}

function refuseText(text: string, name: string, place: () => Place): void {
  if (trimXml(text) === "") return;
  throw wrongStructure(name, `${name} cannot have text beside its elements: ${shown(trimXml(text))}`, place());
}

function refuseAttributes(attributes: readonly XmlAttribute[], name: string, place: () => Place): void {
  for (const { local, uri } of attributes) {
    if (uri !== instanceNamespace && uri !== xmlNamespace) throw unknownName("attribute", local, name, [], place());
  }
}

/** `xsi:nil="true"` stands for an absent element. */
function isNil(attributes: readonly XmlAttribute[]): boolean {
  return attributes.some(
    ({ local, uri, value }) => uri === instanceNamespace && local === "nil" && (value === "true" || value === "1"),
  );
}

/** White space as XML knows it; not the wider notion of `trim`. */
function trimXml(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}
