/**
 * The types of a field. `string` is searched by words in any letter case, `string-exact` as a whole; `-sortable` adds a
 * sort key, `-noindex` is stored only.
 */
export const fieldTypes = [
  "string",
  "string-exact",
  "string-sortable",
  "string-exact-sortable",
  "string-noindex",
  "integer",
  "integer-sortable",
  "integer-noindex",
  "long",
  "long-sortable",
  "long-noindex",
  "float",
  "float-sortable",
  "float-noindex",
  "date",
  "date-sortable",
  "date-noindex",
  "boolean",
  "boolean-noindex",
  "timeCode",
  "timeCode-noindex",
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** What a value of a field is, without how it is indexed. */
export type ValueKind = "string" | "integer" | "long" | "float" | "date" | "boolean" | "timeCode";

const kinds = new Map(fieldTypes.map((type) => [type, type.split("-", 1)[0] as ValueKind]));

/** The kind of value of a field type: `string-exact-sortable` is a `string`. */
export function valueKind(type: FieldType): ValueKind {
  return kinds.get(type) as ValueKind;
}

/** Whether results can be sorted by a field of this type. Numbers, dates and time codes always sort. */
export function isSortable(type: FieldType): boolean {
  return type.endsWith("-sortable") || (valueKind(type) !== "string" && !type.endsWith("-noindex"));
}

export const indexModes = ["noindex", "index", "extend"] as const;
export type IndexMode = (typeof indexModes)[number];
