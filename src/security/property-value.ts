import { type Conversion, convertText, type DeclaredProperty } from "../plugin/properties.ts";
import { type ListToken, splitList } from "../plugin/value-list.ts";
import type { ObjectDefinition, PropertyValue } from "./object-definition.ts";

/** A value as the file gives it, `${…}` filled in. */
export interface WrittenValue {
  readonly text: string;
  /** Something was filled in: the text is data through and through, and has no `$reference`, `null` or `""`. */
  readonly filled: boolean;
}

export type ReadValue = PropertyValue | Faults;

/** A value that cannot be used. Without a fault in the list another error says enough already. */
export interface Faults {
  readonly kind: "faults";
  readonly faults: readonly PropertyFault[];
}
export interface PropertyFault {
  readonly code: "bad-value" | "bad-reference" | "unknown-object";
  readonly message: string;
  /** Offset in the value as it was written. */
  readonly offset: number;
}

/** Finds an object that is defined so far. */
export type Find = (name: string) => ObjectDefinition | Faults;

/** Reads a value for a declared property. `find` knows the objects defined so far. */
export function readValue(property: DeclaredProperty, written: WrittenValue, find: Find): ReadValue {
  const { text, filled } = written;
  if (!filled && text === "null") {
    return property.required || property.default !== undefined
      ? fault("bad-value", "The property cannot be null")
      : { kind: "plain", value: undefined };
  }
  if (property.type === "reference") return readReference(property, written, find);
  if ((property.type === "list" || property.type === "set") && property.kind !== undefined) {
    return readReferences(property, written, find);
  }
  const converted = convertText(
    property,
    !filled && text === '""' && isScalar(property) ? "" : text,
    literalOf(filled),
  );
  return "fault" in converted ? fault("bad-value", converted.fault) : { kind: "plain", value: converted.value };
}

/** Reads a value for a property that only a Standard Schema knows: text, a reference, or a list of references. */
export function readFreeValue(written: WrittenValue, find: Find): ReadValue {
  const { text, filled } = written;
  if (filled) return { kind: "plain", value: text };
  if (text === "null") return { kind: "plain", value: undefined };
  if (text === '""') return { kind: "plain", value: "" };
  const { tokens } = splitList(text);
  if (text.startsWith("$") && tokens.every((token) => token.text.startsWith("$"))) {
    return tokens.length === 1 ? referTo(text, undefined, find) : referToAll(tokens, undefined, find);
  }
  return { kind: "plain", value: text.startsWith("\\$") ? text.slice(1) : text };
}

/** Text as the file means it: `\$` at the start is a dollar; a reference is out of place here. */
export function literalOf(filled: boolean): (text: string) => Conversion {
  return (text) => {
    if (filled) return { value: text };
    if (text.startsWith("\\$")) return { value: text.slice(1) };
    return text.startsWith("$")
      ? { fault: "The property takes text, not an object; a text begins with \\$" }
      : { value: text };
  };
}

function readReference(property: DeclaredProperty, { text, filled }: WrittenValue, find: Find): ReadValue {
  return filled || !text.startsWith("$")
    ? fault("bad-reference", "The property takes an object; write $name")
    : referTo(text, property.kind, find);
}

function readReferences(property: DeclaredProperty, { text, filled }: WrittenValue, find: Find): ReadValue {
  if (filled || text === '""') return fault("bad-reference", wantsObjects);
  return referToAll(splitList(text).tokens, property.kind, find);
}

const wantsObjects = "The property takes objects; write $name, $other";

/** The objects that a list names, or what is wrong with each that it cannot name. */
function referToAll(tokens: readonly ListToken[], kind: DeclaredProperty["kind"], find: Find): ReadValue {
  const objects: ObjectDefinition[] = [];
  const faults: PropertyFault[] = [];
  let complete = true;
  for (const { text, offset } of tokens) {
    const found = referToAnother(text, kind, objects, find);
    if (found.kind === "object") objects.push(found.object);
    else {
      complete = false;
      faults.push(...found.faults.map((one) => ({ ...one, offset })));
    }
  }
  return complete ? { kind: "objects", objects } : { kind: "faults", faults };
}

function referToAnother(
  name: string,
  kind: DeclaredProperty["kind"],
  objects: readonly ObjectDefinition[],
  find: Find,
): Reference {
  if (!name.startsWith("$")) return fault("bad-reference", wantsObjects);
  const found = referTo(name, kind, find);
  return found.kind === "object" && objects.includes(found.object)
    ? fault("bad-reference", `The object ${found.object.name} is named twice`)
    : found;
}

type Reference = Extract<PropertyValue, { kind: "object" }> | Faults;

function referTo(reference: string, kind: DeclaredProperty["kind"], find: Find): Reference {
  const found = find(reference.slice(1));
  if (found.kind === "faults") return found;
  if (found.kind === "framework") return fault("bad-reference", `${found.name} is a part of the framework itself`);
  if (kind !== undefined && found.kind !== kind) {
    return fault("bad-reference", `${found.name} is a ${nameOfKind(found.kind)}; a ${nameOfKind(kind)} is expected`);
  }
  return { kind: "object", object: found };
}

/** `credentialsMatcher` as a person writes it: `credentials matcher`. */
export function nameOfKind(kind: ObjectDefinition["kind"]): string {
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isScalar({ type }: DeclaredProperty): boolean {
  return type !== "list" && type !== "set" && type !== "map";
}

/** One thing that is wrong with the value as a whole. */
export function fault(code: PropertyFault["code"], message: string): Faults {
  return { kind: "faults", faults: [{ code, message, offset: 0 }] };
}

/** What to write for a property, as a sentence. */
export function expectation({ type, kind, values }: DeclaredProperty): string {
  if (values !== undefined) return `Write one of ${values.join(", ")}`;
  switch (type) {
    case "reference":
      return "Write $name, with the name of an object that is defined above";
    case "list":
    case "set":
      return kind === undefined ? "Write: text, text" : "Write: $name, $name";
    case "map":
      return "Write: key:value, key:value";
    case "boolean":
      return "Write true or false";
    case "integer":
      return "Write a whole number, for example 60";
    case "number":
      return "Write a number, for example 1.5";
    case "bytes":
      return "Write Base64, or hexadecimal digits behind 0x";
    default:
      return "Write the text as it is; quotes would belong to it";
  }
}
