import type { XmlAttribute } from "../xml/parse.ts";
import type { Place } from "../xml/xml-error.ts";
import { checkComplete, shown, unknownName, wrongStructure, wrongValue } from "./input-error.ts";
import { itemOf, type Member, type ObjectPlan, planOf, type ValueShape } from "./plan.ts";
import type { OpenShape, ScalarShape } from "./shape.ts";

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Values by the names of members, or of elements. */
export type Fields = Record<string, unknown>;
type Attributes = readonly XmlAttribute[];
/** Asks for the place that was read last. */
export type WhereAt = () => Place;

/** An element that is open: how its parts are taken, and what becomes of it in the end. */
export interface Frame {
  open(local: string, attributes: Attributes, place: WhereAt): Frame;
  text(part: string, place: WhereAt): void;
  close(place: WhereAt): void;
}

// Classes, and a slot instead of a function to take the value: one frame is made for each element of a document.

/** Where the value of an element belongs. */
class Slot {
  readonly #fields: Fields;
  readonly #key: string;
  readonly #list: boolean;
  /** The element that has the value, for errors. */
  readonly owner: string;

  constructor(fields: Fields, key: string, list: boolean, owner: string) {
    this.#fields = fields;
    this.#key = key;
    this.#list = list;
    this.owner = owner;
  }

  put(value: unknown): void {
    const entries = this.#fields[this.#key] as unknown[] | undefined;
    if (!this.#list) this.#fields[this.#key] = value;
    else if (entries === undefined) this.#fields[this.#key] = [value];
    else entries.push(value);
  }
}

/** An element whose content does not matter: of a read-only member, or nil. */
export const skippedFrame: Frame = {
  open: () => skippedFrame,
  text: () => undefined,
  close: () => undefined,
};

/** The frame of a document's root; its value is put under `key`. */
export function rootFrame(plan: ObjectPlan, name: string, attributes: Attributes, place: WhereAt, into: Fields): Frame {
  return new ObjectFrame(plan, name, attributes, place, new Slot(into, "root", false, name));
}

function frameOf(shape: ValueShape, name: string, attributes: Attributes, place: WhereAt, slot: Slot): Frame {
  if (attributes.length > 0 && isNil(attributes)) return skippedFrame;
  if (shape.kind === "object") return new ObjectFrame(planOf(shape), name, attributes, place, slot);
  refuseAttributes(attributes, name, place);
  return shape.kind === "scalar" ? new ScalarFrame(shape, name, slot) : new OpenFrame(shape, name, slot);
}

/** An element of a complex type. */
class ObjectFrame implements Frame {
  readonly #plan: ObjectPlan;
  readonly #name: string;
  readonly #slot: Slot;
  readonly #value: Fields = {};
  #text = "";

