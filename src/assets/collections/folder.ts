import { KinoraError } from "../../errors.ts";
import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import { accessKey } from "../access/access-entity.ts";
import { requireAccess } from "../access/require-access.ts";
import { createTransientFields } from "../metadata/transient-fields.ts";
import type { CollectionEditing } from "./plan-content.ts";

/** Characters of the longest folder name. */
const longestFolderName = 255;

/** Marks a collection as mapped to a folder of the same name. @throws KinoraError `not-found`, `forbidden` */
export function mapToFolder(editing: CollectionEditing, collection: number): Promise<void> {
  return setMapped(editing, collection, true);
}

/** Ends the mapping. @throws KinoraError `not-found`, `forbidden` */
export function unmapFolder(editing: CollectionEditing, collection: number): Promise<void> {
  return setMapped(editing, collection, false);
}

async function setMapped(editing: CollectionEditing, collection: number, mapped: boolean): Promise<void> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, accessKey("collection", collection), "WRITE");
  await repeatWhenRaced(async () => {
    const change = editing.change();
    change.add({
      sql: "update collection set folder_mapped = ? where id = ?",
      args: [mapped ? 1 : 0, collection],
    });
    createTransientFields(environment.index).set(
      change,
      "collection",
      [collection],
      "__folder_mapped",
      mapped ? ["true"] : [],
    );
    await change.commit();
  });
}

/**
 * Sets the name of the folder of a collection. Answers the name.
 *
 * @throws KinoraError `not-found`, `forbidden`; `invalid-input` for a name that no folder can have
 */
export async function nameFolder(editing: CollectionEditing, collection: number, name: string): Promise<string> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, accessKey("collection", collection), "WRITE");
  if (name === "" || name === "." || name === ".." || name.length > longestFolderName || /[/\\]/.test(name)) {
    throw new KinoraError("invalid-input", {
      context: "name",
      value: name.slice(0, 100),
      explanation: `The name of a folder has 1 to ${longestFolderName} characters and no slash`,
    });
  }
  const change = editing.change();
  change.add({ sql: "update collection set folder_name = ? where id = ?", args: [name, collection] });
  await change.commit();
  return name;
}
