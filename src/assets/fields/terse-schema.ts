import { escapeAttribute } from "../../xml/escape.ts";
import type { FieldDefinition } from "./field-definition.ts";
import { type ValueKind, valueKind } from "./field-types.ts";

const simpleTypes: Readonly<Record<ValueKind, string>> = {
  string: "xs:string",
  integer: "xs:int",
  long: "xs:long",
  float: "xs:double",
  date: "xs:dateTime",
  boolean: "xs:boolean",
  timeCode: "xs:string",
};

function valueType(kind: ValueKind): string {
  return `  <xs:complexType name="${kind}Value">
    <xs:simpleContent>
      <xs:extension base="${simpleTypes[kind]}">
        <xs:attribute name="start" type="xs:string"/>
        <xs:attribute name="end" type="xs:string"/>
        <xs:attribute name="uuid" type="xs:string"/>
        <xs:attribute name="lang" type="xs:string"/>
      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
`;
}

/** The XML schema of terse metadata in a namespace: one element for each field, of the type of its values. */
export function terseSchema(fields: readonly FieldDefinition[], namespace: string): string {
  const target = escapeAttribute(namespace);
  const kinds = Object.keys(simpleTypes) as ValueKind[];
  const elements = fields.map(
    ({ name, type }) => `  <xs:element name="${escapeAttribute(name)}" type="${valueKind(type)}Value"/>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${target}" targetNamespace="${target}" elementFormDefault="qualified">
${kinds.map(valueType).join("")}${elements.join("")}</xs:schema>
`;
}
