import { trim } from "../plugin/value-list.ts";
import type { Position, Problems } from "./problem.ts";

/** `key = value`, with its place. */
export interface IniEntry {
  readonly key: string;
  readonly value: string;
  /** Where the key begins. */
  readonly at: Position;
  /** Where the character of the value at `offset` stands, also behind a continuation. */
  valueAt(offset: number): Position;
}

/** A section with at least one entry; lines before the first header are the section named "". */
export interface IniSection {
  readonly name: string;
  readonly at: Position;
  readonly entries: readonly IniEntry[];
}

/** A stretch of a logical line: `start` is its offset there, `at` its place in the file. */
interface Piece {
  readonly start: number;
  readonly at: Position;
}

interface OpenSection {
  readonly name: string;
  readonly at: Position;
  readonly entries: IniEntry[];
  /** Index in `entries`, by key. */
  readonly keys: Map<string, number>;
}

/** The line breaks of the format. Vertical tab and form feed break no line. */
const lineBreak = /\r\n|[\n\r\u0085\u2028\u2029]/;

/** Splits a text into its lines as the format counts them. */
export function linesOf(text: string): readonly string[] {
  return text.split(lineBreak);
}

/**
 * Reads the INI grammar of Apache Shiro (observed rules: line continuation by a trailing backslash, keys that end at
 * an unescaped `=`, `:` or blank, no comments behind a value, a repeated key keeps its first place with its last
 * value), in time linear in the text.
 *
 * What the original loses in silence is an error here: a repeated section, a continuation that nothing ends, a byte
 * order mark, a line without a value.
 *
 * Neither of the INI readers at hand reads this format, which is why there is one here: `@std/ini` knows only `=`, has
 * no continuation lines, turns values into numbers and booleans, and lets a repeated section replace the first; npm
 * `ini` drops `:` separators and continuation, strips quotes, nests dotted sections and reorders integer keys. Neither
 * keeps positions, and order is meaning in `[main]` and `[urls]`.
 */
export function readIni(lines: readonly string[], problems: Problems): readonly IniSection[] {
  const sections = new Map<string, OpenSection>();
  let section = open(sections, "", { line: 1, column: 1 });
  let logical = "";
  let pieces: Piece[] = [];

  const loseContinuation = () => {
    const at = pieces.at(-1)?.at;
    if (at !== undefined) {
      problems.error(at, {
        code: "unterminated-continuation",
        message: "The line ends in a backslash, but no line of this section continues it",
        fix: "Remove the backslash, or add the line that belongs here",
      });
    }
    logical = "";
    pieces = [];
  };

  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const whole = line === 1 ? withoutMark(raw, problems) : raw;
    const text = trim(whole);
    const at = { line, column: raw.length - whole.length + whole.indexOf(text) + 1 };
    if (text === "" || text.startsWith("#") || text.startsWith(";")) continue;
    if (pieces.length === 0 && isAllBlank(text)) continue;

    if (text.startsWith("[") && text.endsWith("]")) {
      loseContinuation();
      section = openOnce(sections, trim(text.slice(1, -1)), at, problems);
      continue;
    }

    pieces.push({ start: logical.length, at });
    if (isContinued(text)) {
      logical += text.slice(0, -1);
      continue;
    }
    const entry = splitEntry(logical + text, pieces, section.name, problems);
    if (entry !== undefined) put(section, entry, problems);
    logical = "";
    pieces = [];
  }
  loseContinuation();
  return [...sections.values()].filter(({ entries }) => entries.length > 0);
}

function open(sections: Map<string, OpenSection>, name: string, at: Position): OpenSection {
  const section = { name, at, entries: [], keys: new Map<string, number>() };
  sections.set(name, section);
  return section;
}

function openOnce(sections: Map<string, OpenSection>, name: string, at: Position, problems: Problems): OpenSection {
  const earlier = sections.get(name);
  if (earlier === undefined || (name === "" && earlier.entries.length === 0)) return open(sections, name, at);
  problems.error(at, {
    code: "repeated-section",
    message: `The section [${name}] began already in line ${earlier.at.line}`,
    fix: "Move these lines there; a section stands once",
  });
  return earlier;
}

