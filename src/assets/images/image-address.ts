import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { constantTimeEqual } from "../../plugin/constant-time.ts";
import type { Store } from "../../store/store.ts";

/** Thumbnails stand along an item's time line; a poster stands for it. */
export const imageKinds = ["thumbnail", "poster"] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The images of one version of an item's media, or one of them. */
export interface ImagePlace {
  readonly kind: ImageKind;
  readonly item: number;
  /** Of the essence. */
  readonly version: number;
  /** The time code, as it was given. */
  readonly time?: string;
}

/** Characters of the hash in an address that needs no login: 128 bits. */
const hashLength = 32;

/** Makes addresses of images, and checks those that need no login. */
export interface ImageAddresses {
  /** The id of the one service of thumbnails that there is. */
  readonly service: string;
  /** `/thumbnail/VX-1/VX-12;version=0/68750@PAL`, below the base of the API. */
  path(place: ImagePlace): string;
  /** `/APInoauth/thumbnail/VX-1/VX-12;version=0/68750@PAL?hash=…`. */
  openPath(place: ImagePlace & { readonly time: string }): string;
  /** Whether a hash is that of the image's address. */
  isHash(place: ImagePlace & { readonly time: string }, hash: string): boolean;
}

/** A time code in a path: its `@` and `:` stay readable. */
function encodeTime(time: string): string {
  return encodeURIComponent(time).replaceAll("%40", "@").replaceAll("%3A", ":");
}

/** Makes them with the key of this database, so that every instance takes the addresses that another gave out. */
export async function readImageAddresses(store: Store): Promise<ImageAddresses> {
  const [row] = await store.query({ sql: "select secret from image_key" });
  const secret = hexToBytes(String(row?.secret));
  const service = store.ids.format(1);

  const path = ({ kind, item, version, time }: ImagePlace): string => {
    const images = `/${kind}/${service}/${store.ids.format(item)};version=${version}`;
    return time === undefined ? images : `${images}/${encodeTime(time)}`;
  };
  const hashOf = (place: ImagePlace): string =>
    bytesToHex(hmac(sha256, secret, utf8ToBytes(path(place)))).slice(0, hashLength);
  return {
    service,
    path,
    openPath: (place) => `/APInoauth${path(place)}?hash=${hashOf(place)}`,
    isHash: (place, hash) => constantTimeEqual(hashOf(place), hash),
  };
}
