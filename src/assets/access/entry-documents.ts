import type { Ids } from "../../store/ids.ts";
import type { AccessControl } from "./access-documents.ts";
import { accessEntityOf } from "./access-entity.ts";
import { type AccessList, ownerEntryId, type StoredEntry } from "./access-entries.ts";
import { formatAccessEntity } from "./entity-id.ts";
import { isGroupPrincipal } from "./principals.ts";
import { appliesToOf, everything, reachesFurther } from "./reach.ts";
import { operationDocument, permissionWord } from "./wanted-entry.ts";

/** What the documents of entries need of a request. */
export interface EntryAddresses {
  readonly ids: Pick<Ids, "format">;
  /** The absolute URL of a path. */
  url(path: string): string;
}

/** The path of an entity. */
export function entityPath(ids: Pick<Ids, "format">, entity: number): string {
  return `/${accessEntityOf(entity).kind}/${encodeURIComponent(formatAccessEntity(ids, entity))}`;
}

/** An entry as documents show it. */
export function entryDocument({ ids, url }: EntryAddresses, entry: StoredEntry): AccessControl {
  const { entity, principal, name, permission, reach, priority, grantorName } = entry;
  const id = ids.format(entry.id);
  const operation = operationDocument(entry.operation);
  return {
    id,
    loc: url(`${entityPath(ids, entity)}/access/${id}`),
    ...(grantorName === undefined ? {} : { grantor: grantorName }),
    recursive: reachesFurther(reach),
    appliesTo: appliesToOf(reach),
    permission: permissionWord(permission),
    ...(priority === 0 ? {} : { priority }),
    ...(operation === undefined ? {} : { operation }),
    ...(isGroupPrincipal(principal) ? { group: name } : { user: name }),
  };
}

/** The owner's entry; `undefined` for an entity without an owner. */
export function ownerDocument({ ids, url }: EntryAddresses, list: AccessList): AccessControl | undefined {
  const { entity, owner } = list;
  if (owner === undefined) return undefined;
  const id = ids.format(ownerEntryId(entity));
  return {
    id,
    loc: url(`${entityPath(ids, entity)}/access/${id}`),
    recursive: true,
    appliesTo: appliesToOf(everything),
    permission: "OWNER",
    user: owner,
  };
}

/** A whole access list as documents show it, the owner first. */
export function listDocuments(addresses: EntryAddresses, list: AccessList): readonly AccessControl[] {
  const owner = ownerDocument(addresses, list);
  const entries = list.entries.map((entry) => entryDocument(addresses, entry));
  return owner === undefined ? entries : [owner, ...entries];
}
