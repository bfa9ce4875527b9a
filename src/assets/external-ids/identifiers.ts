import { KinoraError } from "../../errors.ts";
import { checkText } from "../../identity/names.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { EntityKind } from "../entity.ts";
import type { ExternalIds } from "../entity-ids.ts";
import { siteOf } from "../fields/site.ts";
import type { TransientFields } from "../metadata/transient-fields.ts";
import { namespaceFor } from "./namespaces.ts";

/** Characters of an identifier, and identifiers of one entity. */
export const longestIdentifier = 255;
export const mostIdentifiers = 1000;

/** The entity whose identifiers are meant. */
export interface IdentifiedEntity {
  readonly type: string;
  readonly serial: number;
  /** Its kind in the index, when it has metadata. */
  readonly kind?: EntityKind | undefined;
}

export interface ExternalIdEnvironment {
  readonly store: Store;
  readonly transientFields: TransientFields;
}

/** An identifier and where it belongs. */
export interface Identifier {
  readonly value: string;
  readonly namespace: string;
}

/** Looks for the entity of a type that an identifier names. */
export function externalIdLookup(store: Store): ExternalIds {
  return async (type, identifier) => {
    const [row] = await store.query({
      sql: "select entity from external_id where type = ? and value = ?",
      args: [type.toLowerCase(), identifier],
    });
    return row === undefined ? undefined : Number(row.entity);
  };
}

/** The identifiers of entities of one type, by serial; those of the namespace with the smallest priority first. */
export async function readIdentifiers(
  store: Store,
  type: string,
  serials: readonly number[],
): Promise<ReadonlyMap<number, readonly Identifier[]>> {
  const rows = await store.query({
    sql: `select x.entity, x.value, n.name from external_id x join external_id_namespace n on n.id = x.namespace
      where x.type = ? and x.entity in (select value from json_each(?)) order by n.priority, n.name, x.value`,
    args: [type, JSON.stringify(serials)],
  });
  const found = new Map<number, Identifier[]>();
  for (const { entity, value, name } of rows) {
    const own = found.get(Number(entity)) ?? [];
    found.set(Number(entity), own);
    own.push({ value: String(value), namespace: String(name) });
  }
  return found;
}

/** Refuses what cannot be an identifier, above all what reads as an id of this site. @throws KinoraError `invalid-input` */
function checkIdentifier(store: Store, value: string): void {
  checkText(value, "external-id", longestIdentifier);
  const site = siteOf(store);
  const isOwn = value.startsWith(site) && /^[-*][0-9]+$/.test(value.slice(site.length));
  const unfit = value === "" || value === "." || value === ".." || /[\t\r\n]/.test(value);
  if (!isOwn && !unfit) return;
  throw new KinoraError("invalid-input", {
    context: "external-id",
    value,
    explanation: isOwn ? `Identifiers like ${site}-1 are those of this site` : "The identifier cannot stand in a path",
  });
}

/** Adds what the entity is found by to a change, guarded by the identifiers that were read. */
function addStep(
  { transientFields }: ExternalIdEnvironment,
  change: Change,
  { type, serial, kind }: IdentifiedEntity,
  before: readonly string[],
  after: readonly string[],
): void {
  change.require(
    {
      sql: `select (select json_group_array(value) from (
          select value from external_id where type = ? and entity = ? order by value
        )) = (select json_group_array(value) from (select value from json_each(?) order by value))`,
      args: [type, serial, JSON.stringify(before)],
    },
    raced,
  );
  if (kind !== undefined) transientFields.set(change, kind, [serial], "__externalId", after);
}

/** What a client is told of an identifier that another entity has. */
export type TakenCode = "conflict" | "invalid-input";

function addRow(
  change: Change,
  { type, serial }: IdentifiedEntity,
  namespace: string,
  value: string,
  code: TakenCode = "conflict",
): void {
  const taken = new KinoraError(code, {
    context: "external-id",
    value,
    explanation: `The identifier belongs to another entity of the type ${type}`,
  });
  change.add(
    {
      sql: `insert into external_id (type, value, namespace, entity)
        values (?, ?, (select id from external_id_namespace where name = ?), ?)`,
      args: [type, value, namespace, serial],
    },
    { unique: taken, silent: true },
  );
}

/**
 * Adds an identifier of an entity that the same change creates.
 *
 * @param taken what the commit throws when another entity has it. Default `conflict`
 * @throws KinoraError as {@link putIdentifier}
 */
export async function identifyNew(
  { store, transientFields }: ExternalIdEnvironment,
  change: Change,
  entity: IdentifiedEntity,
  value: string,
  taken?: TakenCode,
): Promise<void> {
  checkIdentifier(store, value);
  addRow(change, entity, await namespaceFor(store, value), value, taken);
  if (entity.kind !== undefined) transientFields.set(change, entity.kind, [entity.serial], "__externalId", [value]);
}

/**
 * Gives an entity an identifier; nothing changes when it has it.
 *
 * @throws KinoraError `conflict` when another entity of the type has it; `invalid-input` when it matches no namespace
 */
export async function putIdentifier(
  environment: ExternalIdEnvironment,
  change: () => Change,
  entity: IdentifiedEntity,
  value: string,
): Promise<void> {
  const { store } = environment;
  checkIdentifier(store, value);
  const namespace = await namespaceFor(store, value);
  const { type, serial } = entity;
  await repeatWhenRaced(async () => {
    const own = ((await readIdentifiers(store, type, [serial])).get(serial) ?? []).map((one) => one.value);
    if (own.includes(value)) return;
    if (own.length >= mostIdentifiers) {
      throw new KinoraError("invalid-input", {
        context: "external-id",
        value,
        explanation: `An entity has at most ${mostIdentifiers} external identifiers`,
      });
    }
    const write = change();
    addStep(environment, write, entity, own, [...own, value]);
    addRow(write, entity, namespace, value);
    await write.commit();
  });
}

/** Takes identifiers from an entity, all when none is named; answers whether it had them. */
export async function removeIdentifiers(
  environment: ExternalIdEnvironment,
  change: () => Change,
  entity: IdentifiedEntity,
  value?: string,
): Promise<boolean> {
  const { store } = environment;
  const { type, serial } = entity;
  return repeatWhenRaced(async () => {
    const own = ((await readIdentifiers(store, type, [serial])).get(serial) ?? []).map((one) => one.value);
    const gone = own.filter((one) => value === undefined || one === value);
    if (gone.length === 0) return false;
    const write = change();
    addStep(
      environment,
      write,
      entity,
      own,
      own.filter((one) => !gone.includes(one)),
    );
    write.add({
      sql: "delete from external_id where type = ? and entity = ? and value in (select value from json_each(?))",
      args: [type, serial, JSON.stringify(gone)],
    });
    await write.commit();
    return true;
  });
}

/** Adds that entities which are deleted have no identifiers any more. */
export function identifiersRemoved(change: Change, type: string, serials: readonly number[]): void {
  change.add(
    {
      sql: "delete from external_id where type = ? and entity in (select value from json_each(?))",
      args: [type, JSON.stringify(serials)],
    },
    { silent: true },
  );
}
