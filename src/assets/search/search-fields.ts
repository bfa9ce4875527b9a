import type { Subject } from "../../plugin/contract.ts";
import type { Definitions } from "../fields/definitions.ts";
import type { FieldRights } from "../fields/field-access.ts";
import { modifiedField } from "./index/own-fields.ts";
import { transientAnalysis, transientName } from "./index/transient.ts";
import type { DerivedField, SearchedField } from "./query/criterion.ts";
import type { OtherFields, SearchFieldSource, SearchFieldsFor } from "./search-ports.ts";
import { type IndexField, indexFieldOf } from "./tokens/field-analysis.ts";

/** What searching needs of the definitions and of what a caller may see. */
export interface DefinitionSource {
  current(): Definitions | Promise<Definitions>;
  rightsOf(definitions: Definitions, subject: Subject): FieldRights | Promise<FieldRights>;
  /** Fields that are not defined and have rules of their own: `__ancestor_collection`. */
  readonly others?: OtherFields;
}

/** The fields of items, collections and documents: defined ones, and those that other domains maintain. */
export function createSearchFields({ current, rightsOf, others }: DefinitionSource): SearchFieldSource {
  return {
    async fieldsFor(subject) {
      const definitions = await current();
      const rights = subject === undefined ? undefined : await rightsOf(definitions, subject);
      return fieldsFor(definitions, rights, await others?.(subject));
    },
  };
}

function fieldsFor(
  definitions: Definitions,
  rights: FieldRights | undefined,
  others: ReadonlyMap<string, SearchedField | DerivedField> | undefined,
): SearchFieldsFor {
  const mayRead = (name: string) => rights === undefined || rights.unlimited || rights.mayRead("field", name);
  const limited = rights !== undefined && !rights.unlimited;
  return {
    mayRead,
    fields: {
      field(name) {
        const definition = definitions.field(name);
        if (definition === undefined) return others?.get(name) ?? ownField(name);
        const field = mayRead(name) ? indexFieldOf(definition) : undefined;
        return field === undefined ? "hidden" : { store: "index", field };
      },
      hasGroup: (name) => definitions.group(name) !== undefined,
      ...(limited ? { visibleText: visibleText(definitions, mayRead) } : {}),
      boostedText: () => visibleText(definitions, mayRead).filter(({ boost = 1 }) => boost !== 1),
      referring: () => (limited ? visibleHolders(definitions, rights) : "all"),
    },
  };
}

/** Full-text fields by their words, for callers who may not see all fields. */
function visibleText(definitions: Definitions, mayRead: (name: string) => boolean): readonly IndexField[] {
  return definitions.fields.flatMap((definition) => {
    const field = indexFieldOf(definition);
    return field?.fullText === true && field.analysis === "words" && mayRead(definition.name) ? [field] : [];
  });
}

/** What may refer to other metadata in a way that the caller sees. */
function visibleHolders({ fields, groups }: Definitions, rights: FieldRights): readonly string[] {
  return [
    ...fields.filter(({ name }) => rights.mayRead("field", name)),
    ...groups.filter(({ name }) => rights.mayRead("group", name)),
  ].map(({ name }) => name);
}

function ownField(name: string): SearchedField | undefined {
  if (name === modifiedField.name) return { store: "index", field: modifiedField };
  const kept = transientName(name);
  if (!kept.startsWith("__")) return undefined;
  return { store: "transient", field: { name: kept, analysis: transientAnalysis(kept) } };
}
