/**
 * Parses a JSON object and refuses what two programs could read in two ways: a name that stands twice in one object.
 * `undefined` for anything that is not exactly one such object.
 */
export function strictJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // not JSON: the caller refuses the token
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return hasRepeatedName(text) ? undefined : (value as Readonly<Record<string, unknown>>);
}

/** Whether an object of a well-formed JSON text has a name twice, compared as decoded. */
function hasRepeatedName(text: string): boolean {
  // One set of names for each object that is open, `undefined` for an array.
  const open: (Set<string> | undefined)[] = [];
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;
  for (const [token, name, colon] of text.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (name !== undefined && colon !== undefined) {
      const names = open.at(-1);
      const decoded = JSON.parse(name) as string;
      if (names?.has(decoded)) return true;
      names?.add(decoded);
    }
  }
  return false;
}