function put(section: OpenSection, entry: IniEntry, problems: Problems): void {
  const earlier = section.keys.get(entry.key);
  if (earlier === undefined) {
    section.keys.set(entry.key, section.entries.length);
    section.entries.push(entry);
    return;
  }
  const replaced = section.entries[earlier];
  if (replaced !== undefined) {
    problems.warning(entry.at, {
      code: "repeated-key",
      message: `This replaces the value of the same key in line ${replaced.at.line}, at that line's place in the order`,
      fix: "Keep one of the two lines",
    });
  }
  section.entries[earlier] = entry;
}

function withoutMark(text: string, problems: Problems): string {
  if (!text.startsWith("\uFEFF")) return text;
  problems.error(
    { line: 1, column: 1 },
    {
      code: "byte-order-mark",
      message: "The file begins with a byte order mark, which would become part of the first name",
      fix: "Save the file as UTF-8 without byte order mark",
    },
  );
  return text.slice(1);
}

/** An odd number of backslashes at the end, the first character of the line not counted. */
function isContinued(text: string): boolean {
  let index = text.length - 1;
  while (index > 0 && text[index] === "\\") index--;
  return (text.length - 1 - index) % 2 === 1;
}

function splitEntry(text: string, pieces: readonly Piece[], section: string, problems: Problems): IniEntry | undefined {
  const end = keyEnd(text);
  let from = end;
  while (from < text.length && isSeparator(text.charCodeAt(from))) from++;
  const key = trim(text[0] === "\\" ? `\\${unescapeKey(text.slice(1, end))}` : unescapeKey(text.slice(0, end)));
  const at = pieces[0]?.at ?? { line: 1, column: 1 };
  const valueAt = (offset: number) => placeOf(pieces, from + offset);
  const value = trim(text.slice(from));

  if (section.toLowerCase() === "users") {
    for (const piece of pieces) problems.hide(piece.at.line, piece === pieces[0] ? `${key} = …` : "…");
  }
  if (key === "") {
    problems.error(at, {
      code: "missing-key",
      message: "The line has a value and no key",
      fix: "Write: name = value",
    });
    return undefined;
  }
  if (value === "") {
    problems.error(at, {
      code: "missing-value",
      message: "The line has no value",
      fix: 'Write: name = value. An empty text is written "", and a separator that belongs to the key \\= \\: or \\ with a blank',
    });
    return undefined;
  }
  return { key, value, at, valueAt };
}

/** Offset of the first separator that no backslash escapes; a backslash at offset 0 escapes nothing. */
function keyEnd(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const escaped = index > 1 && text[index - 1] === "\\";
    if (!escaped && isSeparator(text.charCodeAt(index))) return index;
  }
  return text.length;
}

function unescapeKey(text: string): string {
  return text.includes("\\") ? text.replaceAll("\\", "") : text;
}

/** Halves its way to the piece, for lines of many pieces whose every part is asked for. */
function placeOf(pieces: readonly Piece[], offset: number): Position {
  let low = 0;
  for (let high = pieces.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle;
  }
  const piece = pieces[low];
  if (piece === undefined) return { line: 1, column: 1 };
  return { line: piece.at.line, column: piece.at.column + offset - piece.start };
}

function isAllBlank(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (!isBlank(text.charCodeAt(index))) return false;
  return true;
}

const colon = 0x3a;
const equals = 0x3d;

function isSeparator(unit: number): boolean {
  return unit === colon || unit === equals || isBlank(unit);
}

/** White space that ends a key: Unicode white space, but none of the no-break spaces. */
function isBlank(unit: number): boolean {
  return (
    unit === 0x20 ||
    (unit >= 0x09 && unit <= 0x0d) ||
    (unit >= 0x1c && unit <= 0x1f) ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007) ||
    unit === 0x205f ||
    unit === 0x3000
  );
}
