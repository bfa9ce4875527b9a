import type { SimpleMetadata } from "../../identity/documents.ts";
import { accessEntityOf } from "../access/access-entity.ts";
import type { AccessKind } from "../access-port.ts";

/** Something in a collection. */
export interface Member {
  readonly kind: AccessKind;
  readonly serial: number;
  /** The key of the entity. */
  readonly key: number;
  /** Members come in the order of their positions. */
  readonly position: number;
  /** Whether what the collection grants reaches it. */
  readonly passes: boolean;
  readonly metadata?: SimpleMetadata;
}

/** Members lie so far apart at first, so that there is room for others between. */
export const positionStep = 2 ** 20;

/** Kinds as rows have them. */
export const memberKinds: Readonly<Record<AccessKind, number>> = { item: 1, collection: 2, library: 7 };

interface MemberRow {
  readonly kind: unknown;
  readonly member: unknown;
  readonly position: unknown;
  readonly passes: unknown;
  readonly metadata?: unknown;
}

/** The member in a row of `collection_member`. */
export function memberOf(row: MemberRow): Member {
  const key = Number(row.member) * 8 + Number(row.kind);
  return {
    ...accessEntityOf(key),
    key,
    position: Number(row.position),
    passes: row.passes === 1,
    ...(typeof row.metadata === "string" ? { metadata: { field: JSON.parse(row.metadata) } } : {}),
  };
}
