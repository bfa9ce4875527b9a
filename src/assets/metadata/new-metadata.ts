import type { Change } from "../../store/change.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import { type EntityKind, entityKey } from "../entity.ts";
import { difference } from "./difference.ts";
import { rightsFor } from "./metadata-documents.ts";
import type { Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { recordWrite } from "./metadata-event.ts";
import type { TransientValues } from "./metadata-row.ts";
import { addMetadataWrite } from "./metadata-write.ts";
import { emptyMetadata, type Metadata } from "./model.ts";
import { requireReferences } from "./put-metadata.ts";
import { systemUser } from "./system-user.ts";
import { applyUpdate } from "./update/apply-update.ts";
import { checkSchema } from "./update/check-schema.ts";

/** The metadata that an entity begins with. */
export interface NewMetadata {
  readonly kind: EntityKind;
  readonly serial: number;
  readonly owner: string;
  /** What the caller gives: the first change set, under the caller's name and rights. */
  readonly own?: MetadataValues | undefined;
  /** What the service gives: one change set each, values by field. */
  readonly system: readonly Readonly<Record<string, string>>[];
  /** Transient fields; those of the owner come by themselves. */
  readonly transient?: TransientValues;
}

/** A document of untimed fields with one value each. */
export function untimedFields(fields: Readonly<Record<string, string | readonly string[]>>): MetadataValues {
  return {
    timespan: [
      {
        field: Object.entries(fields).map(([name, given]) => {
          const values = typeof given === "string" ? [given] : given;
          return { name, value: values.map((value) => ({ value })) };
        }),
      },
    ],
  };
}

/**
 * Adds the metadata of a new entity to a change: its row, its index, and the event of what the caller gave. Whatever
 * says that the entity was created has to be recorded before.
 *
 * @throws KinoraError what updates of metadata throw
 */
export async function addNewMetadata(
  environment: MetadataEnvironment,
  editor: Editor,
  change: Change,
  created: NewMetadata,
): Promise<void> {
  const { kind, serial, owner, system } = created;
  const { store } = environment;
  const definitions = await environment.definitions.current();
  const rights = await rightsFor(environment, definitions, editor.subject);
  const changeSets = await store.ids.takeSerials("change-set", 1 + system.length);
  const time = store.now();
  const apply = (before: Metadata, document: MetadataValues, place: number): Metadata => {
    const isSystem = place > 0;
    return applyUpdate(before, document, {
      stamp: {
        id: changeSets[place] ?? 0,
        user: isSystem ? systemUser : owner,
        time,
        sequence: (before.last?.sequence ?? 0) + 1,
        writtenOut: false,
      },
      field: definitions.field,
      group: definitions.group,
      entryOf: () => undefined,
      isNew: true,
      mayWrite: rights.mayWrite,
      system: isSystem,
    });
  };
  const own = apply(emptyMetadata, created.own ?? {}, 0);
  checkSchema(emptyMetadata, own, definitions);
  await requireReferences(environment, editor, emptyMetadata, own);
  const states: [Metadata, ...Metadata[]] = [emptyMetadata, own];
  for (const [index, fields] of system.entries()) {
    states.push(apply(states.at(-1) ?? own, untimedFields(fields), index + 1));
  }
  const entity = { kind, serial, key: entityKey(kind, serial), writes: 0 };
  const transient = { ...created.transient, __user: [owner], user: [owner] };
  addMetadataWrite(environment, change, { entity, states, definitions, owner, transient }, undefined);
  for (const [field, values] of Object.entries(created.transient ?? {})) {
    environment.index.transient(change, kind, [serial], field, values);
  }
  if (own.last === undefined) return;
  recordWrite(environment, change, entity, own.last, difference(emptyMetadata, own), own);
}
