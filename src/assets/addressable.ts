import { KinoraError } from "../errors.ts";
import type { Subject } from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";
import { accessEntityOf } from "./access/access-entity.ts";
import { formatLibrary, resolveAccessEntity } from "./access/entity-id.ts";
import { requireAccess } from "./access/require-access.ts";
import type { AccessPort, Permission } from "./access-port.ts";
import type { EntityKind } from "./entity.ts";
import type { EntityIds } from "./entity-ids.ts";
import { requireFile } from "./files/read-files.ts";
import { requireEntity } from "./metadata/entity-access.ts";
import type { MetadataEnvironment } from "./metadata/metadata-environment.ts";

/** An entity that a path names, once the caller is known to be allowed to do with it what is needed. */
export interface FoundEntity {
  readonly serial: number;
  /** As documents write it: `VX-12`, or a name. */
  readonly id: string;
}

/** A kind of entity as those parts see it that treat all kinds alike: external identifiers, deletion locks. */
export interface Addressable {
  /** As tables and documents call it: `item`, `metadata-field`. */
  readonly type: string;
  /** In words, with its article: `an item`. */
  readonly words: string;
  /** With its parameters in braces: `/item/{itemId}`. */
  readonly path: `/${string}`;
  /** The kind of entity in the index, for fields that are searched; absent when it has no metadata. */
  readonly kind?: EntityKind;
  /**
   * `DELETE {path}/{identifier}` takes an external identifier away. Not where this path means something else as well,
   * which then looks for the identifier first.
   */
  readonly hasShortForm: boolean;
  /** @throws KinoraError `not-found`, `forbidden` */
  find(subject: Subject, params: Readonly<Record<string, string>>, needed: Permission): Promise<FoundEntity>;
}

/** Items, or collections. */
export function addressableEntity(
  environment: Pick<MetadataEnvironment, "store" | "access" | "ids">,
  kind: "item" | "collection",
): Addressable {
  return {
    type: kind,
    words: kind === "item" ? "an item" : "a collection",
    path: `/${kind}/{entityId}`,
    kind,
    hasShortForm: kind === "item",
    async find(subject, { entityId = "" }, needed) {
      const serial = await requireEntity(environment, subject, kind, entityId, needed);
      return { serial, id: environment.ids.format(serial) };
    },
  };
}

/** Libraries. */
export function addressableLibrary(environment: {
  readonly store: Store;
  readonly access: AccessPort;
  readonly ids: EntityIds;
}): Addressable {
  return {
    type: "library",
    words: "a library",
    path: "/library/{libraryId}",
    hasShortForm: false,
    async find(subject, { libraryId = "" }, needed) {
      const entity = await resolveAccessEntity(environment, "library", libraryId);
      await requireAccess(environment, subject, entity, needed);
      const { serial } = accessEntityOf(entity);
      return { serial, id: formatLibrary(environment.store.ids, serial) };
    },
  };
}

/** Files; who may do what with them is a matter of roles alone. */
export function addressableFile(
  environment: { readonly store: Store; readonly ids: EntityIds },
  path: "/file/{fileId}" | "/storage/file/{fileId}" = "/file/{fileId}",
): Addressable {
  return {
    type: "file",
    words: "a file",
    path,
    hasShortForm: path === "/file/{fileId}",
    async find(_subject, { fileId = "" }) {
      const { serial } = await requireFile(environment, fileId);
      return { serial, id: environment.ids.format(serial) };
    },
  };
}

const definitionTables = { "metadata-field": "metadata_field", "field-group": "metadata_field_group" } as const;

/** Metadata fields, or groups of them, by name or external identifier. */
export function addressableDefinition(
  { store, ids }: { readonly store: Store; readonly ids: EntityIds },
  type: keyof typeof definitionTables,
): Addressable {
  const isField = type === "metadata-field";
  const table = definitionTables[type];
  return {
    type,
    words: isField ? "a metadata field" : "a group of metadata fields",
    path: isField ? "/metadata-field/{name}" : "/metadata-field/field-group/{name}",
    hasShortForm: false,
    async find(_subject, { name = "" }) {
      const byName = { sql: `select id, name from ${table} where name = ?`, args: [name] };
      const [row] = await store.query(byName);
      if (row !== undefined) return { serial: Number(row.id), id: name };
      const serial = await ids.resolve(type, name);
      const [named] = await store.query({ sql: `select name from ${table} where id = ?`, args: [serial] });
      if (named === undefined) throw new KinoraError("not-found", { type, id: name });
      return { serial, id: String(named.name) };
    },
  };
}
