import { KinoraError } from "../../../errors.ts";
import type { SortValue } from "../index/sort-value.ts";

/** The last hit of a page: the next page begins behind it. */
export interface CursorPosition {
  /** Its key. */
  readonly id: number;
  /** Its values of the fields that are sorted by; `null` where it has none. */
  readonly values: readonly (SortValue | null)[];
}

/** Begins at the first hit. */
export const cursorStart = "*";

/** A cursor as clients keep it. */
export function writeCursor(position: CursorPosition): string {
  const values = position.values.map((value) => (typeof value === "bigint" ? { whole: String(value) } : value));
  const bytes = new TextEncoder().encode(JSON.stringify([position.id, ...values]));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Reads a cursor of a search that sorts by so many fields; `undefined` for the start.
 *
 * @throws KinoraError `invalid-input` for a text that is no cursor of such a search
 */
export function readCursor(text: string, sorts: number): CursorPosition | undefined {
  if (text === cursorStart || text === "") return undefined;
  const position = parse(text);
  if (position !== undefined && position.values.length === sorts) return position;
  throw new KinoraError("invalid-input", {
    context: "cursor",
    value: text.slice(0, 100),
    explanation: "The cursor is not one that this search gave; begin with *",
  });
}

function parse(text: string): CursorPosition | undefined {
  let list: unknown;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    list = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return undefined;
    throw error;
  }
  if (!Array.isArray(list)) return undefined;
  const [id, ...rest] = list as readonly unknown[];
  const values = rest.map(readValue);
  if (!Number.isSafeInteger(id) || values.includes(undefined)) return undefined;
  return { id: id as number, values: values as (SortValue | null)[] };
}

function readValue(value: unknown): SortValue | null | undefined {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  const whole = typeof value === "object" ? (value as { readonly whole?: unknown }).whole : undefined;
  return typeof whole === "string" && /^-?\d{1,20}$/.test(whole) ? BigInt(whole) : undefined;
}
