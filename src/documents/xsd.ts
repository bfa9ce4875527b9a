import { escapeAttribute } from "../xml/escape.ts";
import type { AnyDocument } from "./declare.ts";
import { itemOf, type Member, type ObjectPlan, planOf, resolve, type ValueShape } from "./plan.ts";
import type { ObjectShape, ScalarShape } from "./shape.ts";

/**
 * The XML Schema of documents in one namespace. Named types are written once and may refer to each other; elements
 * stand in the order in which answers have them.
 *
 * @throws TypeError when two different types or documents have the same name
 */
export function xsd(documents: readonly AnyDocument[], namespace: string): string {
  const types = new Map<string, ObjectShape>();
  const seen = new Set<ObjectShape>();
  for (const { specification } of documents) collect(resolve(specification.shape) as ObjectShape, types, seen);
  const roots = new Map(documents.map((document) => [document.documentName, document]));
  const target =
    namespace === "" ? "" : ` targetNamespace="${escapeAttribute(namespace)}" xmlns="${escapeAttribute(namespace)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"${target} elementFormDefault="qualified" version="1.0">`,
    ...[...roots.values()].map(rootElement),
    ...[...types].sort(byName).map(([name, shape]) => complexType(planOf(shape), ` name="${name}"`)),
    ...contentTypes(seen),
    "</xs:schema>",
    "",
  ].join("\n");
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Finds the named types that a type needs, itself among them. */
function collect(shape: ValueShape, types: Map<string, ObjectShape>, seen: Set<ObjectShape>): void {
  if (shape.kind === "open") collect(itemOf(shape), types, seen);
  if (shape.kind !== "object" || seen.has(shape)) return;
  seen.add(shape);
  if (shape.name !== undefined) {
    const known = types.get(shape.name);
    if (known !== undefined && known !== shape) throw new TypeError(`Two types are called ${shape.name}`);
    types.set(shape.name, shape);
  }
  for (const member of planOf(shape).members) collect(member.shape, types, seen);
}

/** The named types of texts. */
function contentTypes(shapes: ReadonlySet<ObjectShape>): readonly string[] {
  const definitions = new Map<string, string>();
  for (const plan of [...shapes].map(planOf)) {
    if (plan.content === undefined) continue;
    const { name, definition } = contentType(plan, plan.content);
    if (definition !== undefined) definitions.set(name, definition);
  }
  return [...definitions].sort(byName).map(([, definition]) => definition);
}

function rootElement({ documentName, specification }: AnyDocument): string {
  const shape = resolve(specification.shape) as ObjectShape;
  if (shape.name !== undefined) return `<xs:element name="${documentName}" type="${shape.name}"/>`;
  return `<xs:element name="${documentName}">${complexType(planOf(shape), "")}</xs:element>`;
}

function complexType(plan: ObjectPlan, attributes: string): string {
  const inner = plan.content === undefined ? sequence(plan) + attributesOf(plan) : simpleContent(plan, plan.content);
  return `<xs:complexType${attributes}>${inner}</xs:complexType>`;
}

function sequence(plan: ObjectPlan): string {
  if (plan.others !== undefined) return anyElements;
  const done = new Set<Member>();
  let all = "";
  for (const member of plan.members) {
    if (member.place !== "element" || done.has(member)) continue;
    const group = plan.choices.find((candidate) => candidate.includes(member));
    all += group === undefined ? element(member) : choice(group);
    for (const together of group ?? [member]) done.add(together);
  }
  return all === "" ? "" : `<xs:sequence>${all}</xs:sequence>`;
}

function choice(group: readonly Member[]): string {
  const minimum = group[0]?.choice?.required === true ? "" : ' minOccurs="0"';
  return `<xs:choice${minimum}>${group.map((member) => element({ ...member, minimum: 1 }, true)).join("")}</xs:choice>`;
}

const anyElements = '<xs:sequence><xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>';

function element(member: Member, chosen = false): string {
  const { name, list, required, minimum, maximum, shape } = member;
  const least = list ? (required || chosen ? Math.max(1, minimum) : 0) : required || chosen ? 1 : 0;
  const occurs = (least === 1 ? "" : ` minOccurs="${least}"`) + (list ? ` maxOccurs="${maximum ?? "unbounded"}"` : "");
  return typed("xs:element", `name="${name}"${occurs}`, shape);
}

function typed(tag: "xs:element" | "xs:attribute", attributes: string, shape: ValueShape): string {
  if (shape.kind === "scalar" && shape.scalar.values === undefined) {
    return `<${tag} ${attributes} type="${shape.scalar.xsdType}"/>`;
  }
  if (shape.kind === "object" && shape.name !== undefined) return `<${tag} ${attributes} type="${shape.name}"/>`;
  const inner =
    shape.kind === "scalar"
      ? `<xs:simpleType>${enumeration(shape)}</xs:simpleType>`
      : shape.kind === "object"
        ? complexType(planOf(shape), "")
        : `<xs:complexType>${anyElements}</xs:complexType>`;
  return `<${tag} ${attributes}>${inner}</${tag}>`;
}

function enumeration({ scalar }: ScalarShape): string {
  const values = scalar.values?.map((value) => `<xs:enumeration value="${escapeAttribute(value)}"/>`) ?? [];
  return `<xs:restriction base="${scalar.xsdType}">${values.join("")}</xs:restriction>`;
}

function attributesOf(plan: ObjectPlan): string {
  const attributes = plan.members.filter(({ place }) => place === "attribute");
  return attributes
    .map(({ name, required, shape }) =>
      typed("xs:attribute", `name="${name}"${required ? ' use="required"' : ""}`, shape),
    )
    .join("");
}

function simpleContent(plan: ObjectPlan, content: Member): string {
  const base = contentType(plan, content);
  return `<xs:simpleContent><xs:extension base="${base.name}">${attributesOf(plan)}</xs:extension></xs:simpleContent>`;
}

/**
 * The type of an element's text. One that may be absent is written as an empty element, which most types do not allow;
 * that, and enumerations, need a type of their own, and XML Schema wants it named.
 */
function contentType(plan: ObjectPlan, { shape, required }: Member): { name: string; definition?: string } {
  const { scalar } = shape as ScalarShape;
  const { xsdType, values } = scalar;
  if (values === undefined && (required || xsdType === "xs:string")) return { name: xsdType };
  // The words of an anonymous type have no name to go by.
  if (values !== undefined && plan.name === undefined) return { name: "xs:string" };
  const own =
    values === undefined ? pascalCase(xsdType.replace("xs:", "")) : `${plan.name?.replace(/Type$/, "")}Content`;
  const restriction = `<xs:simpleType>${enumeration(shape as ScalarShape)}</xs:simpleType>`;
  const named = `${own}${required ? "" : "OrEmpty"}Type`;
  const inner = required ? enumeration(shape as ScalarShape) : `<xs:union>${restriction}${emptyText}</xs:union>`;
  return { name: named, definition: `<xs:simpleType name="${named}">${inner}</xs:simpleType>` };
}

const emptyText =
  '<xs:simpleType><xs:restriction base="xs:string"><xs:length value="0"/></xs:restriction></xs:simpleType>';

function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
