import { KinoraError } from "../errors.ts";
import type { Ids } from "../store/ids.ts";

/** Looks for the entity that an external identifier names; `undefined` when there is none. */
export type ExternalIds = (type: string, identifier: string) => Promise<number | undefined>;

/** Turns the identifiers of paths and documents into serials. */
export interface EntityIds {
  /**
   * The serial that an identifier stands for: the site's own form (`VX-12`), else an external identifier. Whether the
   * entity exists is not looked at for the own form.
   *
   * @param type `Item`, `Collection`: for the look-up of external identifiers, and for the error
   * @throws KinoraError `not-found`
   */
  resolve(type: string, identifier: string): number | Promise<number>;
  format(serial: number): string;
}

/** Makes the look-up; without external identifiers only the own form is known. */
export function createEntityIds(ids: Pick<Ids, "parse" | "format">, external?: ExternalIds): EntityIds {
  return {
    resolve(type, identifier) {
      const serial = ids.parse(identifier);
      if (serial !== undefined) return serial;
      const missing = new KinoraError("not-found", { type, id: identifier });
      if (external === undefined) throw missing;
      return external(type, identifier).then((found) => {
        if (found === undefined) throw missing;
        return found;
      });
    },
    format: ids.format,
  };
}
