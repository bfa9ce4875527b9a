import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { AccessKind } from "../access-port.ts";
import { accessClassOf } from "./access-class.ts";
import { accessKey, accessKinds } from "./access-entity.ts";
import { insertEntries, takeEntryIds } from "./access-entries.ts";
import { recordAccess } from "./access-events.ts";
import { type Grant, type Placement, placementKey } from "./access-set.ts";
import { importDefaultsVersion, readImportEntries } from "./import-defaults.ts";
import { ensurePrincipals, principalKey } from "./principals.ts";
import { addClass, addSet } from "./write-sets.ts";

/** What every new entity of an owner begins with. */
interface Beginning {
  readonly set: number;
  readonly grants: readonly (Grant & { readonly name: string })[];
}

/** Adds the access of a new entity to a change. */
export type AddNewEntityAccess = (
  change: Change,
  kind: AccessKind,
  serial: number,
  owner: string,
  settings?: string,
) => void | Promise<void>;

/** Beginnings that are remembered; the longest unused go first. */
const mostBeginnings = 1000;

/**
 * Makes what gives new entities their access: the owner's entry, and those of the owner's import defaults or of a
 * profile. What an owner's entities begin with is worked out once and remembered, so that a new item costs one
 * statement here and one for all its entries; a change of defaults, users or groups is followed at once on this
 * instance, within 5 s on others.
 */
export function newEntityAccess(store: Store): AddNewEntityAccess {
  const known = new Map<string, Beginning>();
  let seen = "";

  function versions(): string {
    return `${store.versions.current("security")} ${store.versions.current(importDefaultsVersion)}`;
  }

  async function begin(kind: AccessKind, owner: string, settings?: string): Promise<Beginning> {
    const before = versions();
    const beginning = await workOut(store, kind, owner, settings);
    if (seen === before && before === versions()) {
      known.set(beginningKey(kind, owner, settings), beginning);
      for (const oldest of known.keys()) {
        if (known.size <= mostBeginnings) break;
        known.delete(oldest);
      }
    }
    return beginning;
  }

  return (change, kind, serial, owner, settings) => {
    const now = versions();
    if (now !== seen) {
      known.clear();
      seen = now;
    }
    const beginning = known.get(beginningKey(kind, owner, settings));
    if (beginning?.grants.length === 0) return addSetOf(change, kind, serial, beginning);
    if (beginning !== undefined) return addWithEntries(store, change, kind, serial, beginning);
    return begin(kind, owner, settings).then((made) => addWithEntries(store, change, kind, serial, made));
  };
}

function beginningKey(kind: AccessKind, owner: string, settings?: string): string {
  return `${kind} ${settings ?? ""}\n${owner}`;
}

async function workOut(store: Store, kind: AccessKind, owner: string, settings?: string): Promise<Beginning> {
  const wanted = await readImportEntries(store, owner, settings);
  const names = [{ kind: "user", name: owner } as const, ...wanted];
  const numbers = await ensurePrincipals(store, names);
  const numberOf = (of: (typeof names)[number]) => numbers.get(principalKey(of.kind, of.name)) ?? 0;
  const grantor = numberOf({ kind: "user", name: owner });
  const grants = wanted.map((entry) => {
    const { name, permission, reach, priority, operation } = entry;
    return { name, permission, reach, priority, operation, principal: numberOf(entry), grantor };
  });
  return {
    set: await ensureSet(store, { kind: accessKinds[kind].number, owner: grantor, grants, parents: [] }),
    grants,
  };
}

/** The number of the set of a placement without containers, which is never removed. */
async function ensureSet(store: Store, placement: Placement): Promise<number> {
  const key = placementKey(placement);
  const find = { sql: "select id from access_set where key = ?", args: [key] };
  const [known] = await store.query(find);
  if (known !== undefined) return Number(known.id);
  const accessClass = accessClassOf(placement, () => undefined);
  const change = store.change({ userName: "system" });
  addClass(change, accessClass);
  addSet(change, placement, accessClass);
  await change.commit();
  return Number((await store.query(find))[0]?.id);
}

function addSetOf(change: Change, kind: AccessKind, serial: number, { set }: Beginning): void {
  change.add(
    {
      sql: `insert into search_document (id, access) values (?, ?)
        on conflict (id) do update set access = excluded.access`,
      args: [accessKey(kind, serial), set],
    },
    { silent: true },
  );
}

async function addWithEntries(
  store: Store,
  change: Change,
  kind: AccessKind,
  serial: number,
  beginning: Beginning,
): Promise<void> {
  addSetOf(change, kind, serial, beginning);
  const { grants } = beginning;
  if (grants.length === 0) return;
  const entity = accessKey(kind, serial);
  const ids = await takeEntryIds(store, grants.length);
  const entries = grants.map((grant, index) => ({ ...grant, entity, id: ids[index] ?? 0 }));
  change.add(insertEntries(entries), { silent: true });
  for (const entry of entries) recordAccess(change, store.ids, "CREATE", entity, entry);
}
