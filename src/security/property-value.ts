import { type Conversion, convertText, type DeclaredProperty } from "../plugin/properties.ts";
import { splitList } from "../plugin/value-list.ts";
import type { ObjectDefinition, PropertyValue } from "./object-definition.ts";

/** A value as the file gives it, `${…}` filled in. */
export interface WrittenValue {
  readonly text: string;
  /** Something was filled in: the text is data through and through, and has no `$reference`, `null` or `""`. */
  readonly filled: boolean;
}

export type ReadValue = PropertyValue | { readonly kind: "fault"; readonly code: FaultCode; readonly fault: string };
type FaultCode = "bad-value" | "bad-reference" | "unknown-object";

/** Finds an object that is defined so far. */
export type Find = (name: string) => ObjectDefinition | ReadValueFault;
type ReadValueFault = Extract<ReadValue, { kind: "fault" }>;

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
  const names = splitList(text).tokens.map((token) => token.text);
  if (text.startsWith("$") && names.every((name) => name.startsWith("$"))) {
    return names.length === 1 ? referTo(text, undefined, find) : referToAll(names, undefined, find);
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
  if (filled || text === '""') return fault("bad-reference", "The property takes objects; write $name, $other");
  const names = splitList(text).tokens.map((token) => token.text);
  return referToAll(names, property.kind, find);
}

function referToAll(names: readonly string[], kind: DeclaredProperty["kind"], find: Find): ReadValue {
  const objects: ObjectDefinition[] = [];
  for (const name of names) {
    if (!name.startsWith("$")) return fault("bad-reference", "The property takes objects; write $name, $other");
    const found = referTo(name, kind, find);
    if (found.kind !== "object") return found;
    if (objects.includes(found.object)) return fault("bad-reference", `The object ${found.object.name} is named twice`);
    objects.push(found.object);
  }
  return { kind: "objects", objects };
}

function referTo(reference: string, kind: DeclaredProperty["kind"], find: Find): ReadValue {
  const found = find(reference.slice(1));
  if ("fault" in found) return found;
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

function fault(code: FaultCode, message: string): ReadValueFault {
  return { kind: "fault", code, fault: message };
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
