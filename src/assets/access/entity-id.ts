import { KinoraError } from "../../errors.ts";
import type { Ids } from "../../store/ids.ts";
import type { AccessKind } from "../access-port.ts";
import type { EntityIds } from "../entity-ids.ts";
import { accessEntityOf, accessKey, accessKinds } from "./access-entity.ts";

/** The identifier of a library: `VX*12`. */
export function formatLibrary(ids: Pick<Ids, "format">, serial: number): string {
  return ids.format(serial).replace(/-(?=\d+$)/, "*");
}

/** The serial of a library; `undefined` for a text that is not an identifier of one. */
export function parseLibrary(ids: Pick<Ids, "parse">, text: string): number | undefined {
  return /\*\d+$/.test(text) ? ids.parse(text.replace(/\*(?=\d+$)/, "-")) : undefined;
}

/** The identifier of an item, collection or library. */
export function formatAccessEntity(ids: Pick<Ids, "format">, entity: number): string {
  const { kind, serial } = accessEntityOf(entity);
  return kind === "library" ? formatLibrary(ids, serial) : ids.format(serial);
}

/** What turns identifiers of paths into serials. */
export interface IdResolver {
  readonly ids: EntityIds;
  readonly store: { readonly ids: Pick<Ids, "parse" | "format"> };
}

/**
 * The key of the item, collection or library that an identifier names. Whether it exists is not looked at.
 *
 * @throws KinoraError `not-found` for what is no identifier
 */
export async function resolveAccessEntity(resolver: IdResolver, kind: AccessKind, identifier: string): Promise<number> {
  if (kind !== "library") return accessKey(kind, await resolver.ids.resolve(accessKinds[kind].type, identifier));
  const serial = parseLibrary(resolver.store.ids, identifier);
  if (serial !== undefined) return accessKey(kind, serial);
  // VX-12 is no library, though the look-up by external identifiers would take it for one.
  if (resolver.store.ids.parse(identifier) !== undefined) {
    throw new KinoraError("not-found", { type: accessKinds.library.type, id: identifier });
  }
  return accessKey(kind, await resolver.ids.resolve(accessKinds.library.type, identifier));
}
