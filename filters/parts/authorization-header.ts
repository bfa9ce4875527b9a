/**
 * What stands behind the scheme in an `Authorization` header (RFC 9110, 11.4): the scheme counts in any case and is
 * followed by at least one blank.
 *
 * @returns the rest without surrounding blanks, `""` when there is none, `undefined` for another scheme or no header
 */
export function afterScheme(header: string | undefined, scheme: string): string | undefined {
  if (header === undefined) return undefined;
  const end = scheme.length;
  // Most headers name another scheme, or this one as it is written here: then nothing is copied to compare it.
  if ((header.charCodeAt(1) | 0x20) !== (scheme.charCodeAt(1) | 0x20)) return undefined;
  if (!header.startsWith(scheme) && header.slice(0, end).toLowerCase() !== scheme.toLowerCase()) return undefined;
  if (header.length === end) return "";
  return header.charCodeAt(end) === 0x20 ? header.slice(end + 1).trim() : undefined;
}

/** Whether the request is a browser's question before a cross-origin request (Fetch standard, CORS preflight). */
export function isPreflight(method: string, header: (name: string) => string | undefined): boolean {
  return method === "OPTIONS" && !isBlank(header("origin")) && !isBlank(header("access-control-request-method"));
}

function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === "";
}
