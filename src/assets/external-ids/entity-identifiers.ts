import type { Change } from "../../store/change.ts";
import type { ExternalIdentifier } from "../documents/item-document.ts";
import type { EntityKind } from "../entity.ts";
import { identifierDocuments } from "./identifier-documents.ts";
import {
  type ExternalIdEnvironment,
  identifiersRemoved,
  identifyNew,
  removeIdentifiers,
  type TakenCode,
} from "./identifiers.ts";

/** External identifiers, as the domains use them whose entities have them. */
export interface EntityIdentifiers {
  /**
   * Adds an identifier of an entity that the change creates.
   *
   * @param taken what the commit throws when another entity has it. Default `conflict`
   * @throws KinoraError `invalid-input`
   */
  add(change: Change, type: string, serial: number, identifier: string, taken?: TakenCode): Promise<void>;
  /** Takes an identifier from an entity, in a change of its own; answers whether it had that one. */
  remove(change: () => Change, type: string, serial: number, identifier: string): Promise<boolean>;
  /** Adds that deleted entities have none any more. */
  removed(change: Change, type: string, serials: readonly number[]): void;
  /** As documents of entities of a type show them, by serial. */
  shown(type: string, serials: readonly number[]): Promise<ReadonlyMap<number, readonly ExternalIdentifier[]>>;
}

/** The kind in the index of the types that have metadata. */
function kindOf(type: string): EntityKind | undefined {
  return type === "item" || type === "collection" ? type : undefined;
}

/** Makes them. */
export function entityIdentifiers(environment: ExternalIdEnvironment): EntityIdentifiers {
  return {
    add: (change, type, serial, identifier, taken) =>
      identifyNew(environment, change, { type, serial, kind: kindOf(type) }, identifier, taken),
    remove: (change, type, serial, identifier) =>
      removeIdentifiers(environment, change, { type, serial, kind: kindOf(type) }, identifier),
    removed: identifiersRemoved,
    shown: (type, serials) => identifierDocuments(environment.store, type, serials),
  };
}
