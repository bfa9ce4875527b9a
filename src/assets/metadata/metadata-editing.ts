import { KinoraError } from "../../errors.ts";
import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import { rankOf } from "../access-port.ts";
import { type EntityKind, entityKey } from "../entity.ts";
import type { Definitions } from "../fields/definitions.ts";
import type { FieldRights } from "../fields/field-access.ts";
import { difference } from "./difference.ts";
import { notFound, requireRank } from "./entity-access.ts";
import { rightsFor } from "./metadata-documents.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { requireFieldsUnlocked, requireItemUnlocked } from "./metadata-locks.ts";
import type { MetadataRow } from "./metadata-row.ts";
import { addMetadataWrite, requireSame } from "./metadata-write.ts";
import { type ChangeStamp, emptyMetadata, type Metadata } from "./model.ts";
import { type OneAtATime, oneAtATime } from "./one-at-a-time.ts";
import { type ReadForWrite, readForWrite } from "./read-for-write.ts";
import { spreadWrite, surroundingsOf } from "./spread-write.ts";

/** Who edits, and where the change is started. */
export interface Editor {
  /** Absent: the service itself, which no access list, lock or role holds off. */
  readonly subject?: Subject;
  change(): Change;
}

/** What a plan of an edit is made from. */
export interface EditBase {
  readonly row: MetadataRow;
  readonly definitions: Definitions;
  readonly rights: FieldRights;
  /** Of the change set that the edit becomes. */
  readonly stamp: ChangeStamp;
}

/** A planned edit. */
export interface EditPlan {
  readonly after: Metadata;
  /** What goes into the change in front of the write; called when the metadata changes. */
  readonly first?: (change: Change) => void | Promise<void>;
  /** What else belongs into the change; called when the metadata changes. */
  readonly also?: (change: Change) => void | Promise<void>;
  /** For an edit of the history: the change set that it is about, instead of a new one. */
  readonly history?: ChangeStamp;
  /** For an edit that leaves the metadata as it is: what to write under the guard of the row. */
  readonly instead?: (change: Change) => void | Promise<void>;
}

/** What an edit did. */
export interface Edited {
  readonly row: MetadataRow;
  /** The state before; the same object as in `row` when nothing changed. */
  readonly before: Metadata;
  readonly definitions: Definitions;
  readonly stamp: ChangeStamp;
}

/** Edits the metadata of one entity. */
export type EditMetadata = (
  editor: Editor,
  kind: EntityKind,
  serial: number,
  plan: (base: EditBase) => EditPlan | Promise<EditPlan>,
) => Promise<Edited>;

/** Writers of several instances at one entity pass one by one; each has to win once. */
const mostAttempts = 100;

/** Entities whose metadata begins with the first write. */
const beginsEmpty: ReadonlySet<EntityKind> = new Set(["global", "document"]);

async function readBase(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  kind: EntityKind,
  serial: number,
): Promise<ReadForWrite> {
  const [found] = await readForWrite(environment, subject, kind, [serial]);
  if (found !== undefined) return found;
  if (!beginsEmpty.has(kind)) throw notFound(environment, kind, serial);
  const key = entityKey(kind, serial);
  return {
    row: { key, kind, serial, writes: 0, metadata: emptyMetadata, transient: {}, rank: rankOf("OWNER") },
    locks: { fields: [] },
  };
}

/**
 * Makes the one way to edit metadata: read, plan, write guarded by what was read, again when another writer was faster.
 * Nothing is written, and no change set made, when the plan changes nothing.
 *
 * The edit throws KinoraError `not-found` for an entity that does not exist or may not be read, `forbidden` without
 * WRITE, `conflict` for what others have locked, and what the plan throws.
 */
export function createEditMetadata(environment: MetadataEnvironment): EditMetadata {
  const inTurn: OneAtATime = oneAtATime(environment.store.database.isolated !== true);

  async function attempt(
    editor: Editor,
    kind: EntityKind,
    serial: number,
    plan: (base: EditBase) => EditPlan | Promise<EditPlan>,
    definitions: Definitions,
  ): Promise<Edited> {
    const { subject } = editor;
    const { row, locks } = await readBase(environment, subject, kind, serial);
    requireRank(environment, row, "WRITE");
    requireItemUnlocked(locks, subject?.userName);
    const change = editor.change();
    const before = row.metadata;
    const stamp: ChangeStamp = {
      id: await environment.store.ids.nextSerial("change-set"),
      user: subject?.userName ?? change.actor.userName,
      time: environment.store.now(),
      sequence: (before.last?.sequence ?? 0) + 1,
      writtenOut: false,
    };
    const rights = await rightsFor(environment, definitions, subject);
    const { after, first, also, instead, history } = await plan({ row, definitions, rights, stamp });
    if (instead !== undefined) {
      requireSame(change, [row]);
      await instead(change);
      await change.commit();
    }
    if (after === before) return { row, before, definitions, stamp };
    if (locks.fields.length > 0) requireFieldsUnlocked(locks, subject?.userName, difference(before, after));
    await first?.(change);
    const shown = await surroundingsOf(environment, change, definitions, row, after);
    const written = addMetadataWrite(
      environment,
      change,
      {
        entity: row,
        states: [before, after],
        definitions,
        editsHistory: history !== undefined,
        ...(shown === undefined ? {} : { shown }),
      },
      history ?? stamp,
    );
    await spreadWrite(environment, change, definitions, row, after, written);
    await also?.(change);
    await change.commit();
    return { row: { ...row, writes: row.writes + 1, metadata: after }, before, definitions, stamp };
  }

  return (editor, kind, serial, plan) =>
    inTurn(entityKey(kind, serial), () =>
      repeatWhenRaced(async () => {
        const definitions = await environment.definitions.current();
        try {
          return await attempt(editor, kind, serial, plan, definitions);
        } catch (error) {
          if (!mayBeNew(error)) throw error;
          // A field or group that another instance has just defined.
          const fresh = await environment.definitions.fresh();
          if (fresh.version === definitions.version) throw error;
          return attempt(editor, kind, serial, plan, fresh);
        }
      }, mostAttempts),
    );
}

function mayBeNew(error: unknown): boolean {
  return (
    error instanceof KinoraError &&
    error.code === "not-found" &&
    (error.details.type === "metadata-field" || error.details.type === "field-group")
  );
}
