import { KinoraError } from "../errors.ts";
import { decodeUtf8 } from "../xml/decode.ts";
import { forbiddenCharacterAt } from "../xml/escape.ts";
import { inWords, type Place } from "../xml/xml-error.ts";
import type { AnyDocument, Infer } from "./declare.ts";
import { checkComplete, shown, unknownName, wrongStructure, wrongValue } from "./input-error.ts";
import { JsonScanner } from "./json-scanner.ts";
import { itemOf, type Member, planOf, resolve, type ValueShape } from "./plan.ts";
import { defaultReadOptions, type ReadOptions, requireSize } from "./read-options.ts";
import type { ObjectShape, OpenShape, ScalarShape } from "./shape.ts";

/**
 * Reads a JSON document into the value its declaration describes: a bare object, repeatable elements arrays. Texts,
 * numbers and booleans may stand for each other where the text of the one is a value of the other; `null` stands for
 * an absent value.
 *
 * @param source bytes in UTF-8, or text
 * @throws KinoraError `invalid-json`, `unknown-element`, `invalid-value` or `invalid-input`, each with line and column;
 *   `too-large`
 */
export function readJson<D extends AnyDocument>(
  document: D,
  source: string | Uint8Array,
  options: Partial<ReadOptions> = {},
): Infer<D> {
  const { size, depth, nodes } = { ...defaultReadOptions, ...options };
  requireSize(source.length, size);
  const text = typeof source === "string" ? source.replace(/^\ufeff/, "") : decodeUtf8(source, "invalid-json");
  // An element that is repeated is two levels in JSON, its array and itself.
  const scanner = new JsonScanner(text, { depth: 2 * depth, nodes });
  const shape = resolve(document.specification.shape) as ObjectShape;
  const value = readObject(scanner, shape, document.documentName);
  scanner.end();
  return value as Infer<D>;
}

type Fields = Record<string, unknown>;

function readValue(scanner: JsonScanner, shape: ValueShape, name: string, owner: string): unknown {
  if (shape.kind === "scalar") return readScalar(scanner, shape, name, owner);
  return shape.kind === "object" ? readObject(scanner, shape, name) : readOpen(scanner, shape, name);
}

function readObject(scanner: JsonScanner, shape: ObjectShape, name: string): Fields {
  requireToken(scanner, "{", name, "an object");
  const plan = planOf(shape);
  const value: Fields = {};
  const seen = new Set<string>();
  scanner.object((key, place) => {
    const member = plan.byKey.get(key);
    if (seen.has(key)) throw wrongStructure(name, `The key ${shown(key)} stands twice in ${name}`, place());
    seen.add(key);
    if (member !== undefined) return readMember(scanner, member, name, value);
    if (plan.others?.shape.kind !== "open") throw unknownName("key", key, name, plan.byKey.keys(), place());
    const entries = readEntries(scanner, itemOf(plan.others.shape), key, name);
    if (entries !== undefined) othersOf(plan.others, value)[key] = entries;
  });
  checkComplete(plan, name, value, () => scanner.place());
  return value;
}

function readMember(scanner: JsonScanner, member: Member, owner: string, value: Fields): void {
  if (member.readOnly || scanner.peek() === "null") {
    scanner.skip();
    return;
  }
  const { name, shape } = member;
  const found = member.list ? readEntries(scanner, shape, name, owner) : readValue(scanner, shape, name, owner);
  if (found !== undefined) value[name] = found;
}

/** Reads an array; an empty one is absent. */
function readEntries(
  scanner: JsonScanner,
  shape: ValueShape,
  name: string,
  owner: string,
): readonly unknown[] | undefined {
  if (scanner.peek() !== "[") {
    throw wrongStructure(owner, `${name} in ${owner} is repeatable and must be an array`, scanner.place());
  }
  const entries: unknown[] = [];
  scanner.array(() => {
    entries.push(readValue(scanner, shape, name, owner));
  });
  return entries.length === 0 ? undefined : entries;
}

function readOpen(scanner: JsonScanner, shape: OpenShape, name: string): Fields {
  requireToken(scanner, "{", name, "an object");
  // Without a prototype, so that no key means anything but itself.
  const value: Fields = Object.create(null);
  const item = itemOf(shape);
  scanner.object((key, place) => {
    if (key in value) throw wrongStructure(name, `The key ${shown(key)} stands twice in ${name}`, place());
    const entries = readEntries(scanner, item, key, name);
    if (entries !== undefined) value[key] = entries;
  });
  return value;
}

function othersOf(member: Member, value: Fields): Fields {
  const known = value[member.name] as Fields | undefined;
  if (known !== undefined) return known;
  const fresh: Fields = Object.create(null);
  value[member.name] = fresh;
  return fresh;
}

function readScalar(scanner: JsonScanner, { scalar }: ScalarShape, name: string, owner: string): unknown {
  const start = scanner.index;
  const given = scalarText(scanner, name, owner, scalar.whole);
  const text = scalar.trims ? given.trim() : given;
  const parsed = scalar.parse(text);
  if (parsed === undefined) throw wrongValue(name, owner, scalar.expected, given, scanner.place(start));
  if (typeof parsed !== "string") return parsed;
  const forbidden = forbiddenCharacterAt(parsed);
  if (forbidden === -1) return parsed;
  const code = parsed.charCodeAt(forbidden).toString(16).toUpperCase().padStart(4, "0");
  throw wrongStructure(
    owner,
    `${name} in ${owner} has the character U+${code}, which no document can hold`,
    scanner.place(start),
  );
}

/** The text of a string, number or boolean. */
function scalarText(scanner: JsonScanner, name: string, owner: string, whole: boolean): string {
  const token = scanner.peek();
  if (token === "string") return scanner.string();
  if (token === "number") {
    const digits = scanner.number();
    const exact = whole && /[.eE]/.test(digits) ? Number(digits) : Number.NaN;
    return Number.isSafeInteger(exact) ? String(exact) : digits;
  }
  if (token === "true" || token === "false") {
    scanner.word(token);
    return token;
  }
  const found = token === "null" ? "null" : token === "{" ? "an object" : "an array";
  throw wrongStructure(owner, `${name} in ${owner} must be a single value, not ${found}`, scanner.place());
}

function requireToken(scanner: JsonScanner, token: "{", name: string, expected: string): void {
  if (scanner.peek() === token) return;
  const place: Place = scanner.place();
  throw new KinoraError("invalid-json", { explanation: `${name} must be ${expected} ${inWords(place)}` });
}
