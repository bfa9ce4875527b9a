/** The thumbnail that stands for an item, which its fields name: the first of its newest essence version. */
import type { Change } from "../../store/change.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import { readRows } from "../metadata/metadata-row.ts";
import type { Metadata } from "../metadata/model.ts";
import { addSystemWrite } from "../metadata/system-write.ts";
import { isGeneric } from "../metadata/time/time-span.ts";
import type { ImageAddresses, ImagePlace } from "./image-address.ts";
import { firstImageWithout, isSameMoment, type RemovedImages } from "./images.ts";

/** The names of the fields: an address for those who are logged in, and one that needs no login. */
const [field, fieldWithoutLogin] = ["representativeThumbnail", "representativeThumbnailNoAuth"] as const;

export interface RepresentativeDeps {
  readonly environment: MetadataEnvironment;
  readonly addresses: ImageAddresses;
}

type Thumbnail = Required<ImagePlace>;

/**
 * Adds to the change that stores a thumbnail that it stands for its item, when no other does yet, or one of an older
 * essence version. What a user has written there stays. To be planned inside `repeatWhenRaced`.
 */
export async function addRepresentative(deps: RepresentativeDeps, change: Change, added: Thumbnail): Promise<void> {
  const present = await readRepresentative(deps, added.item);
  if (present === undefined) return;
  const { text } = present;
  const named = text === undefined ? undefined : placeOf(deps, added.item, text);
  const stays = text !== undefined && (named === undefined || named.version >= added.version);
  if (!stays) await write(deps, change, added.item, added);
}

/**
 * Adds to the change that removes thumbnails that another one stands for the item, or none when none is left, where one of
 * those did. To be planned inside `repeatWhenRaced`.
 */
export async function replaceRepresentative(
  deps: RepresentativeDeps,
  change: Change,
  removed: RemovedImages,
): Promise<void> {
  const { item, version, time } = removed;
  const text = (await readRepresentative(deps, item))?.text;
  const named = text === undefined ? undefined : placeOf(deps, item, text);
  if (named === undefined || (version !== undefined && version !== named.version)) return;
  if (time !== undefined && !isSameMoment(time, named.time)) return;
  await write(deps, change, item, await firstImageWithout(deps.environment.store, removed));
}

/** What the field says now; `undefined` where there is no such item or field. */
async function readRepresentative(
  { environment }: RepresentativeDeps,
  item: number,
): Promise<{ readonly text: string | undefined } | undefined> {
  const definitions = await environment.definitions.current();
  if (definitions.field(field) === undefined) return undefined;
  const [row] = await readRows(environment, undefined, "item", [item]);
  return row === undefined ? undefined : { text: untimedText(row.metadata) };
}

function untimedText({ timespans }: Metadata): string | undefined {
  const untimed = timespans.find(({ span }) => isGeneric(span));
  return untimed?.fields.find(({ name }) => name === field)?.values[0]?.text;
}

/** The thumbnail of the item that an address names; `undefined` for what is none of ours. */
function placeOf({ addresses }: RepresentativeDeps, item: number, text: string): Thumbnail | undefined {
  const [, version, encoded] = /;version=(\d{1,9})\/([^/]+)$/.exec(text) ?? [];
  if (version === undefined || encoded === undefined) return undefined;
  const place = { kind: "thumbnail", item, version: Number(version), time: decoded(encoded) } as const;
  return addressOf(addresses, place) === text ? place : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function addressOf(addresses: ImageAddresses, place: Thumbnail): string {
  return `/API${addresses.path(place)}`;
}

async function write(
  { environment, addresses }: RepresentativeDeps,
  change: Change,
  item: number,
  place: Thumbnail | undefined,
): Promise<void> {
  const definitions = await environment.definitions.current();
  const values: Record<string, string | readonly string[]> = {
    [field]: place === undefined ? [] : addressOf(addresses, place),
  };
  if (definitions.field(fieldWithoutLogin) !== undefined) {
    values[fieldWithoutLogin] = place === undefined ? [] : addresses.openPath(place);
  }
  await addSystemWrite(environment, change, { kind: "item", serial: item }, values);
}
