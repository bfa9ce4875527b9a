import type { Change } from "../../store/change.ts";
import type { EntityKind } from "../entity.ts";
import { notFound } from "./entity-access.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { addMetadataWrite } from "./metadata-write.ts";
import { untimedFields } from "./new-metadata.ts";
import { readForWrite } from "./read-for-write.ts";
import { spreadWrite, surroundingsOf } from "./spread-write.ts";
import { systemUser } from "./system-user.ts";
import { applyUpdate } from "./update/apply-update.ts";

/**
 * Adds to a change that fields of the service have these values on an entity: `shapeTag`, `mediaType`,
 * `durationSeconds`; an empty list takes a field away. One change set of the user `system`, with its event; nothing when
 * nothing changes.
 *
 * The change holds only while the entity's metadata is as it was read here, so the caller has to plan the whole change
 * anew inside `repeatWhenRaced`.
 *
 * @throws KinoraError `not-found`, and `invalid-value` for a value that does not fit its field
 */
export async function addSystemWrite(
  environment: MetadataEnvironment,
  change: Change,
  { kind, serial }: { readonly kind: EntityKind; readonly serial: number },
  fields: Readonly<Record<string, string | readonly string[]>>,
): Promise<void> {
  const { store } = environment;
  const definitions = await environment.definitions.current();
  const [found] = await readForWrite(environment, undefined, kind, [serial]);
  if (found === undefined) throw notFound(environment, kind, serial);
  const { row } = found;
  const before = row.metadata;
  const after = applyUpdate(before, untimedFields(fields), {
    stamp: {
      id: await store.ids.nextSerial("change-set"),
      user: systemUser,
      time: store.now(),
      sequence: (before.last?.sequence ?? 0) + 1,
      writtenOut: false,
    },
    field: definitions.field,
    group: definitions.group,
    entryOf: () => undefined,
    mayWrite: () => true,
    system: true,
  });
  if (after === before) return;
  const shown = await surroundingsOf(environment, change, definitions, row, after);
  const write = {
    entity: row,
    states: [before, after] as const,
    definitions,
    ...(shown === undefined ? {} : { shown }),
  };
  const written = addMetadataWrite(environment, change, write, after.last);
  await spreadWrite(environment, change, definitions, row, after, written);
}
