import { KinoraError } from "../errors.ts";
import { inWords, type Place, placeOf } from "../xml/xml-error.ts";

/** What begins at the scanner's place. */
export type JsonToken = "{" | "[" | "string" | "number" | "true" | "false" | "null";

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;
/** No quote, no backslash, no control character. */
const plainString = /[ !#-[\]-\uffff]*/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Bounds of one document. */
export interface JsonLimits {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Entries of objects and arrays in all. */
  readonly nodes: number;
}

/**
 * Walks over a JSON text (RFC 8259) without building a tree, so that every error knows its place, numbers keep all
 * their digits, and no key goes unseen.
 *
 * @throws KinoraError `invalid-json` with line and column
 */
export class JsonScanner {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #depth = 0;
  #nodes = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
    this.#skipSpace();
  }

  /** Where the scanner stands: the next token's index, for {@link place}. */
  get index(): number {
    return this.#at;
  }

  /** The place of an index; of the next token when none is given. */
  place(index = this.#at): Place {
    return placeOf(this.#text, index);
  }

  /** The kind of the next value. */
  peek(): JsonToken {
    switch (this.#text[this.#at]) {
      case "{":
        return "{";
      case "[":
        return "[";
      case '"':
        return "string";
      case "t":
        return "true";
      case "f":
        return "false";
      case "n":
        return "null";
      default:
        return "number";
    }
  }

  /** Reads `true`, `false` or `null`. */
  word(word: "true" | "false" | "null"): void {
    if (!this.#text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    this.#skipSpace();
  }

  /** Reads a number; its text as it stands. */
  number(): string {
    number.lastIndex = this.#at;
    const found = number.exec(this.#text)?.[0];
    if (found === undefined) return this.#fail();
    this.#at += found.length;
    this.#skipSpace();
    return found;
  }

  /** Reads a string. */
  string(): string {
    if (this.#text[this.#at] !== '"') this.#fail();
    this.#at++;
    let value = "";
    for (;;) {
      plainString.lastIndex = this.#at;
      const plain = plainString.exec(this.#text)?.[0] ?? "";
      value += plain;
      this.#at += plain.length;
      const next = this.#text[this.#at];
      if (next === '"') break;
      if (next !== "\\") this.#fail();
      value += this.#escape();
    }
    this.#at++;
    this.#skipSpace();
    return value;
  }

  /** Reads an object; `entry` reads each value, and can ask for the place of its key. */
  object(entry: (key: string, place: () => Place) => void): void {
    this.#enter("{");
    if (this.#text[this.#at] === "}") {
      this.#leave();
      return;
    }
    for (;;) {
      this.#count();
      const start = this.#at;
      const key = this.string();
      if (this.#text[this.#at] !== ":") this.#fail();
      this.#at++;
      this.#skipSpace();
      entry(key, () => placeOf(this.#text, start));
      if (this.#separator("}")) return;
    }
  }

  /** Reads an array; `entry` reads each value. */
  array(entry: () => void): void {
    this.#enter("[");
    if (this.#text[this.#at] === "]") {
      this.#leave();
      return;
    }
    for (;;) {
      this.#count();
      entry();
      if (this.#separator("]")) return;
    }
  }

  /** Reads over a value, whatever it is. */
  skip(): void {
    const token = this.peek();
    if (token === "{") this.object(() => this.skip());
    else if (token === "[") this.array(() => this.skip());
    else if (token === "string") this.string();
    else if (token === "number") this.number();
    else this.word(token);
  }

  /** Checks that nothing follows. */
  end(): void {
    if (this.#at < this.#text.length) this.#fail();
  }

  #count(): void {
    if (++this.#nodes > this.#limits.nodes) this.#refuse(`The document has more than ${this.#limits.nodes} entries`);
  }

  #enter(bracket: "{" | "["): void {
    if (this.#text[this.#at] !== bracket) this.#fail();
    if (++this.#depth > this.#limits.depth) this.#refuse(`The values are nested more than ${this.#limits.depth} deep`);
    this.#at++;
    this.#skipSpace();
  }

  #leave(): void {
    this.#depth--;
    this.#at++;
    this.#skipSpace();
  }

  /** After an entry: `true` at the end, `false` before the next entry. */
  #separator(end: "}" | "]"): boolean {
    const found = this.#text[this.#at];
    if (found === end) {
      this.#leave();
      return true;
    }
    if (found !== ",") this.#fail();
    this.#at++;
    this.#skipSpace();
    return false;
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? "";
    if (letter === "u") {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail();
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = escapes[letter];
    if (character === undefined) return this.#fail();
    this.#at += 2;
    return character;
  }

  #skipSpace(): void {
    // Most often there is none.
    if (this.#text.charCodeAt(this.#at) > 0x20) return;
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
  }

  #fail(): never {
    const found = this.#text[this.#at];
    return this.#refuse(
      found === undefined ? "The document ends too early" : `The character ${JSON.stringify(found)} cannot stand here`,
    );
  }

  #refuse(problem: string): never {
    throw new KinoraError("invalid-json", { explanation: `${problem} ${inWords(this.place())}` });
  }
}
