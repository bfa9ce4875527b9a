import { nearestName } from "../nearest-name.ts";
import type { PluginKind, PropertyDeclaration, PropertySchema } from "./contract.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { splitList, type TokenList } from "./value-list.ts";

/** A declared property, with its name. */
export interface DeclaredProperty extends PropertyDeclaration {
  readonly name: string;
  readonly kind?: PluginKind;
}

/** Declared properties by every name that sets them, aliases included. */
export type DeclaredProperties = ReadonlyMap<string, DeclaredProperty>;

/** A converted value, or a sentence of what is wrong; the sentence never has the text itself. */
export type Conversion = { readonly value: unknown } | { readonly fault: string };

export function isStandardSchema(schema: PropertySchema): schema is StandardSchema<unknown, unknown> {
  return "~standard" in schema && typeof schema["~standard"] === "object";
}

/** The table of a plugin's properties; `undefined` when a Standard Schema declares them in its own way. */
export function declaredProperties(schema: PropertySchema | undefined): DeclaredProperties | undefined {
  if (schema === undefined) return new Map();
  if (isStandardSchema(schema)) return undefined;
  const properties = new Map<string, DeclaredProperty>();
  for (const [name, declaration] of Object.entries(schema)) {
    const property = { name, ...(typeof declaration === "string" ? { type: declaration } : declaration) };
    for (const known of [name, ...(property.aliases ?? [])]) properties.set(known, property);
  }
  return properties;
}

/** Whether a property's value must never be printed: declared so, or named so. */
export function isSecret(name: string, declared?: PropertyDeclaration): boolean {
  return declared?.secret ?? /(?:password|secret|token)s?$/i.test(name);
}

/** The value of a property that the file does not set. */
export function unsetValue({ type, default: standard }: PropertyDeclaration): unknown {
  if (standard !== undefined) return standard;
  if (type === "list") return [];
  if (type === "set") return new Set();
  return type === "map" ? new Map() : undefined;
}

/**
 * Converts text to the declared type. `literal` turns each text into what it stands for, or says what is wrong with
 * it; it sees whole scalars, and the tokens of collections.
 */
export function convertText(
  property: DeclaredProperty,
  text: string,
  literal: (text: string) => Conversion = (value) => ({ value }),
): Conversion {
  switch (property.type) {
    case "list":
    case "set":
    case "map":
      return convertCollection(property, text, literal);
    default: {
      const plain = literal(text);
      return "fault" in plain ? plain : convertScalar(property, String(plain.value));
    }
  }
}

function convertCollection(
  property: DeclaredProperty,
  text: string,
  literal: (text: string) => Conversion,
): Conversion {
  if (text === '""') return { fault: "A list or map cannot be an empty text; leave the line out" };
  if (property.type === "map") return convertMap(splitList(text, ",", true), literal);
  const values: string[] = [];
  for (const token of splitList(text).tokens) {
    const plain = literal(token.text);
    if ("fault" in plain) return plain;
    const allowed = checkAllowed(property, String(plain.value));
    if (allowed !== undefined) return { fault: allowed };
    values.push(String(plain.value));
  }
  return { value: property.type === "set" ? new Set(values) : values };
}

function convertMap({ tokens }: TokenList, literal: (text: string) => Conversion): Conversion {
  const map = new Map<string, string>();
  for (const token of tokens) {
    const { tokens: pair } = splitList(token.text, ":");
    const [key, value] = pair;
    if (key === undefined || value === undefined || pair.length !== 2) {
      return {
        fault: 'An entry of a map is key:value; put a key or value that has a : or , in double quotes: key:"a:b"',
      };
    }
    const [plainKey, plainValue] = [literal(key.text), literal(value.text)];
    if ("fault" in plainKey) return plainKey;
    if ("fault" in plainValue) return plainValue;
    map.set(String(plainKey.value), String(plainValue.value));
  }
  return { value: map };
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "n", "off", "0"].map((word) => [word, false] as const),
]);

function convertScalar(property: DeclaredProperty, text: string): Conversion {
  switch (property.type) {
    case "integer": {
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(value) ? { value } : { fault: "A whole number is expected" };
    }
    case "number": {
      const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(value) ? { value } : { fault: "A number is expected" };
    }
    case "boolean": {
      const value = truths.get(text.toLowerCase());
      return value === undefined ? { fault: "true or false is expected" } : { value };
    }
    case "bytes":
      return decodeBytes(text);
    default: {
      const fault = checkAllowed(property, text);
      return fault === undefined ? { value: text } : { fault };
    }
  }
}

function checkAllowed({ values }: DeclaredProperty, text: string): string | undefined {
  if (values === undefined || values.includes(text)) return undefined;
  const nearest = nearestName(text, values);
  return `The value must be one of ${values.join(", ")}${nearest === undefined ? "" : `; perhaps ${nearest} is meant`}`;
}

/** Hexadecimal behind `0x`, else Base64 with or without padding. */
function decodeBytes(text: string): Conversion {
  if (text.startsWith("0x")) {
    const digits = text.slice(2);
    if (!/^(?:[0-9a-f]{2})*$/i.test(digits))
      return { fault: "Behind 0x an even number of hexadecimal digits is expected" };
    return { value: Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) };
  }
  const unpadded = text.replace(/={0,2}$/, "");
  const whole = text === unpadded || text.length % 4 === 0;
  if (!/^[A-Za-z0-9+/]*$/.test(unpadded) || unpadded.length % 4 === 1 || !whole) return { fault: "Base64 is expected" };
  return { value: Uint8Array.from(atob(unpadded), (character) => character.charCodeAt(0)) };
}
