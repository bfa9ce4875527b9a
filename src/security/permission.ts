/** A wildcard permission such as `doc:read,write:5`, parsed. */
export interface Permission {
  /** Sub-parts by part, lower case. */
  readonly parts: readonly ReadonlySet<string>[];
}

/**
 * Parses a wildcard permission: parts divided by `:`, sub-parts by `,`, compared without regard to letter case unless
 * `caseSensitive`. `undefined` when the text is no permission: empty, only dividers, or a part of only commas.
 */
export function parsePermission(text: string, caseSensitive = false): Permission | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const parts: ReadonlySet<string>[] = [];
  for (const part of splitDroppingTail(caseSensitive ? trimmed : trimmed.toLowerCase(), ":")) {
    const subparts = splitDroppingTail(part, ",");
    if (subparts.length === 0) return undefined;
    parts.push(new Set(subparts));
  }
  return parts.length === 0 ? undefined : { parts };
}

/**
 * Whether who is granted `granted` may do `requested`. `*` as a whole sub-part grants everything in its place; parts
 * that `granted` lacks grant everything; in a request `*` is an ordinary word.
 */
export function implies(granted: Permission, requested: Permission): boolean {
  for (const [index, wanted] of requested.parts.entries()) {
    const held = granted.parts[index];
    if (held === undefined) return true;
    if (held.has("*")) continue;
    for (const word of wanted) if (!held.has(word)) return false;
  }
  return granted.parts.slice(requested.parts.length).every((part) => part.has("*"));
}

/** Splits a text; empty pieces at the end are dropped, but an empty text is one empty piece. */
function splitDroppingTail(text: string, divider: string): readonly string[] {
  if (text === "") return [""];
  const pieces = text.split(divider);
  while (pieces.at(-1) === "") pieces.pop();
  return pieces;
}
