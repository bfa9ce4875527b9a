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

declare const typeOfValue: unique symbol;

/** The structure of a value. */
export type Shape = ScalarShape | ObjectShape | ListShape | RefShape | OpenShape;
export interface ScalarShape {
  readonly kind: "scalar";
  readonly scalar: Scalar;
}
/** A complex type; anonymous ones stand inline in the XSD. */
export interface ObjectShape {
  readonly kind: "object";
  readonly name?: string;
  readonly members: object;
}
/** A repeated element. */
export interface ListShape {
  readonly kind: "list";
  readonly item: Shape;
  readonly minimum: number;
  readonly maximum: number | undefined;
}
/** A type declared further down. */
export interface RefShape {
  readonly kind: "ref";
  readonly target: () => Shape;
}
/** An element whose children are lists under names that are not declared. */
export interface OpenShape {
  readonly kind: "open";
  readonly item: Shape;
}

/** Members of which an input may have one. */
export interface ChoiceGroup {
  readonly required: boolean;
}

/** Where in XML a member stands. `others`: child elements that no other member has; `json`: nowhere. */
export type MemberPlace = "element" | "attribute" | "content" | "others" | "json";

/** Everything a declaration says. */
export interface Specification {
  readonly shape: Shape;
  readonly place: MemberPlace;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly jsonEmptyList: boolean;
  readonly choice?: ChoiceGroup;
}

/** A declared member or type; `T` is its value, `R` whether it is required. */
export interface Declaration<T, R extends boolean = false> {
  /** For types only; absent at run time. */
  readonly [typeOfValue]?: readonly [T, R];
  readonly specification: Specification;
  /** Must be there: 400 on input without it, unless it is read-only. A list then has at least one entry. */
  required(): Declaration<T, true>;
  /** Accepted and dropped on input, whatever it holds. */
  readOnly(): Declaration<T, R>;
  /** For lists: JSON shows `[]` when it is empty or absent. */
  jsonEmptyList(): Declaration<T, R>;
}

/** A named complex type. */
export interface ObjectDeclaration<M> extends Declaration<ValueOfMembers<M>> {
  readonly members: M;
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
type ItemOf<D> = D extends { readonly specification: Specification } ? Infer<D> : ValueOfMembers<D>;

function declare<T, R extends boolean = false>(specification: Specification): Declaration<T, R> {
  return {
    specification,
    required: () => declare<T, true>({ ...specification, required: true }),
    readOnly: () => declare<T, R>({ ...specification, readOnly: true }),
    jsonEmptyList: () => declare<T, R>({ ...specification, jsonEmptyList: true }),
  };
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
): Declaration<readonly ItemOf<D>[]> {
  return element({ kind: "list", item: shapeOf(item), minimum: bounds.minimum ?? 0, maximum: bounds.maximum });
}

/** A complex type with a name, which may stand in several documents; or, without a name, an anonymous one. */
export function object<M extends object>(name: string, members: M): ObjectDeclaration<M>;
export function object<M extends object>(members: M): ObjectDeclaration<M>;
export function object<M extends object>(nameOrMembers: string | M, named?: M): ObjectDeclaration<M> {
  const members = typeof nameOrMembers === "string" ? (named as M) : nameOrMembers;
  const shape: ObjectShape =
    typeof nameOrMembers === "string" ? { kind: "object", name: nameOrMembers, members } : { kind: "object", members };
  return { ...element<ValueOfMembers<M>>(shape), members };
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
export function anyMap<D extends object>(item: D): Declaration<Readonly<Record<string, readonly ItemOf<D>[]>>> {
  return element({ kind: "open", item: shapeOf(item) });
}

/**
 * A member that takes all child elements which no other member has, by name, each name a list. In JSON its entries
 * stand beside the other keys.
 */
export function others<D extends object>(item: D): Declaration<Readonly<Record<string, readonly ItemOf<D>[]>>> {
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
