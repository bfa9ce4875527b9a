import type { Change } from "../../store/change.ts";
import type { Addressable } from "../addressable.ts";
import { type ExternalIdEnvironment, removeIdentifiers } from "./identifiers.ts";
import { noSuchNamespace } from "./namespaces.ts";

/** Entities that lose their identifiers between two looks at what is left. */
const blockSize = 500;

/**
 * Deletes a namespace with its identifiers. They go entity by entity, so that a large namespace needs no large change;
 * when this is broken off, the namespace is still there with the rest, and deleting it again goes on.
 *
 * @throws KinoraError `not-found`
 */
export async function deleteNamespace(
  environment: ExternalIdEnvironment,
  kinds: readonly Addressable[],
  change: () => Change,
  name: string,
): Promise<void> {
  const { store } = environment;
  const [namespace] = await store.query({ sql: "select id from external_id_namespace where name = ?", args: [name] });
  if (namespace === undefined) throw noSuchNamespace(name);
  for (;;) {
    const rows = await store.query({
      sql: "select type, entity, value from external_id where namespace = ? limit ?",
      args: [namespace.id ?? null, blockSize],
    });
    for (const { type, entity, value } of rows) {
      const kind = kinds.find((one) => one.type === type)?.kind;
      await removeIdentifiers(environment, change, { type: String(type), serial: Number(entity), kind }, String(value));
    }
    if (rows.length > 0) continue;
    const last = change();
    last.add({
      sql: `delete from external_id_namespace where id = ?1
        and not exists (select 1 from external_id where namespace = ?1)`,
      args: [namespace.id ?? null],
    });
    const [result] = await last.commit();
    if (result?.rowsAffected === 1) return;
    const [still] = await store.query({
      sql: "select 1 from external_id where namespace = ?",
      args: [namespace.id ?? null],
    });
    // Somebody else deleted it.
    if (still === undefined) return;
  }
}
