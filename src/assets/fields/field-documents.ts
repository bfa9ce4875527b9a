import { parseBoolean } from "../../documents/scalar.ts";
import { KinoraError } from "../../errors.ts";
import type { MetadataField, MetadataFieldGroup } from "../documents/field-document.ts";
import type { FieldDefinition, GroupDefinition, Occurrence } from "./field-definition.ts";
import { isSortable, valueKind } from "./field-types.ts";
import { normaliseValue } from "./normalise-value.ts";
import type { StoredField } from "./read-definitions.ts";
import { restrictionMembers, restrictionOf } from "./restriction.ts";

/** The word of an `inheritance` attribute. @throws KinoraError `invalid-input` when it is neither true nor false. */
export function inheritanceOf(word: string | undefined): boolean | undefined {
  if (word === undefined || word === "") return undefined;
  const value = parseBoolean(word);
  if (value !== undefined) return value;
  throw new KinoraError("invalid-input", {
    context: "inheritance",
    value: word,
    explanation: `The attribute inheritance must be true or false, not ${JSON.stringify(word)}`,
  });
}

/**
 * The definition that a document makes, or makes of an existing one: what the document leaves out stays, or gets its
 * default: type `string`, indexed, in the full text unless the type is not indexed.
 *
 * @throws KinoraError `invalid-input`, `invalid-value` for a part that makes no sense; `conflict` when the kind of the
 * values would change
 */
export function fieldFromDocument(name: string, document: MetadataField, before?: FieldDefinition): StoredField {
  const type = document.type ?? before?.type ?? "string";
  if (before !== undefined && valueKind(before.type) !== valueKind(type)) {
    throw new KinoraError("conflict", {
      context: "metadata-field",
      id: name,
      explanation: `The field ${name} is of the type ${before.type}; its values cannot become ${valueKind(type)} values`,
    });
  }
  const index = document.index ?? before?.index ?? (type.endsWith("-noindex") ? "noindex" : "index");
  const restriction = restrictionOf(name, type, document) ?? before?.restriction;
  const boost = document.boost ?? before?.boost;
  const stored: StoredField = {
    type,
    index,
    fullText: document.fullText ?? before?.fullText ?? index !== "noindex",
    inheritance: inheritanceOf(document.inheritance) ?? before?.inheritance ?? false,
    system: before?.system ?? false,
    ...(boost === undefined ? {} : { boost }),
    ...(restriction === undefined ? {} : { restriction }),
  };
  const given = document.defaultValue;
  const defaultValue = given === undefined ? before?.defaultValue : normaliseValue({ ...stored, id: 0, name }, given);
  return defaultValue === undefined ? stored : { ...stored, defaultValue };
}

/** What of a definition is kept apart from it. */
export interface FieldExtras {
  readonly data?: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly values?: MetadataField["values"];
  readonly schema?: Occurrence | undefined;
}

function schemaOf(name: string, occurrence: Occurrence | undefined): MetadataField["schema"] {
  if (occurrence === undefined) return undefined;
  const { min, max, reference } = occurrence;
  return { min, max, name, ...(reference === undefined ? {} : { reference }) };
}

/** The document of a field. @param origin the site. */
export function fieldDocument(field: FieldDefinition, origin: string, extras: FieldExtras = {}): MetadataField {
  const { name, type, index, fullText, boost, restriction, defaultValue } = field;
  return {
    system: String(field.system),
    sortable: isSortable(type),
    inheritance: String(field.inheritance),
    name,
    schema: schemaOf(name, extras.schema),
    type,
    index,
    fullText,
    boost,
    ...restrictionMembers(restriction),
    data: extras.data,
    values: extras.values,
    defaultValue,
    origin,
  };
}

/** The document of a field group without its content. @param origin the site. */
export function groupDocument(
  group: GroupDefinition,
  origin: string,
  extras: Omit<FieldExtras, "values"> = {},
): MetadataFieldGroup {
  return {
    inheritance: String(group.inheritance),
    name: group.name,
    schema: schemaOf(group.name, extras.schema ?? { min: 0, max: -1 }),
    data: extras.data,
    origin,
  };
}
