import { KinoraError } from "../../errors.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { DefinitionCache } from "./definition-cache.ts";
import type { Definitions } from "./definitions.ts";
import type { FieldDefinition, GroupDefinition } from "./field-definition.ts";
import { definitionsVersion } from "./read-definitions.ts";

/** What else hangs on the definition of a field: each adds its part to the change. */
export interface DefinitionObserver {
  /** A field is defined, redefined or, when `after` is absent, deleted. */
  fieldChanged(change: Change, before: FieldDefinition | undefined, after: FieldDefinition | undefined): void;
  /** A field group is deleted, by its row. */
  groupDeleted?(change: Change, group: number): void;
}

/** What an edit of definitions needs: where, by whom. */
export interface DefinitionEditing {
  readonly store: Store;
  readonly definitions: DefinitionCache;
  readonly observers: readonly DefinitionObserver[];
  /** Starts a change in the caller's name. */
  change(): Change;
}

/**
 * Plans an edit on the newest definitions and commits it; plans it again when another edit was faster. Edits of
 * definitions are rare, so one version guards them all.
 */
export async function editDefinitions<T>(
  editing: DefinitionEditing,
  plan: (definitions: Definitions, change: Change) => T | Promise<T>,
): Promise<T> {
  return repeatWhenRaced(async () => {
    const definitions = await editing.definitions.fresh();
    const change = editing.change();
    change.require(
      {
        sql: "select coalesce((select value from version where name = ?), 0) = ?",
        args: [definitionsVersion, definitions.version],
      },
      raced,
    );
    const result = await plan(definitions, change);
    editing.store.versions.bump(change, definitionsVersion);
    await change.commit();
    return result;
  });
}

/** An unknown field or field group on its own resource. */
export function noSuchDefinition(name: string): KinoraError {
  return new KinoraError("not-found", { type: "namespace", id: name });
}

/** The definition of a field. @throws KinoraError `not-found` */
export function requireField(definitions: Definitions, name: string): FieldDefinition {
  const field = definitions.field(name);
  if (field === undefined) throw noSuchDefinition(name);
  return field;
}

/** The definition of a field group. @throws KinoraError `not-found` */
export function requireGroup(definitions: Definitions, name: string): GroupDefinition {
  const group = definitions.group(name);
  if (group === undefined) throw noSuchDefinition(name);
  return group;
}
