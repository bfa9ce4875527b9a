/** One element of a DER structure (X.690). */
export interface DerElement {
  readonly tag: number;
  /** The element with its header. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

/** The elements in a row, or `undefined` when the bytes are not DER to the last of them. */
export function derElements(bytes: Uint8Array): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const header = readHeader(bytes, at);
    if (header === undefined || header.end > bytes.length) return undefined;
    elements.push({
      tag: header.tag,
      whole: bytes.subarray(at, header.end),
      content: bytes.subarray(header.start, header.end),
    });
    at = header.end;
  }
  return elements;
}

function readHeader(
  bytes: Uint8Array,
  at: number,
): { readonly tag: number; readonly start: number; readonly end: number } | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  const size = first & 0x7f;
  if (size === 0 || size > 4) return undefined;
  let length = 0;
  for (let i = 0; i < size; i++) {
    const byte = bytes[at + 2 + i];
    if (byte === undefined) return undefined;
    length = length * 256 + byte;
  }
  return { tag, start: at + 2 + size, end: at + 2 + size + length };
}
