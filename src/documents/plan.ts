import type { ChoiceGroup, MemberPlace, ObjectShape, OpenShape, ScalarShape, Shape, Specification } from "./shape.ts";

/** What a value can be once references are followed and lists are opened. */
export type ValueShape = ScalarShape | ObjectShape | OpenShape;

/** One member of a complex type, ready for readers and writers. */
export interface Member {
  readonly name: string;
  readonly place: MemberPlace;
  /** Of the value, or of one entry of a list. */
  readonly shape: ValueShape;
  readonly list: boolean;
  /** Bounds of a list that are not the usual ones. */
  readonly minimum: number;
  readonly maximum: number | undefined;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly jsonEmptyList: boolean;
  readonly choice: ChoiceGroup | undefined;
}

/** A complex type, its members looked up once. */
export interface ObjectPlan {
  /** For errors; anonymous types are called after the element they stand in. */
  readonly name: string | undefined;
  /** All members in declared order. */
  readonly members: readonly Member[];
  readonly elements: ReadonlyMap<string, Member>;
  readonly attributes: ReadonlyMap<string, Member>;
  /** All but `others`, by their key in JSON. */
  readonly byKey: ReadonlyMap<string, Member>;
  readonly content: Member | undefined;
  readonly others: Member | undefined;
  /** Members to look for after reading. */
  readonly required: readonly Member[];
  readonly choices: readonly (readonly Member[])[];
}

const plans = new WeakMap<ObjectShape, ObjectPlan>();

/**
 * The plan of a complex type. It is made on first use and not in the declaration, so that a type may name others that
 * are declared further down.
 *
 * @throws TypeError when the declaration makes no sense; a defect of the caller
 */
export function planOf(shape: ObjectShape): ObjectPlan {
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const plan = makePlan(shape);
  plans.set(shape, plan);
  return plan;
}

/** Follows references. */
export function resolve(shape: Shape): Shape {
  let found = shape;
  while (found.kind === "ref") found = found.target();
  return found;
}

function makePlan(shape: ObjectShape): ObjectPlan {
  const label = shape.name ?? "an anonymous type";
  const members = Object.entries(shape.members).map(([name, declaration]) => memberOf(name, declaration, label));
  const only = (place: MemberPlace): Member | undefined => {
    const found = members.filter((member) => member.place === place);
    if (found.length > 1) throw new TypeError(`${label} has two members with the place "${place}"`);
    return found[0];
  };
  const content = only("content");
  const others = only("others");
  if (content !== undefined && members.some(({ place }) => place === "element" || place === "others")) {
    throw new TypeError(`${label} has both text content and child elements`);
  }
  return {
    name: shape.name,
    members,
    elements: new Map(members.filter(({ place }) => place === "element").map((member) => [member.name, member])),
    attributes: new Map(members.filter(({ place }) => place === "attribute").map((member) => [member.name, member])),
    byKey: new Map(members.filter(({ place }) => place !== "others").map((member) => [member.name, member])),
    content,
    others,
    required: members.filter((member) => member.required),
    choices: choicesOf(members),
  };
}

function choicesOf(members: readonly Member[]): readonly (readonly Member[])[] {
  const groups = new Set(members.map((member) => member.choice));
  groups.delete(undefined);
  return [...groups].map((group) => members.filter((member) => member.choice === group));
}

function memberOf(name: string, declaration: unknown, owner: string): Member {
  const specification = (declaration as { readonly specification?: Specification } | undefined)?.specification;
  if (specification === undefined) throw new TypeError(`${owner} has a member ${name} that is not declared`);
  // Every plain object has it, so it could never be absent.
  if (name in Object.prototype) throw new TypeError(`${owner} cannot have a member called ${name}`);
  const outer = resolve(specification.shape);
  const list = outer.kind === "list";
  const shape = resolve(list ? outer.item : outer);
  if (shape.kind === "list" || shape.kind === "ref") throw new TypeError(`${owner} has a list of lists, ${name}`);
  const { place, required, readOnly, jsonEmptyList, choice } = specification;
  if ((place === "attribute" || place === "content") && (list || shape.kind !== "scalar")) {
    throw new TypeError(`${owner} has a member ${name} that cannot be ${place}`);
  }
  if (place === "others" && shape.kind !== "open") throw new TypeError(`${owner} has a wrong member ${name}`);
  return {
    name,
    place,
    shape,
    list,
    minimum: list ? Math.max(outer.minimum, required ? 1 : 0) : 0,
    maximum: list ? outer.maximum : undefined,
    required,
    readOnly,
    jsonEmptyList,
    choice,
  };
}

/** The shape of the lists of an open element. */
export function itemOf(shape: OpenShape): ScalarShape | ObjectShape | OpenShape {
  const item = resolve(shape.item);
  if (item.kind === "list" || item.kind === "ref") throw new TypeError("An open element cannot have lists of lists");
  return item;
}
