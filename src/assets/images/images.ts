import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import type { SqlValue } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { rational, toDecimal } from "../metadata/time/rational.ts";
import { parseTimePoint, timePointKey } from "../metadata/time/time-code.ts";
import type { ImageKind, ImagePlace } from "./image-address.ts";
import { type ImageType, imageType } from "./image-format.ts";

/** Bytes of the largest image, and of the parts in which the database keeps one. */
export const largestImage = 10 * 1_048_576;
const partSize = 1_048_576 - 4096;
/** Images of one kind that an item has in one version. */
export const mostImages = 100_000;

/** An image with its bytes. */
export interface StoredImage {
  readonly time: string;
  readonly type: ImageType;
  /** SHA-256 of the bytes in hexadecimal. */
  readonly hash: string;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** The moment of an image: equal however it is written. @throws KinoraError `invalid-value`, `invalid-input` */
function momentOf(time: string): { readonly position: string; readonly seconds: number } {
  const point = parseTimePoint(time);
  if (typeof point.seconds === "string") {
    throw new KinoraError("invalid-input", { context: "time", value: time, explanation: "An image is of one moment" });
  }
  const { numerator, denominator } = point.seconds;
  return { position: timePointKey(point), seconds: Number(toDecimal(rational(numerator, denominator), 9)) };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function partsOf(bytes: Uint8Array<ArrayBuffer>): readonly Uint8Array<ArrayBuffer>[] {
  const count = Math.ceil(bytes.length / partSize);
  return Array.from({ length: count }, (_, index) => bytes.slice(index * partSize, (index + 1) * partSize));
}

/**
 * Adds an image to a change, in place of one of the same moment.
 *
 * @throws KinoraError `too-large`; `unsupported-media-type` for what is neither PNG nor JPEG; `invalid-value` for a
 * broken time code
 */
export async function addImage(
  store: Store,
  change: Change,
  { kind, item, version, time }: ImagePlace & { readonly time: string },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  if (bytes.length > largestImage) {
    throw new KinoraError("too-large", { explanation: `An image has at most ${largestImage} bytes` });
  }
  const type = imageType(bytes);
  const { position, seconds } = momentOf(time);
  const hash = await sha256(bytes);
  const serial = await store.ids.nextSerial("image");
  const place = [item, kind, version, position] as const;
  const present = "(select id from image where item = ? and kind = ? and version = ? and position = ?)";
  change.require(
    { sql: "select exists (select 1 from item where id = ?)", args: [item] },
    new KinoraError("not-found", { type: "Item", id: store.ids.format(item) }),
  );
  change.add({ sql: `delete from image_part where image = ${present}`, args: place });
  change.add({ sql: `delete from image where id = ${present}`, args: place });
  change.require(
    {
      sql: "select count(*) < ? from image where item = ? and kind = ? and version = ?",
      args: [mostImages, item, kind, version],
    },
    new KinoraError("invalid-input", {
      context: kind,
      explanation: `An item has at most ${mostImages} of them in one version`,
    }),
  );
  change.add({
    sql: `insert into image (id, item, kind, version, position, seconds, time, type, size, hash)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [serial, ...place, seconds, time, type, bytes.length, hash],
  });
  for (const [part, content] of partsOf(bytes).entries()) {
    change.add({ sql: "insert into image_part (image, part, bytes) values (?, ?, ?)", args: [serial, part, content] });
  }
}

/** Reads an image; `undefined` when there is none. One statement. */
export async function readImage(
  store: Store,
  { kind, item, version, time }: ImagePlace & { readonly time: string },
): Promise<StoredImage | undefined> {
  const rows = await store.query({
    sql: `select i.time, i.type, i.hash, p.bytes from image i join image_part p on p.image = i.id
      where i.item = ? and i.kind = ? and i.version = ? and i.position = ? order by p.part`,
    args: [item, kind, version, momentOf(time).position],
  });
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    time: String(first.time),
    type: first.type as ImageType,
    hash: String(first.hash),
    parts: rows.map(({ bytes }) => new Uint8Array(bytes as Uint8Array<ArrayBuffer>)),
  };
}

/** The versions of which items have images of a kind, the newest first. */
export async function imageVersions(store: Store, kind: ImageKind, item: number): Promise<readonly number[]> {
  const rows = await store.query({
    sql: "select distinct version from image where item = ? and kind = ? order by version desc",
    args: [item, kind],
  });
  return rows.map(({ version }) => Number(version));
}

/** The time codes of the images of items, by item and in order of time; of the newest version unless one is named. */
export async function imageTimes(
  store: Store,
  kind: ImageKind,
  items: readonly number[],
  version?: number,
): Promise<ReadonlyMap<number, readonly Required<ImagePlace>[]>> {
  const newest = "(select max(version) from image where item = i.item and kind = i.kind)";
  const rows = await store.query({
    sql: `select i.item, i.version, i.time from image i
      where i.item in (select value from json_each(?)) and i.kind = ? and i.version = ${version === undefined ? newest : "?"}
      order by i.item, i.seconds, i.position`,
    args: [JSON.stringify(items), kind, ...(version === undefined ? [] : [version])],
  });
  const found = new Map<number, Required<ImagePlace>[]>();
  for (const row of rows) {
    const item = Number(row.item);
    const own = found.get(item) ?? [];
    found.set(item, own);
    own.push({ kind, item, version: Number(row.version), time: String(row.time) });
  }
  return found;
}

/** Which images are removed: of an item all, those of a version, or one. */
export interface RemovedImages {
  readonly kind: ImageKind;
  readonly item: number;
  readonly version?: number | undefined;
  readonly time?: string;
}

/** Whether two time codes mean one moment; what is none means no other's. */
export function isSameMoment(one: string, other: string): boolean {
  try {
    return momentOf(one).position === momentOf(other).position;
  } catch (error) {
    if (error instanceof KinoraError) return false;
    throw error;
  }
}

/** The first image of the newest version that is left when others are removed; `undefined` when none is. */
export async function firstImageWithout(
  store: Store,
  removed: RemovedImages,
): Promise<Required<ImagePlace> | undefined> {
  const { kind, item } = removed;
  const { where, args } = selection(removed);
  const [row] = await store.query({
    sql: `select version, time from image where item = ? and kind = ? and not (${where})
      order by version desc, seconds, position limit 1`,
    args: [item, kind, ...args],
  });
  return row && { kind, item, version: Number(row.version), time: String(row.time) };
}

/** Adds the removal of images to a change. */
export function removeImages(change: Change, removed: RemovedImages): void {
  const { where, args } = selection(removed);
  change.add({ sql: `delete from image_part where image in (select id from image where ${where})`, args });
  change.add({ sql: `delete from image where ${where}`, args });
}

function selection({ kind, item, version, time }: RemovedImages): {
  readonly where: string;
  readonly args: readonly SqlValue[];
} {
  const conditions = ["item = ?", "kind = ?"];
  const args: SqlValue[] = [item, kind];
  if (version !== undefined) {
    conditions.push("version = ?");
    args.push(version);
  }
  if (time !== undefined) {
    conditions.push("position = ?");
    args.push(momentOf(time).position);
  }
  return { where: conditions.join(" and "), args };
}

/** Adds the removal of all images of deleted items to a change. */
export function imagesRemoved(change: Change, items: readonly number[]): void {
  const args = [JSON.stringify(items)];
  const where = "item in (select value from json_each(?))";
  change.add(
    { sql: `delete from image_part where image in (select id from image where ${where})`, args },
    { silent: true },
  );
  change.add({ sql: `delete from image where ${where}`, args }, { silent: true });
}
