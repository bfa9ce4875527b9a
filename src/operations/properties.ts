import { groupStyles } from "../assets/search/index/group-rows.ts";
import { parseBoolean } from "../documents/scalar.ts";

/** A kind of property: how its text is read, and what is expected. */
export interface PropertyKind<T> {
  readonly expected: string;
  /** `undefined` for a text that is not of this kind. */
  parse(text: string): T | undefined;
}

/** One configuration property. */
export interface PropertyDeclaration<T> {
  readonly kind: PropertyKind<T>;
  /** What counts while nothing is set. */
  readonly default: T;
  /** One sentence or more for the reference page. */
  readonly description: string;
}

function integer(minimum: number, maximum: number): PropertyKind<number> {
  return {
    expected: `a whole number from ${minimum} to ${maximum}`,
    parse(text) {
      const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
  };
}

const toggle: PropertyKind<boolean> = {
  expected: "true or false",
  parse: (text) => parseBoolean(text.trim()),
};

function oneOf<const V extends readonly string[]>(values: V): PropertyKind<V[number]> {
  return {
    expected: `one of ${values.join(", ")}`,
    parse: (text) => values.find((value) => value === text.trim()),
  };
}

function property<T>(kind: PropertyKind<T>, standard: T, description: string): PropertyDeclaration<T> {
  return { kind, default: standard, description };
}

const tenYears = 315_360_000;

/**
 * Every property that `/configuration/properties` knows: an administrator sets them while the service runs, and every
 * instance follows within 5 s.
 */
export const properties = {
  userTokenDefaultInterval: property(
    integer(1, tenYears),
    60,
    "Seconds that a token lives for which no life was asked, as far as userTokenMaxInterval allows",
  ),
  userTokenMaxInterval: property(
    integer(1, tenYears),
    60,
    "The longest life of a token in seconds that a caller without _administrator may ask for",
  ),
  userTokenRefreshInterval: property(
    integer(0, tenYears),
    10,
    "Seconds after a refresh during which the use of a token with autoRefresh does not refresh it again",
  ),
  loginFailuresPerMinute: property(
    integer(0, 10_000),
    10,
    "Failed logins a minute after which a user at an address, and an address, must wait; 0 switches this off",
  ),
  auditTrailIncludeReads: property(toggle, false, "Whether requests that only read are written to the audit trail"),
  auditTrailIncludeBody: property(
    toggle,
    false,
    "Whether bodies of requests are written to the audit trail; those with passwords or secrets never are",
  ),
  auditTrailRetentionDays: property(
    integer(0, 36_500),
    365,
    "Days after which entries of the audit trail are removed; 0 keeps them for ever",
  ),
  autoRemoveExpiredDeletionLocks: property(
    toggle,
    false,
    "Whether deletion locks of items and collections are removed when they are expired",
  ),
  indexCollectionItemOrder: property(
    toggle,
    false,
    "Whether the items of a collection are listed in the order in which they were put in, not in that of their creation",
  ),
  libraryRetentionDays: property(
    integer(0, 36_500),
    30,
    "Days after which a library that nobody uses is removed; 0 keeps them for ever",
  ),
  metadataGroupSearchStyle: property(
    oneOf(groupStyles),
    "separate",
    "What a search within one instance of a field group sees: its own fields (separate), or those of the groups in it as well (mergeToTopLevelGroup). After a change items and collections must be re-indexed",
  ),
} as const;

export type PropertyName = keyof typeof properties;
/** The value of a property. */
export type PropertyValue<N extends PropertyName> = ReturnType<(typeof properties)[N]["kind"]["parse"]> & {};

/** Whether there is a property of this name. */
export function isPropertyName(name: string): name is PropertyName {
  return Object.hasOwn(properties, name);
}

/** The value that a text gives a property: its default when the text is absent or not of its kind. */
export function propertyValue<N extends PropertyName>(name: N, text: string | undefined): PropertyValue<N> {
  const { kind, default: standard } = properties[name];
  return ((text === undefined ? undefined : kind.parse(text)) ?? standard) as PropertyValue<N>;
}
