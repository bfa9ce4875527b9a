import type { ConfigurationAccess } from "../plugin/contract.ts";
import type { Change } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { type PropertyName, type PropertyValue, propertyValue } from "./properties.ts";

/** Name of the version that every change of the configuration raises. */
export const configurationVersion = "configuration";

/** A document of the configuration as it is stored. */
export interface StoredDocument {
  /** Changes with the value and is never used twice. */
  readonly version: number;
  readonly value: unknown;
}

/** What administrators set while the service runs, as this instance last read it: at most 5 s old. */
export interface Configuration extends ConfigurationAccess {
  /** Reads anew what has changed. Nothing to wait for, and no promise, while nothing has. */
  refresh(): Promise<void> | undefined;
  property<N extends PropertyName>(name: N): PropertyValue<N>;
  current(name: string): StoredDocument | undefined;
}

interface Snapshot {
  readonly properties: ReadonlyMap<string, string>;
  readonly documents: ReadonlyMap<string, StoredDocument>;
}

/**
 * Opens the configuration. Until the first {@link Configuration.refresh} all properties have their defaults.
 *
 * A refresh that fails leaves what was read before in use, and is tried again; only the first one throws.
 *
 * @param failed told of a refresh that failed
 */
export function createConfiguration(store: Store, failed: (error: unknown) => void): Configuration {
  let snapshot: Snapshot | undefined;
  let version: number | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const seen = store.versions.current(configurationVersion);
    try {
      snapshot = await readSnapshot(store);
      version = seen;
    } catch (error) {
      if (snapshot === undefined) throw error;
      failed(error);
    }
  }

  return {
    refresh() {
      if (snapshot !== undefined && store.versions.current(configurationVersion) === version) return undefined;
      // On Workers one request must not wait for the promise of another.
      if (store.database.isolated) return read();
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    property: (name) => propertyValue(name, snapshot?.properties.get(name)),
    current: (name) => snapshot?.documents.get(name),
  };
}

async function readSnapshot(store: Store): Promise<Snapshot> {
  const [properties, documents] = await store.readAll([
    { sql: "select key, value from configuration_property" },
    { sql: "select name, value, version from configuration_document" },
  ]);
  return {
    properties: new Map(properties?.map((row) => [String(row.key), String(row.value)])),
    documents: new Map(
      documents?.map((row) => [
        String(row.name),
        { version: Number(row.version), value: JSON.parse(String(row.value)) as unknown },
      ]),
    ),
  };
}

/** Adds the replacement of a document to a change. */
export function putDocument(store: Store, change: Change, name: string, value: unknown): void {
  store.versions.bump(change, configurationVersion);
  change.add({
    // The version counts all changes of the configuration, so a document that comes back has a new one.
    sql: `insert into configuration_document (name, value, version, changed)
      select ?, ?, value, ? from version where name = ?
      on conflict (name) do update
        set value = excluded.value, version = excluded.version, changed = excluded.changed`,
    args: [name, JSON.stringify(value), store.now(), configurationVersion],
  });
}

/** Adds the removal of a document to a change. */
export function deleteDocument(store: Store, change: Change, name: string): void {
  store.versions.bump(change, configurationVersion);
  change.add({ sql: "delete from configuration_document where name = ?", args: [name] });
}

/** Reads a document from the database itself. */
export async function readDocument(store: Store, name: string): Promise<unknown> {
  const [row] = await store.query({ sql: "select value from configuration_document where name = ?", args: [name] });
  return row === undefined ? undefined : JSON.parse(String(row.value));
}
