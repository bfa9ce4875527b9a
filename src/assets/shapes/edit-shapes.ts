import { KinoraError } from "../../errors.ts";
import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Permission } from "../access-port.ts";
import { readFiles } from "../files/read-files.ts";
import type { Editor } from "../metadata/metadata-editing.ts";
import { oneAtATime } from "../metadata/one-at-a-time.ts";
import {
  everyShape,
  type FilesBySerial,
  type ItemShapes,
  requireItemShapes,
  requirePermission,
} from "./read-shapes.ts";
import { filesOf, type Shape } from "./shape.ts";
import { checkShapes } from "./shape-bounds.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";
import { recordShape } from "./shape-event.ts";
import { changedFields, type FieldValues, tagsOf, transientFieldsOf } from "./shape-fields.ts";
import { shapeValues } from "./shape-index.ts";
import { addShapeRows, requireSameShapes, shapeDifference } from "./write-shapes.ts";

/** What becomes of the shapes of an item. */
export interface ShapePlan {
  readonly after: readonly Shape[];
  /** Files that no shape has any more stay as they are. Default: they are to be deleted. */
  readonly keepFiles?: boolean;
  /** Further fields of the item that the service keeps, with their new values. */
  readonly fields?: FieldValues;
}

/** Plans an edit of the shapes of some items, in the order in which they were named. */
export type PlanShapes = (items: readonly ItemShapes[]) => readonly ShapePlan[] | Promise<readonly ShapePlan[]>;

/**
 * Edits the shapes of the items that identifiers name: read, plan, write guarded by what was read, again when another
 * writer was faster. Answers the shapes of the items behind the edit. A plan that changes nothing writes nothing.
 *
 * Plans see the shapes that the caller may read; the others stay as they are.
 *
 * Throws KinoraError `not-found` for an item that does not exist or may not be read, `forbidden` without WRITE on each
 * shape that is changed, as it was and as it becomes, or on shapes in general for further fields of the item; `conflict` for an item that another user has locked or files that must not be deleted, and what the plan throws.
 */
export type EditShapes = (
  editor: Editor,
  identifiers: readonly string[],
  plan: PlanShapes,
) => Promise<readonly (readonly Shape[])[]>;

function requireUnlocked({ lockedBy, item }: ItemShapes, editor: Editor, { ids }: ShapeEnvironment): void {
  if (lockedBy === undefined || editor.subject === undefined || lockedBy === editor.subject.userName) return;
  throw new KinoraError("conflict", {
    context: "lock",
    id: ids.format(item),
    explanation: `The item is locked by ${lockedBy}`,
  });
}

/** @throws KinoraError `forbidden` */
function requirePermissions({ item, shapes, grades }: ItemShapes, plan: ShapePlan, { ids }: ShapeEnvironment): void {
  const require = ({ serial }: Shape, tags: readonly string[]) =>
    requirePermission(grades.permission(tags), "WRITE", "shape", ids.format(serial));
  const { created, modified, deleted } = shapeDifference({ before: shapes, after: plan.after });
  for (const shape of [...created, ...deleted]) require(shape, shape.tags);
  for (const { before, after } of modified) {
    require(before, before.tags);
    if (after.tags !== before.tags) require(after, after.tags);
  }
  // To give a shape a tag takes what it takes to write the shapes that have it.
  for (const { before, after } of [...created.map((after) => ({ before: undefined, after })), ...modified]) {
    for (const tag of after.tags) if (before?.tags.includes(tag) !== true) require(after, [tag]);
  }
  if (plan.fields !== undefined) requirePermission(grades.permission([]), "WRITE", "Item", ids.format(item));
}

/** The edit with the shapes that the caller does not see, which stay as they are. */
function whole(item: ItemShapes, plan: ShapePlan): PlannedItem {
  const { hidden } = item;
  if (hidden.length === 0) return { item, plan };
  return {
    item: { ...item, shapes: everyShape(item) },
    plan: { ...plan, after: everyShape({ shapes: plan.after, hidden }) },
  };
}

interface PlannedItem {
  readonly item: ItemShapes;
  readonly plan: ShapePlan;
}

/** Files that no shape has any more behind an edit. */
async function releasedFiles({ store }: ShapeEnvironment, edits: readonly PlannedItem[]): Promise<readonly number[]> {
  if (edits.some(({ plan }) => plan.keepFiles)) return [];
  const kept = new Set(edits.flatMap(({ plan }) => plan.after.flatMap(filesOf)));
  const had = new Set(edits.flatMap(({ item }) => item.shapes.flatMap(filesOf)));
  const released = [...had].filter((file) => !kept.has(file));
  if (released.length === 0) return released;
  const elsewhere = await store.query({
    sql: `select distinct l.file from shape_file l join shape s on s.id = l.shape
      where l.file in (select value from json_each(?)) and s.item not in (select value from json_each(?))`,
    args: [JSON.stringify(released), JSON.stringify(edits.map(({ item }) => item.item))],
  });
  const shared = new Set(elsewhere.map(({ file }) => Number(file)));
  return released.filter((file) => !shared.has(file));
}

