/**
 * The declaration language for documents. One declaration gives the TypeScript type ({@link Infer}), the XML and JSON
 * readers and writers, and the XSD.
 *
 * ```ts
 * export const AccessKeyDocument = document("AccessKeyDocument", {
 *   id: text().readOnly(),
 *   name: text(),
 *   status: oneOf("ACTIVE", "INACTIVE").required(),
 *   created: dateTime().readOnly(),
 * });
 * export type AccessKey = Infer<typeof AccessKeyDocument>;
 * ```
 *
 * Members are optional unless `.required()`; their order is the order of XML elements in answers and of the XSD. A
 * type that contains itself does so in a getter: `get child() { return list(Group); }`, or through {@link ref}.
 */
import {
  booleanScalar,
  dateTimeScalar,
  doubleScalar,
  enumeration,
  intScalar,
  longScalar,
  type Scalar,
  textScalar,
} from "./scalar.ts";
import type { ChoiceGroup, ObjectShape, Shape, Specification } from "./shape.ts";

declare const typeOfValue: unique symbol;

/** A declared member or type; `T` is its value, `R` whether it is required. */
export interface Declaration<T, R extends boolean = false> {
  /** For types only; absent at run time. */
  readonly [typeOfValue]?: readonly [T, R];
  readonly specification: Specification;
  /** Must be there: 400 on input without it. A list then has at least one entry. Not for what is read-only. */
  required(): Declaration<T, true>;
  /** Accepted and dropped on input, whatever it holds; so a handler never finds it there, and it cannot be required. */
  readOnly(): Declaration<T>;
  /** For lists: JSON shows `[]` when it is empty or absent. */
  jsonEmptyList(): Declaration<T, R>;
}

// The next two are what `Declaration<readonly X[]>` and `Declaration<{…}>` would be, but they name the declarations that
// they are made of instead of the value: TypeScript then works out the value when somebody asks for it and not before,
// which is what lets a type contain itself by a getter.

/** A declared list of `D`. */
export interface ListDeclaration<D, R extends boolean = false> {
  readonly [typeOfValue]?: readonly [readonly ValueOf<D>[], R];
  readonly specification: Specification;
  required(): ListDeclaration<D, true>;
  readOnly(): ListDeclaration<D>;
  jsonEmptyList(): ListDeclaration<D, R>;
}

/** A declared complex type with members `M`. */
export interface ObjectDeclaration<M, R extends boolean = false> {
  readonly [typeOfValue]?: readonly [ValueOfMembers<M>, R];
  readonly specification: Specification;
  readonly members: M;
  required(): ObjectDeclaration<M, true>;
  readOnly(): ObjectDeclaration<M>;
  jsonEmptyList(): ObjectDeclaration<M, R>;
}

/** A document: a complex type that can be the root, under this name. */
export interface Document<M> extends ObjectDeclaration<M> {
  readonly documentName: string;
}

/** Any document, its members forgotten: what routes, the XSD and the error documents take. */
export interface AnyDocument<T = unknown> {
  readonly [typeOfValue]?: readonly [T, boolean];
  readonly documentName: string;
  readonly specification: Specification;
}

/** The TypeScript type of a declaration's values. */
export type Infer<D> = D extends { readonly [typeOfValue]?: readonly [infer T, boolean] } ? T : never;

type IsRequired<D> = D extends { readonly [typeOfValue]?: readonly [unknown, infer R] }
  ? [R] extends [true]
    ? true
    : false
  : false;

/** The value of an object with these members. */
export type ValueOfMembers<M> = {
  readonly [K in keyof M as IsRequired<M[K]> extends true ? K : never]: Infer<M[K]>;
} & {
  readonly [K in keyof M as IsRequired<M[K]> extends true ? never : K]?: Infer<M[K]> | undefined;
};

/** The value of anything that can stand in a list: a declaration, or members of an anonymous type. */
type ValueOf<D> = D extends { readonly specification: Specification } ? Infer<D> : ValueOfMembers<D>;

/** Lists under names that are not declared. */
type ValueOfOpen<D> = Readonly<Record<string, readonly ValueOf<D>[]>>;

function declare<T, R extends boolean = false>(specification: Specification): Declaration<T, R> {
  return {
    specification,
    required: () => declare<T, true>(required(specification)),
    readOnly: () => declare<T>(readOnly(specification)),
    jsonEmptyList: () => declare<T, R>({ ...specification, jsonEmptyList: true }),
  };
}

function required(specification: Specification): Specification {
  if (specification.readOnly) throw new TypeError("A read-only member cannot be required");
  return { ...specification, required: true };
}

function readOnly(specification: Specification): Specification {
  if (specification.required) throw new TypeError("A required member cannot be read-only");
  return { ...specification, readOnly: true };
}

function element<T>(shape: Shape): Declaration<T> {
  return declare<T>({ shape, place: "element", required: false, readOnly: false, jsonEmptyList: false });
}

function scalar<T>(kind: Scalar): Declaration<T> {
  return element<T>({ kind: "scalar", scalar: kind });
}

/** Text, kept exactly. JSON input may be a number or boolean, which becomes its text. */
export function text(): Declaration<string> {
  return scalar(textScalar);
}

/** `true` or `false`; input also `1`, `0`, `yes`, `no`, in any letter case. */
export function boolean(): Declaration<boolean> {
  return scalar(booleanScalar);
}

/** A whole number of at most 32 bits. */
export function int(): Declaration<number> {
  return scalar(intScalar);
}

/** A whole number of at most 64 bits: a `number` when that holds it exactly, else a `bigint`. */
export function long(): Declaration<number | bigint> {
  return scalar(longScalar);
}

