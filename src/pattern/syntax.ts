/** A regular expression, read into a tree. */
export type Expression =
  | { readonly kind: "character"; readonly test: (character: string) => boolean }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "choice"; readonly parts: readonly Expression[] }
  | {
      readonly kind: "repeat";
      readonly part: Expression;
      readonly minimum: number;
      /** Absent: any number. */
      readonly maximum?: number;
    };

export type Assertion = "start" | "end" | "boundary" | "noBoundary";

/** Why a text is not a regular expression that we match, and where. */
export class PatternError extends Error {
  override readonly name = "PatternError";
  /** Characters in front of the place. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Repetitions are written out when they are compiled, so a count beyond this is refused. */
const mostRepetitions = 1000;
const deepest = 100;

const shorthand = /^(?:[dDwWsS]|p\{[A-Za-z_]+(?:=[A-Za-z_]+)?\}|P\{[A-Za-z_]+(?:=[A-Za-z_]+)?\})/;
const hexEscape = /^(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\})/;
const controlEscapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f", v: "\v", 0: "\0" };
const counted = /^\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/;
const classInside = /^\[\^?(?:\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[\s\S])|[^\]\\])*\]/;

/**
 * Reads a regular expression: characters, `.`, classes, `\d \w \s \p{…}` and their opposites, groups, `|`, `* + ? {n,m}`
 * with or without a lazy `?`, `^`, `$`, `\b`. What needs backtracking (back references, look-around, possessive
 * quantifiers) is refused.
 *
 * @throws PatternError with the place
 */
export function parsePattern(source: string, ignoreCase: boolean): Expression {
  const flags = ignoreCase ? "iu" : "u";
  let at = 0;
  let depth = 0;

  const fail = (message: string): never => {
    throw new PatternError(message, at);
  };
  const rest = (): string => source.slice(at, at + 64);

  function choice(): Expression {
    if (++depth > deepest) fail(`Groups are nested more than ${deepest} deep`);
    const parts = [sequence()];
    while (source[at] === "|") {
      at++;
      parts.push(sequence());
    }
    depth--;
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "choice", parts };
  }

  function sequence(): Expression {
    const parts: Expression[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(quantified(atom()));
    return { kind: "sequence", parts };
  }

  function quantified(part: Expression): Expression {
    const bounds = quantifier();
    if (bounds === undefined) return part;
    if (source[at] === "?") at++;
    else if (source[at] === "+") fail("Possessive quantifiers are not supported");
    if (quantifier() !== undefined) fail("There is nothing to repeat");
    return { kind: "repeat", part, ...bounds };
  }

  function quantifier(): { minimum: number; maximum?: number } | undefined {
    const sign = source[at];
    if (sign === "*" || sign === "+" || sign === "?") {
      at++;
      const minimum = sign === "+" ? 1 : 0;
      return sign === "?" ? { minimum, maximum: 1 } : { minimum };
    }
    const match = counted.exec(rest());
    if (match === null) return undefined;
    const minimum = Number(match[1]);
    const maximum = match[2] === undefined ? minimum : match[3] === undefined ? undefined : Number(match[3]);
    if (Math.max(minimum, maximum ?? 0) > mostRepetitions) fail(`A count of repetitions is above ${mostRepetitions}`);
    if (maximum !== undefined && maximum < minimum) fail("A count of repetitions ends below its start");
    at += match[0].length;
    return maximum === undefined ? { minimum } : { minimum, maximum };
  }

  function atom(): Expression {
    const character = String.fromCodePoint(source.codePointAt(at) as number);
    if (character === "(") return group();
    if (character === "[") return characterClass();
    if (character === "\\") return escaped();
    if ("*+?".includes(character) || counted.test(rest())) return fail("There is nothing to repeat");
    at += character.length;
    if (character === "^") return { kind: "assertion", assertion: "start" };
    if (character === "$") return { kind: "assertion", assertion: "end" };
    if (character === ".") return { kind: "character", test: (other) => other !== "\n" && other !== "\r" };
    return literal(character);
  }

  function literal(character: string): Expression {
    if (!ignoreCase) return { kind: "character", test: (other) => other === character };
    const lower = character.toLowerCase();
    return { kind: "character", test: (other) => other === character || other.toLowerCase() === lower };
  }

  function group(): Expression {
    at++;
    if (source[at] === "?") {
      const named = /^\?(?::|<[A-Za-z]\w*>)/.exec(rest());
      if (named === null) return fail("Look-around and flags inside the pattern are not supported");
      at += named[0].length;
    }
    const inner = choice();
    if (source[at] !== ")") return fail("A group is not closed");
    at++;
    return inner;
  }

  function characterClass(): Expression {
    const match = classInside.exec(source.slice(at));
    if (match === null) return fail("A character class is not closed");
    const expression = oneCharacter(match[0]);
    at += match[0].length;
    return expression;
  }

  function escaped(): Expression {
    const behind = source.slice(at + 1, at + 65);
    const first = behind[0];
    if (first === undefined) return fail("The pattern ends with a backslash");
    if (first === "b" || first === "B") {
      at += 2;
      return { kind: "assertion", assertion: first === "b" ? "boundary" : "noBoundary" };
    }
    const known = shorthand.exec(behind) ?? hexEscape.exec(behind);
    if (known !== null) {
      const expression = oneCharacter(`\\${known[0]}`);
      at += 1 + known[0].length;
      return expression;
    }
    const control = controlEscapes[first];
    if (control === undefined && /[A-Za-z0-9]/.test(first)) return fail(`The escape \\${first} is not supported`);
    const character = String.fromCodePoint(behind.codePointAt(0) as number);
    at += 1 + character.length;
    return literal(control ?? character);
  }

  /** What stands for one character is left to the engine of the platform: one character cannot backtrack. */
  function oneCharacter(text: string): Expression {
    try {
      const expression = new RegExp(`^${text}$`, flags);
      return { kind: "character", test: (character) => expression.test(character) };
    } catch (error) {
      if (error instanceof SyntaxError) return fail(`${text} is not a class of characters`);
      throw error;
    }
  }

  const expression = choice();
  if (at < source.length) fail("A group is closed that was not opened");
  return expression;
}
