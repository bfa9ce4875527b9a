import { KinoraError } from "../errors.ts";

/** A place in a document. Both count from 1; columns count characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of an index of a text. */
export function placeOf(text: string, index: number): Place {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: index - start + 1 };
}

/** A place in words, for the end of a sentence. */
export function inWords(place: Place): string {
  return `(line ${place.line}, column ${place.column})`;
}

/** The error of an XML document that cannot be read: 400 with the place. */
export function invalidXml(problem: string, place: Place): KinoraError {
  return new KinoraError("invalid-xml", { explanation: `${problem} ${inWords(place)}` });
}
