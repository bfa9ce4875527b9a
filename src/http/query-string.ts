import { shown } from "../documents/input-error.ts";
import { KinoraError } from "../errors.ts";
import type { SentParameter } from "./parameters.ts";

/**
 * The parameters of a query string, decoded once; a plus is a blank.
 *
 * @throws KinoraError `invalid-input` for an escape that is none, or not of UTF-8
 */
export function queryParameters(query: string): readonly SentParameter[] {
  const sent: SentParameter[] = [];
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    sent.push(equals < 0 ? [decoded(part), ""] : [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))]);
  }
  return sent;
}

function decoded(encoded: string): string {
  const text = encoded.includes("+") ? encoded.replaceAll("+", " ") : encoded;
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    const explanation = `The query has a broken percent-escape in ${shown(encoded)}`;
    throw new KinoraError("invalid-input", { explanation }, { cause });
  }
}
