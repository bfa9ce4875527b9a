import { KinoraError } from "../../../errors.ts";

/** A list of names to show: `name`, `name:newname`, `name+`, and `-name` to leave out. */
export interface NameFilter {
  /** The names to show, with the name to show each by; `undefined` shows all. */
  readonly included?: ReadonlyMap<string, string>;
  readonly excluded: ReadonlySet<string>;
  /** Names followed by `+`: shown with what is nested in them. */
  readonly withNested: ReadonlySet<string>;
}

export const everyName: NameFilter = { excluded: new Set(), withNested: new Set() };

/** Names of groups may have spaces in them. */
const namePattern = /^(-?)([^:+,\s](?:[^:+,]*[^:+,\s])?)(\+?)(?::([^:+,\s](?:[^:+,]*[^:+,\s])?))?$/;

/**
 * Reads the list of a `field` or `group` parameter.
 *
 * @throws KinoraError `invalid-value` for an entry that is none of the four forms
 */
export function parseNameFilter(parameter: string, entries: readonly string[]): NameFilter {
  const included = new Map<string, string>();
  const excluded = new Set<string>();
  const withNested = new Set<string>();
  for (const entry of entries) {
    const [, minus, name, plus, rename] = namePattern.exec(entry) ?? [];
    if (name === undefined || (minus === "-" && (rename !== undefined || plus === "+"))) {
      throw new KinoraError("invalid-value", {
        context: parameter,
        value: entry.slice(0, 200),
        explanation: `${JSON.stringify(entry.slice(0, 200))} is not name, name:newname, name+ or -name`,
      });
    }
    if (minus === "-") excluded.add(name);
    else included.set(name, rename ?? name);
    if (plus === "+") withNested.add(name);
  }
  return { excluded, withNested, ...(included.size === 0 ? {} : { included }) };
}