/** A number with or without a fraction, or `INF`, `-INF`, `NaN`. */
export function double(): Declaration<number> {
  return scalar(doubleScalar);
}

/** A point in time; in memory `2024-03-05T10:11:12.345Z`, see `fromEpoch` and `toEpoch`. */
export function dateTime(): Declaration<string> {
  return scalar(dateTimeScalar);
}

/** One of these texts, exactly. */
export function oneOf<const V extends readonly [string, ...string[]]>(...values: V): Declaration<V[number]> {
  return scalar(enumeration(values));
}

/** The member is an attribute in XML. */
export function attribute<T, R extends boolean>(of: Declaration<T, R>): Declaration<T, R> {
  return declare<T, R>({ ...of.specification, place: "attribute" });
}

/** The member is in JSON alone, where clients want what XML does not have. */
export function jsonOnly<T, R extends boolean>(of: Declaration<T, R>): Declaration<T, R> {
  return declare<T, R>({ ...of.specification, place: "json" });
}

/** The member is the text of the element in XML, beside attributes; its key is the one in JSON, so call it `value`. */
export function content<T, R extends boolean>(of: Declaration<T, R>): Declaration<T, R>;
export function content(): Declaration<string>;
export function content(of: Declaration<unknown, boolean> = text()): Declaration<unknown, boolean> {
  return declare<unknown, boolean>({ ...of.specification, place: "content" });
}

/**
 * A repeated element. Absent and empty are the same on the wire: a list without entries reads as `undefined`.
 *
 * @param item a declaration, or the members of an anonymous type
 */
export function list<D extends object>(
  item: D,
  bounds: { readonly minimum?: number; readonly maximum?: number } = {},
): ListDeclaration<D> {
  return element<readonly ValueOf<D>[]>({
    kind: "list",
    item: shapeOf(item),
    minimum: bounds.minimum ?? 0,
    maximum: bounds.maximum,
  });
}

/**
 * A complex type with a name, which may stand in several documents; or, without a name, an anonymous one.
 *
 * @param base members that it shares with other types, which come first. A spread into `members` does the same, but
 *   with one TypeScript cannot follow a type that contains itself by a getter.
 */
export function object<M extends object, B extends object = Record<never, never>>(
  name: string,
  members: M,
  base?: B,
): ObjectDeclaration<B & M>;
export function object<M extends object>(members: M): ObjectDeclaration<M>;
export function object(
  nameOrMembers: string | object,
  named: object = {},
  base: object = {},
): ObjectDeclaration<Record<never, never>> {
  if (typeof nameOrMembers !== "string") return complexType({ kind: "object", members: nameOrMembers });
  // By descriptors, since a getter may name a type that is not declared yet.
  const all = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(named) };
  return complexType({ kind: "object", name: nameOrMembers, members: Object.defineProperties({}, all) });
}

function complexType<M extends object>(shape: ObjectShape): ObjectDeclaration<M> {
  return objectDeclaration<M, false>(element(shape).specification, shape.members as M);
}

function objectDeclaration<M, R extends boolean = false>(
  specification: Specification,
  members: M,
): ObjectDeclaration<M, R> {
  return {
    specification,
    members,
    required: () => objectDeclaration<M, true>(required(specification), members),
    readOnly: () => objectDeclaration<M>(readOnly(specification), members),
    jsonEmptyList: () => objectDeclaration<M, R>({ ...specification, jsonEmptyList: true }, members),
  };
}

/**
 * A document: a complex type and the root element of this name.
 *
 * @param members its members, or a type from {@link object} that several roots share
 */
export function document<M extends object>(name: string, members: ObjectDeclaration<M>): Document<M>;
export function document<M extends object>(name: string, members: M): Document<M>;
export function document<M extends object>(name: string, given: M | ObjectDeclaration<M>): Document<M> {
  const type = isObjectDeclaration(given) ? given : object(name.replace(/Document$/, "Type"), given);
  return { ...type, documentName: name };
}

/** A type declared further down, or the one being declared; its value type must be annotated. */
export function ref<T>(target: () => Declaration<T, boolean>): Declaration<T> {
  return element({ kind: "ref", target: () => target().specification.shape });
}

/**
 * An element whose children have names that are not declared, each name a list: `{ title: [{ value: "x" }] }`.
 */
export function anyMap<D extends object>(item: D): Declaration<ValueOfOpen<D>> {
  return element({ kind: "open", item: shapeOf(item) });
}

/**
 * A member that takes all child elements which no other member has, by name, each name a list. In JSON its entries
 * stand beside the other keys.
 */
export function others<D extends object>(item: D): Declaration<ValueOfOpen<D>> {
  return declare({ ...anyMap(item).specification, place: "others" });
}

/** Members of which at most one, or with `required` exactly one, may be there: `...choice({ user: text(), … })`. */
export function choice<M extends Readonly<Record<string, Declaration<unknown, false>>>>(
  members: M,
  options: { readonly required?: boolean } = {},
): M {
  const group: ChoiceGroup = { required: options.required ?? false };
  const marked = Object.entries(members).map(([name, member]) => [
    name,
    declare({ ...member.specification, choice: group }),
  ]);
  return Object.fromEntries(marked) as M;
}

function shapeOf(item: object): Shape {
  return isDeclaration(item) ? item.specification.shape : { kind: "object", members: item };
}

/** A member may be called `required`, but then it is no function. */
function isDeclaration(item: object): item is Declaration<unknown, boolean> {
  return "required" in item && typeof item.required === "function";
}

function isObjectDeclaration<M extends object>(given: M | ObjectDeclaration<M>): given is ObjectDeclaration<M> {
  return isDeclaration(given);
}
