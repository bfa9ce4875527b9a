import type { ImageAddresses, ImagePlace } from "./image-address.ts";

/** What addresses a request wants. */
export interface UrlChoice {
  /** The absolute URL of a path, as the client reached the service. */
  url(path: string): string;
  /** Addresses that need no login. */
  readonly noAuth: boolean;
  /** What stands before `/thumbnail/…` or `/poster/…`, in place of the base that the client used. */
  readonly baseURI?: string | undefined;
}

const noAuthRoot = "/APInoauth";

/** The URL of the images of a version, or of one. Always below `/API` or `/APInoauth`: some clients look for that. */
export function imageUrl(addresses: ImageAddresses, place: ImagePlace, { url, noAuth, baseURI }: UrlChoice): string {
  const { time } = place;
  const open = noAuth && time !== undefined;
  const path = open ? addresses.openPath({ ...place, time }) : addresses.path(place);
  if (baseURI !== undefined) {
    return `${baseURI.replace(/\/+$/, "")}${open ? path.slice(noAuthRoot.length) : path}`;
  }
  const origin = url("").replace(/\/API$/, "");
  return `${origin}${open ? "" : "/API"}${path}`;
}
