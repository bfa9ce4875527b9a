import type { Subject } from "../../plugin/contract.ts";
import type { PartAccess } from "../access-port.ts";
import type { IndexedValue } from "../index-port.ts";
import type { SearchedFields } from "./query/criteria-context.ts";
import type { DerivedField, RelatedKind, SearchedField } from "./query/criterion.ts";
import type { Fragment } from "./query/fragment.ts";

/** What can be found, each with a key of its own. */
export type SearchKind = "item" | "collection" | "shape" | "file" | "document";

/** Who may find what. */
export interface SearchAccess {
  /** A select of the access sets that the subject may read; `"all"` for administrators. */
  readable(subject: Subject): Fragment | "all" | Promise<Fragment | "all">;
  /** What the subject may read of the shapes of items; `"all"` for administrators. */
  shapes(subject: Subject): PartAccess | "all" | Promise<PartAccess | "all">;
}

/** The fields that a caller can search, and whether a field may be shown to them. */
export interface SearchFieldsFor {
  readonly fields: SearchedFields;
  mayRead(field: string): boolean;
}

/** Fields that domains tell of themselves, by name, as a caller may see them; `undefined`: the service itself. */
export type OtherFields = (
  subject: Subject | undefined,
) => ReadonlyMap<string, SearchedField | DerivedField> | Promise<ReadonlyMap<string, SearchedField | DerivedField>>;

/** Definitions of metadata fields, as the search sees them. */
export interface SearchFieldSource {
  /** @param subject who searches; `undefined` for the service itself */
  fieldsFor(subject: Subject | undefined): SearchFieldsFor | Promise<SearchFieldsFor>;
}

/** Metadata of hits, to tell where in their time they match. */
export interface SearchEntities {
  /** Values by entity key, in one round trip. Inherited and referenced values are left out or not, as is cheaper. */
  valuesOf(keys: readonly number[]): Promise<ReadonlyMap<number, readonly IndexedValue[]>>;
}

/** A kind of entity beside items and collections that a domain adds: shapes, files. */
export interface KindDeclaration {
  readonly kind: "shape" | "file";
  readonly fields: SearchedFields;
  /** The condition that a caller who may not read all shapes may find such an entity, by its key, a column. */
  readonly visible: (id: Fragment, shapes: PartAccess) => Fragment;
}

/** From a select of keys of one kind to a select of the keys of another kind that belong to them. */
export type KindLink = (keys: Fragment) => Fragment;

/** The kinds that can be searched, and how they belong together. */
export interface SearchKinds {
  /** Adds a kind. */
  register(declaration: KindDeclaration): void;
  /** Adds how entities of the kind `to` are found from entities of the kind `from`. */
  link(from: RelatedKind, to: RelatedKind, link: KindLink): void;
  declared(kind: SearchKind): KindDeclaration | undefined;
  linked(from: RelatedKind, to: RelatedKind): KindLink | undefined;
}

export function createSearchKinds(): SearchKinds {
  const declarations = new Map<SearchKind, KindDeclaration>();
  const links = new Map<string, KindLink>();
  return {
    register: (declaration) => {
      declarations.set(declaration.kind, declaration);
    },
    link: (from, to, link) => {
      links.set(`${from} ${to}`, link);
    },
    declared: (kind) => declarations.get(kind),
    linked: (from, to) => links.get(`${from} ${to}`),
  };
}