/** Adds that files which no shape has any more are to be deleted. */
export function releaseFiles(change: Change, files: readonly number[]): void {
  if (files.length === 0) return;
  change.add(
    {
      sql: `update file set state = 'TO_BE_DELETED' where id in (select value from json_each(?))
        and not exists (select 1 from shape_file where file = file.id)`,
      args: [JSON.stringify(files)],
    },
    { silent: true },
  );
}

/** The known files, and those that shapes have beside them. */
async function withFiles(
  { store }: ShapeEnvironment,
  known: FilesBySerial,
  shapes: readonly Shape[],
): Promise<FilesBySerial> {
  const fresh = [...new Set(shapes.flatMap(filesOf))].filter((file) => !known.has(file));
  return fresh.length === 0 ? known : new Map([...known, ...(await readFiles(store, fresh))]);
}

/** Adds a planned edit of one item to a change. */
async function addEdit(
  environment: ShapeEnvironment,
  change: Change,
  { item: { item, shapes, files }, plan: { after, fields = {} } }: PlannedItem,
): Promise<void> {
  const { ids, index, systemWrite, transientFields } = environment;
  requireSameShapes(change, item, shapes);
  const tags = tagsOf(after);
  const tagFields = changedFields({ shapeTag: tagsOf(shapes) }, { shapeTag: tags });
  if (Object.keys({ ...tagFields, ...fields }).length > 0) {
    await systemWrite(change, "item", item, { ...fields, ...tagFields });
  }
  const step = shapeDifference({ before: shapes, after });
  addShapeRows(change, step);

  const known = await withFiles(environment, files, after);
  const changed = changedFields(
    transientFieldsOf(shapes, files, ids.format),
    transientFieldsOf(after, known, ids.format),
  );
  for (const [name, values] of Object.entries(changed)) transientFields.set(change, "item", [item], name, values);

  const itemId = ids.format(item);
  for (const shape of [...step.created, ...step.modified.map((one) => one.after)]) {
    index.entity(change, { kind: "shape", serial: shape.serial, fields: shapeValues(shape, ids.format) });
  }
  const gone = step.deleted.map(({ serial }) => serial);
  if (gone.length > 0) index.removeEntity(change, "shape", gone);
  for (const { serial } of step.created) recordShape(change, "CREATE", itemId, ids.format(serial));
  for (const { after: shape } of step.modified) recordShape(change, "MODIFY", itemId, ids.format(shape.serial));
  for (const serial of gone) recordShape(change, "DELETE", itemId, ids.format(serial));
}

/** Makes the one way to edit shapes. */
export function createEditShapes(environment: ShapeEnvironment): EditShapes {
  const inTurn = oneAtATime(environment.store.database.isolated !== true);
  const needed: Permission = "WRITE";

  async function attempt(editor: Editor, identifiers: readonly string[], plan: PlanShapes) {
    const items = await Promise.all(
      identifiers.map((identifier) => requireItemShapes(environment, editor.subject, identifier, needed)),
    );
    for (const item of items) requireUnlocked(item, editor, environment);
    const plans = await plan(items);
    const edits = items.flatMap((item, place): PlannedItem[] => {
      const planned = plans[place];
      const changes = planned !== undefined && (planned.after !== item.shapes || planned.fields !== undefined);
      if (!changes) return [];
      requirePermissions(item, planned, environment);
      return [whole(item, planned)];
    });
    if (edits.length > 0) await write(editor, edits);
    return items.map((item, place) => plans[place]?.after ?? item.shapes);
  }

  async function write(editor: Editor, edits: readonly PlannedItem[]) {
    for (const { plan } of edits) checkShapes(plan.after);
    const change = editor.change();
    const released = await releasedFiles(environment, edits);
    if (released.length > 0) environment.locks.requireDeletable(change, "file", released);
    for (const edit of edits) await addEdit(environment, change, edit);
    releaseFiles(change, released);
    await change.commit();
  }

  return async (editor, identifiers, plan) => {
    const serials = await Promise.all(identifiers.map((text) => environment.ids.resolve("Item", text)));
    // In the order of serials, so that two edits of the same two items do not wait for each other.
    const turns = [...new Set(serials)].sort((a, b) => b - a);
    const edit = () => repeatWhenRaced(() => attempt(editor, identifiers, plan));
    return turns.reduce((task, serial) => () => inTurn(serial, task), edit)();
  };
}

/** Edits the shapes of one item; throws what {@link EditShapes} throws. */
export async function editItemShapes(
  edit: EditShapes,
  editor: Editor,
  identifier: string,
  plan: (item: ItemShapes) => ShapePlan | Promise<ShapePlan>,
): Promise<void> {
  await edit(editor, [identifier], async ([item]) => (item === undefined ? [] : [await plan(item)]));
}