  constructor(plan: ObjectPlan, name: string, attributes: Attributes, place: WhereAt, slot: Slot) {
    this.#plan = plan;
    this.#name = name;
    this.#slot = slot;
    for (const attribute of attributes) takeAttribute(plan, name, attribute, this.#value, place);
  }

  open(local: string, attributes: Attributes, place: WhereAt): Frame {
    const { elements, others } = this.#plan;
    const member = elements.get(local);
    if (member !== undefined) return this.#openMember(member, attributes, place);
    if (others?.shape.kind !== "open") throw unknownName("element", local, this.#name, elements.keys(), place());
    const slot = new Slot(openFields(others, this.#value), local, true, this.#name);
    return frameOf(itemOf(others.shape), local, attributes, place, slot);
  }

  #openMember({ name, list, readOnly, shape }: Member, attributes: Attributes, place: WhereAt): Frame {
    if (readOnly) return skippedFrame;
    if (!list && this.#value[name] !== undefined) {
      throw wrongStructure(this.#name, `${this.#name} has ${name} more than once`, place());
    }
    return frameOf(shape, name, attributes, place, new Slot(this.#value, name, list, this.#name));
  }

  text(part: string, place: WhereAt): void {
    if (this.#plan.content !== undefined) this.#text += part;
    else refuseText(part, this.#name, place);
  }

  close(place: WhereAt): void {
    const { content } = this.#plan;
    if (content?.shape.kind === "scalar" && !content.readOnly) {
      const parsed = contentValue(content.shape, this.#text, this.#name, place);
      if (parsed !== undefined) this.#value[content.name] = parsed;
    }
    checkComplete(this.#plan, this.#name, this.#value, place);
    this.#slot.put(this.#value);
  }
}

/** An element with nothing but text. */
class ScalarFrame implements Frame {
  readonly #shape: ScalarShape;
  readonly #name: string;
  readonly #slot: Slot;
  #text = "";

  constructor(shape: ScalarShape, name: string, slot: Slot) {
    this.#shape = shape;
    this.#name = name;
    this.#slot = slot;
  }

  open(local: string, _: Attributes, place: WhereAt): Frame {
    throw unknownName("element", local, this.#name, [], place());
  }

  text(part: string): void {
    this.#text += part;
  }

  close(place: WhereAt): void {
    const { scalar } = this.#shape;
    const parsed = scalar.parse(scalar.trims ? trimXml(this.#text) : this.#text);
    if (parsed === undefined) throw wrongValue(this.#name, this.#slot.owner, scalar.expected, this.#text, place());
    this.#slot.put(parsed);
  }
}

/** An element whose children have any names. */
class OpenFrame implements Frame {
  readonly #shape: OpenShape;
  readonly #name: string;
  readonly #slot: Slot;
  // Without a prototype, so that no name of an element means anything but itself.
  readonly #value: Fields = Object.create(null);

  constructor(shape: OpenShape, name: string, slot: Slot) {
    this.#shape = shape;
    this.#name = name;
    this.#slot = slot;
  }

  open(local: string, attributes: Attributes, place: WhereAt): Frame {
    return frameOf(itemOf(this.#shape), local, attributes, place, new Slot(this.#value, local, true, this.#name));
  }

  text(part: string, place: WhereAt): void {
    refuseText(part, this.#name, place);
  }

  close(): void {
    this.#slot.put(this.#value);
  }
}

function takeAttribute(plan: ObjectPlan, name: string, given: XmlAttribute, value: Fields, place: WhereAt): void {
  const { local, uri } = given;
  if (uri === instanceNamespace || uri === xmlNamespace) return;
  const member = uri === "" ? plan.attributes.get(local) : undefined;
  if (member === undefined || member.shape.kind !== "scalar") {
    throw unknownName("attribute", local, name, plan.attributes.keys(), place());
  }
  if (member.readOnly) return;
  const { scalar } = member.shape;
  const parsed = scalar.parse(scalar.trims ? trimXml(given.value) : given.value);
  if (parsed === undefined) throw wrongValue(local, name, scalar.expected, given.value, place());
  value[local] = parsed;
}

/** The text of an element with attributes; an empty one is the empty text, and absent for everything but text. */
function contentValue({ scalar }: ScalarShape, text: string, name: string, place: WhereAt): unknown {
  const trimmed = scalar.trims ? trimXml(text) : text;
  if (scalar.trims && trimmed === "") return undefined;
  const parsed = scalar.parse(trimmed);
  if (parsed === undefined) throw wrongValue("the text", name, scalar.expected, text, place());
  return parsed;
}

/** The values of the elements that no member has. */
function openFields(member: Member, value: Fields): Fields {
  const known = value[member.name] as Fields | undefined;
  if (known !== undefined) return known;
  const fresh: Fields = Object.create(null);
  value[member.name] = fresh;
  return fresh;
}

function refuseText(text: string, name: string, place: WhereAt): void {
  const said = trimXml(text);
  if (said !== "") throw wrongStructure(name, `${name} cannot have text beside its elements: ${shown(said)}`, place());
}

function refuseAttributes(attributes: Attributes, name: string, place: WhereAt): void {
  for (const { local, uri } of attributes) {
    if (uri !== instanceNamespace && uri !== xmlNamespace) throw unknownName("attribute", local, name, [], place());
  }
}

/** `xsi:nil="true"` stands for an absent element. */
function isNil(attributes: Attributes): boolean {
  return attributes.some(
    ({ local, uri, value }) => uri === instanceNamespace && local === "nil" && (value === "true" || value === "1"),
  );
}

/** White space as XML knows it; not the wider notion of `trim`. */
function trimXml(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}
