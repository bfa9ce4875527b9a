/** One entry as it counts for access: who may do what, where, by whom granted. */
export interface Grant {
  /** The number of a user (even) or a group (odd). */
  readonly principal: number;
  /** 0 for NONE to 3 for ALL. */
  readonly permission: number;
  /** See reach.ts. */
  readonly reach: number;
  /** Entries of a higher priority decide before others. 0 unless it was given. */
  readonly priority: number;
  /** Empty for every operation, else `METADATA`, `SHAPE` or `URI`, and behind a space the field, tag or kind. */
  readonly operation: string;
  /** The number of the user that granted it; 0 when it is in force whoever granted it. */
  readonly grantor: number;
}

/** Where an entity stands as far as access goes. All entities that stand alike share one access set. */
export interface Placement {
  /** The low three bits of the key of its entities. */
  readonly kind: number;
  /** The number of the owner; 0 for none. */
  readonly owner: number;
  /** The entities' own entries, each once, in the order of {@link ordered}. */
  readonly grants: readonly Grant[];
  /** Keys of the collections and libraries whose entries reach the entities, ascending. */
  readonly parents: readonly number[];
}

type Compact = readonly [number, number, number, number, string, number];

function compactOf({ principal, permission, reach, priority, operation, grantor }: Grant): Compact {
  return [principal, permission, reach, priority, operation, grantor];
}

/** Entries in one order, whatever order they were made in, and each once. */
export function ordered(grants: readonly Grant[]): readonly Grant[] {
  const byText = new Map(grants.map((grant) => [JSON.stringify(compactOf(grant)), grant]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, grant]) => grant);
}

/** A placement as the text that is the key of its set. */
export function placementKey({ kind, owner, grants, parents }: Placement): string {
  const keys = [...new Set(parents)].sort((a, b) => a - b);
  return JSON.stringify([kind, owner, ordered(grants).map(compactOf), keys]);
}

/** A placement in JSON: the key of its set, read. */
export type PlacementJson = readonly [
  kind: number,
  owner: number,
  grants: readonly Compact[],
  parents: readonly number[],
];

/** The placement that a set's key tells. */
export function parsePlacement(key: string): Placement {
  return placementOf(JSON.parse(key) as PlacementJson);
}

/** The placement that JSON stands for. */
export function placementOf([kind, owner, grants, parents]: PlacementJson): Placement {
  return {
    kind,
    owner,
    parents,
    grants: grants.map(([principal, permission, reach, priority, operation, grantor]) => ({
      principal,
      permission,
      reach,
      priority,
      operation,
      grantor,
    })),
  };
}
