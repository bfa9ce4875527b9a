import type { IndexedField } from "./index-port.ts";

/** Definitions count from 1, so that this is none of theirs. */
const referenceId = 0;

/** What the index takes the references of a field or group of this name for: values of a field of their own. */
export function referenceIn(holder: string): IndexedField {
  return { id: referenceId, name: holder, type: "string-exact", index: "index", fullText: false };
}

export function isReference({ id }: Pick<IndexedField, "id">): boolean {
  return id === referenceId;
}

/** What the text of every reference to an entry begins with. */
export function referenceTo(uuid: string): string {
  return `${uuid} `;
}

/** The text of a reference to an entry in a field or group of a name. */
export function referenceText(uuid: string, holder: string): string {
  return referenceTo(uuid) + holder;
}
