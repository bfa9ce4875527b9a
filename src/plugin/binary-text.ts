/** Base64 without padding, as hash strings write it. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
}

/** Reads Base64 with or without padding; `undefined` for anything else. */
export function fromBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/={1,2}$/, "");
  // A single character left over holds fewer than eight bits: no encoder writes it.
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}

/** Reads pairs of hexadecimal digits in any case; `undefined` for anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16));
}

/** Compares two byte strings without telling by time where they differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
