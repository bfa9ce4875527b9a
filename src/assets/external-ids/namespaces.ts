import { KinoraError } from "../../errors.ts";
import { checkText } from "../../identity/names.ts";
import { compilePattern } from "../../pattern/linear-pattern.ts";
import type { Change } from "../../store/change.ts";
import type { Row } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { ExternalIdNamespace } from "../documents/external-id-document.ts";

/** Characters of the name of a namespace. */
const longestName = 255;

export function noSuchNamespace(name: string): KinoraError {
  return new KinoraError("not-found", { type: "external-id-namespace", id: name });
}

function namespaceOf({ name, pattern, priority }: Row): ExternalIdNamespace & { readonly name: string } {
  return { name: String(name), pattern: String(pattern), priority: Number(priority) };
}

/** All namespaces, that with the smallest priority first. */
export async function listNamespaces(
  store: Store,
): Promise<readonly (ExternalIdNamespace & { readonly name: string })[]> {
  const rows = await store.query({
    sql: "select name, pattern, priority from external_id_namespace order by priority, name",
  });
  return rows.map(namespaceOf);
}

/** One namespace. @throws KinoraError `not-found` */
export async function readNamespace(store: Store, name: string): Promise<ExternalIdNamespace> {
  const [row] = await store.query({
    sql: "select name, pattern, priority from external_id_namespace where name = ?",
    args: [name],
  });
  if (row === undefined) throw noSuchNamespace(name);
  return namespaceOf(row);
}

function checkName(name: string, document: ExternalIdNamespace): void {
  checkText(name, "name", longestName);
  if (document.name === undefined || document.name === name) return;
  throw new KinoraError("invalid-input", {
    context: "name",
    value: document.name,
    explanation: `The path names the namespace ${name}; a namespace is not renamed`,
  });
}

/**
 * Makes a namespace, or gives it another pattern or priority; identifiers that it has stay.
 *
 * @throws KinoraError `invalid-value` for a pattern that is none, `invalid-input` for another name in the document
 */
export async function putNamespace(change: Change, name: string, document: ExternalIdNamespace): Promise<void> {
  checkName(name, document);
  compilePattern(document.pattern);
  change.add({
    sql: `insert into external_id_namespace (name, pattern, priority) values (?, ?, ?)
      on conflict (name) do update set pattern = excluded.pattern, priority = excluded.priority`,
    args: [name, document.pattern, document.priority ?? 0],
  });
  await change.commit();
}

/**
 * The namespace that an identifier belongs to: the first whose pattern it matches.
 *
 * @throws KinoraError `invalid-input` when there is none
 */
export async function namespaceFor(store: Store, value: string): Promise<string> {
  const found = (await listNamespaces(store)).find(({ pattern }) => compilePattern(pattern).matches(value));
  if (found !== undefined) return found.name;
  throw new KinoraError("invalid-input", {
    context: "external-id",
    value,
    explanation: "The identifier matches the pattern of no namespace",
  });
}
