import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Row, Statement } from "../../store/database.ts";
import { type Grades, readGrades, unlimitedGrades } from "../access/grades.ts";
import { type Permission, permissions, rankOf } from "../access-port.ts";
import { fileColumns, type StoredFile, storedFile } from "../files/file-row.ts";
import { type PairsBySerial, pairsOf, selectPairs } from "../pairs.ts";
import type { Shape } from "./shape.ts";
import { decodeShape } from "./shape-body.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";

/** Files by their serials. */
export type FilesBySerial = ReadonlyMap<number, StoredFile>;

/** The shapes of one item, with what the caller may do with them. */
export interface ItemShapes {
  readonly item: number;
  /** What the caller may do with shapes in general, with such of some tags, and with those of the best ones. */
  readonly grades: Grades;
  /** Who has locked the item. */
  readonly lockedBy?: string;
  /** Those that the caller may read, in the order of their serials. */
  readonly shapes: readonly Shape[];
  /** The others. */
  readonly hidden: readonly Shape[];
  /** Every file of the shapes that were read. */
  readonly files: FilesBySerial;
}

type ReadEnvironment = Pick<ShapeEnvironment, "store" | "access">;

function shapeOf(row: Row, shapePairs: PairsBySerial, componentPairs: PairsBySerial): Shape {
  const serial = Number(row.id);
  return {
    ...decodeShape(String(row.body), componentPairs),
    serial,
    item: Number(row.item),
    created: Number(row.created),
    version: Number(row.version),
    awaited: row.awaited === 1,
    metadata: shapePairs.get(serial) ?? [],
    writes: Number(row.writes),
    ...(row.versioned === null ? {} : { versioned: Number(row.versioned) }),
  };
}

async function itemGrades({ access }: ReadEnvironment, subject: Subject | undefined) {
  return subject === undefined
    ? { sql: `'${unlimitedGrades}'`, args: [] }
    : access.grades(subject, "item", "i.id", "SHAPE");
}

/** Every shape of an item, also those that the caller may not read, in the order of their serials. */
export function everyShape({ shapes, hidden }: Pick<ItemShapes, "shapes" | "hidden">): readonly Shape[] {
  return hidden.length === 0 ? shapes : [...shapes, ...hidden].sort((a, b) => a.serial - b.serial);
}

/**
 * Reads the shapes of some items, those on which the subject has READ for some shapes; the service itself (no subject)
 * reads all. One round trip, whatever the number of items. Items that do not exist are left out.
 */
export async function readItemShapes(
  environment: ReadEnvironment,
  subject: Subject | undefined,
  items: readonly number[],
): Promise<readonly ItemShapes[]> {
  if (items.length === 0) return [];
  const list = JSON.stringify(items);
  const grades = await itemGrades(environment, subject);
  const ofItems = "item in (select value from json_each(?))";
  const shapeSerials: Statement = { sql: `select id from shape where ${ofItems}`, args: [list] };
  const fileSerials: Statement = {
    sql: `select file from shape_file where shape in (${shapeSerials.sql})`,
    args: [list],
  };
  const [gate = [], shapeRows = [], shapePairs = [], componentPairs = [], fileRows = [], filePairs = []] =
    await environment.store.readAll([
      {
        sql: `select i.id, ${grades.sql} as grades,
            (select user from item_lock where item = i.id and expires > ?) as locked_by
          from item i where i.id in (select value from json_each(?))`,
        args: [...grades.args, environment.store.now(), list],
      },
      {
        sql: `select id, item, created, version, versioned, awaited, writes, body from shape where ${ofItems} order by item, id`,
        args: [list],
      },
      selectPairs("shape", shapeSerials),
      selectPairs("component", {
        sql: `select c.value ->> 'i' from shape s, json_each(s.body, '$.c') c where s.${ofItems}`,
        args: [list],
      }),
      { sql: `select ${fileColumns} from file f where f.id in (${fileSerials.sql})`, args: fileSerials.args ?? [] },
      selectPairs("file", fileSerials),
    ]);
  const ofShapes = pairsOf(shapePairs);
  const ofComponents = pairsOf(componentPairs);
  const ofFiles = pairsOf(filePairs);
  const shapes = shapeRows.map((row) => shapeOf(row, ofShapes, ofComponents));
  const files = new Map(fileRows.map((row) => [Number(row.id), storedFile(row, ofFiles.get(Number(row.id)) ?? [])]));
  const byItem = shapesByItem(shapes);
  return gate.flatMap((row) => {
    const grades = readGrades(row.grades, "SHAPE");
    if (grades.most < rankOf("READ")) return [];
    const all = byItem.get(Number(row.id)) ?? [];
    const isVisible = ({ tags }: Shape) => grades.permission(tags) >= rankOf("READ");
    return {
      item: Number(row.id),
      grades,
      shapes: all.every(isVisible) ? all : all.filter(isVisible),
      hidden: all.filter((shape) => !isVisible(shape)),
      files,
      ...(row.locked_by === null ? {} : { lockedBy: String(row.locked_by) }),
    };
  });
}

function shapesByItem(shapes: readonly Shape[]): ReadonlyMap<number, readonly Shape[]> {
  const found = new Map<number, Shape[]>();
  for (const shape of shapes) {
    const group = found.get(shape.item);
    if (group === undefined) found.set(shape.item, [shape]);
    else group.push(shape);
  }
  return found;
}

/**
 * Reads the shapes of the item that an identifier names.
 *
 * @param needed on shapes of some tag at least
 * @throws KinoraError `not-found` when it does not exist or the caller may not read it; `forbidden` without the
 * permission that is needed
 */
export async function requireItemShapes(
  environment: ReadEnvironment & Pick<ShapeEnvironment, "ids">,
  subject: Subject | undefined,
  identifier: string,
  needed: Permission,
): Promise<ItemShapes> {
  const serial = await environment.ids.resolve("Item", identifier);
  const [found] = await readItemShapes(environment, subject, [serial]);
  if (found === undefined) throw new KinoraError("not-found", { type: "Item", id: identifier });
  requirePermission(found.grades.most, needed, "Item", identifier);
  return found;
}

/** Checks what the caller may do with an item's shapes, or with one of them. @throws KinoraError `forbidden` */
export function requirePermission(permission: number, needed: Permission, type: "Item" | "shape", id: string): void {
  if (permission >= rankOf(needed)) return;
  throw new KinoraError("forbidden", {
    context: type,
    id,
    explanation: `The caller has the permission ${permissions[permission]} on ${id}, and needs ${needed}`,
  });
}
