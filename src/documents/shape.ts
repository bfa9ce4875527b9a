import type { Scalar } from "./scalar.ts";

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
