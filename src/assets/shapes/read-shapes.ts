import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Row, Statement } from "../../store/database.ts";
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
  readonly rank: number;
  /** Who has locked the item. */
  readonly lockedBy?: string;
  /** In the order of their serials. */
  readonly shapes: readonly Shape[];
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

async function itemRank({ access }: ReadEnvironment, subject: Subject | undefined) {
  return subject === undefined ? { sql: "4", args: [] } : access.rank(subject, "item", "i.id", { type: "SHAPE" });
}

/**
 * Reads the shapes of some items, those on which the subject has READ; the service itself (no subject) reads all. One
 * round trip, whatever the number of items. Items that do not exist are left out.
 */
export async function readItemShapes(
  environment: ReadEnvironment,
  subject: Subject | undefined,
  items: readonly number[],
): Promise<readonly ItemShapes[]> {
  if (items.length === 0) return [];
  const list = JSON.stringify(items);
  const rank = await itemRank(environment, subject);
  const ofItems = "item in (select value from json_each(?))";
  const shapeSerials: Statement = { sql: `select id from shape where ${ofItems}`, args: [list] };
  const fileSerials: Statement = {
    sql: `select file from shape_file where shape in (${shapeSerials.sql})`,
    args: [list],
  };
  const [gate = [], shapeRows = [], shapePairs = [], componentPairs = [], fileRows = [], filePairs = []] =
    await environment.store.readAll([
      {
        sql: `select i.id, ${rank.sql} as rank,
            (select user from item_lock where item = i.id and expires > ?) as locked_by
          from item i where i.id in (select value from json_each(?))`,
        args: [...rank.args, environment.store.now(), list],
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
  return gate
    .filter((row) => Number(row.rank) >= rankOf("READ"))
    .map((row) => ({
      item: Number(row.id),
      rank: Number(row.rank),
      shapes: byItem.get(Number(row.id)) ?? [],
      files,
      ...(row.locked_by === null ? {} : { lockedBy: String(row.locked_by) }),
    }));
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
  if (found.rank >= rankOf(needed)) return found;
  throw new KinoraError("forbidden", {
    context: "Item",
    id: identifier,
    explanation: `The caller has the permission ${permissions[found.rank]} on ${identifier}, and needs ${needed}`,
  });
}
