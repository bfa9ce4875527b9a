import { KinoraError } from "../../errors.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import { accessKey } from "../access/access-entity.ts";
import { formatLibrary } from "../access/entity-id.ts";
import { placeEntities } from "../access/place-entities.ts";
import { readPermissions } from "../access/require-access.ts";
import { rankOf } from "../access-port.ts";
import { type Library, libraryOf } from "./library.ts";
import type { LibraryEnvironment } from "./library-environment.ts";

/** Items that one change brings into a library or takes out of it. */
export const itemsAtOnce = 2000;

/** What changes in a library. */
export interface ItemsEdit {
  readonly added?: readonly number[];
  readonly removed?: readonly number[];
}

/** Reads a library. @throws KinoraError `not-found` */
export async function readLibrary({ store }: Pick<LibraryEnvironment, "store">, serial: number): Promise<Library> {
  const [row] = await store.query({ sql: "select * from library where id = ?", args: [serial] });
  if (row === undefined) throw new KinoraError("not-found", { type: "Library", id: formatLibrary(store.ids, serial) });
  return libraryOf(row);
}

/**
 * Puts items into a library and takes others out, in one change. Items that the subject may not read, or that do not
 * exist, are passed over; those that are in already stay.
 *
 * @param subject in whose name; what the library shares reaches only items that the subject may share
 * @param start where the change is started
 * @throws KinoraError `not-found` when the library is gone
 */
export async function changeItems(
  environment: LibraryEnvironment,
  subject: Subject,
  start: () => Change,
  serial: number,
  { added = [], removed = [] }: ItemsEdit,
): Promise<void> {
  if (added.length + removed.length === 0) return;
  const { store } = environment;
  const container = accessKey("library", serial);
  await environment.inTurn(container, () =>
    repeatWhenRaced(async () => {
      const library = await readLibrary(environment, serial);
      const permissions = await readPermissions(environment, subject, "item", added);
      const permissionOf = (item: number) => permissions.get(accessKey("item", item)) ?? 0;
      const coming = added.filter((item) => permissionOf(item) >= rankOf("READ"));
      const passing = new Set(coming.filter((item) => permissionOf(item) >= rankOf("ALL")));
      const present = await readPresent(environment, serial, removed);
      const change = start();
      if (library.shares) {
        const leaving = new Set(present.map((item) => accessKey("item", item)));
        await placeEntities(store, change, {
          keys: [...passing, ...present].map((item) => accessKey("item", item)),
          edit: (placement, key) => ({
            ...placement,
            parents: leaving.has(key)
              ? placement.parents.filter((one) => one !== container)
              : [...placement.parents, container],
          }),
        });
      }
      change.require(
        { sql: "select shares = ? from library where id = ?", args: [library.shares ? 1 : 0, serial] },
        raced,
      );
      addRows(change, serial, coming, passing, present);
      change.add({ sql: "update library set used = ? where id = ?", args: [store.now(), serial] }, { silent: true });
      await change.commit();
    }),
  );
}

async function readPresent(
  { store }: LibraryEnvironment,
  library: number,
  items: readonly number[],
): Promise<readonly number[]> {
  if (items.length === 0) return [];
  const rows = await store.query({
    sql: "select item from library_item where library = ? and item in (select value from json_each(?))",
    args: [library, JSON.stringify(items)],
  });
  return rows.map((row) => Number(row.item));
}

function addRows(
  change: Change,
  library: number,
  coming: readonly number[],
  passing: ReadonlySet<number>,
  leaving: readonly number[],
): void {
  if (leaving.length > 0) {
    change.add({
      sql: "delete from library_item where library = ? and item in (select value from json_each(?))",
      args: [library, JSON.stringify(leaving)],
    });
  }
  if (coming.length === 0) return;
  change.add({
    sql: `insert into library_item (library, item, passes)
      select ?, i.value ->> 0, i.value ->> 1 from json_each(?) i
      where exists (select 1 from item where id = i.value ->> 0)
      on conflict (library, item) do update set passes = max(passes, excluded.passes)`,
    args: [library, JSON.stringify(coming.map((item) => [item, passing.has(item) ? 1 : 0]))],
  });
}
