import { KinoraError } from "../../errors.ts";

/** A category, an underscore, a name; all of it can be the name of an XML element. */
const fieldName = /^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_.-]+$/;
/** What cannot stand in a selector: signs of its grammar, control characters. */
const groupName = /^[^-\s:,+/\p{Cc}\p{Cs}](?:[^:,+/\p{Cc}\p{Cs}]*[^\s:,+/\p{Cc}\p{Cs}])?$/u;
const longest = 255;

/** Words that the paths below field groups use themselves. */
const reservedGroups: ReadonlySet<string> = new Set(["merged-access", ".", ".."]);

/**
 * Refuses what cannot be the name of a field that a user defines: `{category}_{name}`. Names without an underscore are
 * kept for the service.
 *
 * @throws KinoraError `invalid-input` with context `metadata-field`
 */
export function checkFieldName(name: string): void {
  if (fieldName.test(name) && name.length <= longest) return;
  throw new KinoraError("invalid-input", {
    context: "metadata-field",
    value: name.slice(0, longest),
    explanation: `The name ${JSON.stringify(name.slice(0, 100))} is invalid: a field is called {category}_{name}, in letters, digits, "_", "-" and "."`,
  });
}

/** Refuses what cannot be the name of a field group. @throws KinoraError `invalid-input` with context `field-group` */
export function checkGroupName(name: string): void {
  if (groupName.test(name) && name.length <= longest && !reservedGroups.has(name)) return;
  throw new KinoraError("invalid-input", {
    context: "field-group",
    value: name.slice(0, longest),
    explanation: `The name ${JSON.stringify(name.slice(0, 100))} is invalid: a field group's name has none of "/:,+", and does not begin with "-"`,
  });
}
