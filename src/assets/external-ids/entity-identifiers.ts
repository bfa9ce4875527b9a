import type { Change } from "../../store/change.ts";
import type { EntityKind } from "../entity.ts";
import { type ExternalIdEnvironment, identifiersRemoved, identifyNew, removeIdentifiers } from "./identifiers.ts";

/** External identifiers, as the domains use them whose entities have them. */
export interface EntityIdentifiers {
  /** Adds an identifier of an entity that the change creates. @throws KinoraError `invalid-input`; `conflict` by the commit */
  add(change: Change, type: string, serial: number, identifier: string): Promise<void>;
  /** Takes an identifier from an entity, in a change of its own; answers whether it had that one. */
  remove(change: () => Change, type: string, serial: number, identifier: string): Promise<boolean>;
  /** Adds that deleted entities have none any more. */
  removed(change: Change, type: string, serials: readonly number[]): void;
}

/** The kind in the index of the types that have metadata. */
function kindOf(type: string): EntityKind | undefined {
  return type === "item" || type === "collection" ? type : undefined;
}

/** Makes them. */
export function entityIdentifiers(environment: ExternalIdEnvironment): EntityIdentifiers {
  return {
    add: (change, type, serial, identifier) =>
      identifyNew(environment, change, { type, serial, kind: kindOf(type) }, identifier),
    remove: (change, type, serial, identifier) =>
      removeIdentifiers(environment, change, { type, serial, kind: kindOf(type) }, identifier),
    removed: identifiersRemoved,
  };
}
