import { KinoraError } from "../../../errors.ts";
import { readBoost } from "./boost.ts";
import { anyOf, phraseOf, readTerm, type TextQuery } from "./text-syntax.ts";

/**
 * Reads the text of a query with `noescape`: words, `"phrases"`, `*` and `?` in words, `AND`, `OR`, `NOT` (also `&&`,
 * `||`, `!`), `+must`, `-must not`, parentheses; `\` takes the meaning from the next character. Without an operator any
 * of the parts may be found. `word~` finds words that are written alike, `word~1` those one edit away; `^2` behind a
 * part makes it count twice as much.
 *
 * @throws KinoraError `invalid-input` for unbalanced parentheses or quotes, and for `~` and `^` where they mean nothing
 */
export function readQueryText(text: string): TextQuery {
  const tokens = tokensOf(text);
  let at = 0;

  function either(depth: number): TextQuery {
    if (depth > deepest) throw wrong(`The query is nested more than ${deepest} deep`);
    const must: TextQuery[] = [];
    const may: TextQuery[] = [];
    const mustNot: TextQuery[] = [];
    while (at < tokens.length && tokens[at]?.type !== "close") {
      const token = tokens[at] as Token;
      if (token.type === "or") {
        at++;
        continue;
      }
      if (token.type === "must") {
        at++;
        must.push(unary(depth));
      } else if (token.type === "mustNot") {
        at++;
        mustNot.push(unary(depth));
      } else {
        may.push(both(depth));
      }
    }
    return clause(must, may, mustNot);
  }

  function both(depth: number): TextQuery {
    const parts = [unary(depth)];
    while (tokens[at]?.type === "and") {
      at++;
      if (at >= tokens.length || tokens[at]?.type === "close") throw wrong("The query ends behind an operator");
      parts.push(unary(depth));
    }
    return parts.length === 1 ? (parts[0] as TextQuery) : { is: "and", of: parts };
  }

  function unary(depth: number): TextQuery {
    let negated = false;
    for (let type = tokens[at]?.type; isSign(type); type = tokens[++at]?.type) negated = negated !== (type !== "must");
    const of = operand(depth);
    return negated ? { is: "not", of } : of;
  }

  function operand(depth: number): TextQuery {
    let of = primary(depth);
    for (let token = tokens[at]; token?.type === "fuzzy" || token?.type === "boost"; token = tokens[++at]) {
      of =
        token.type === "fuzzy"
          ? alike(of, token.text)
          : { is: "boosted", by: readBoost(Number(token.text || "none")), of };
    }
    return of;
  }

  function primary(depth: number): TextQuery {
    const token = tokens[at++];
    switch (token?.type) {
      case "open": {
        const inner = either(depth + 1);
        if (tokens[at]?.type !== "close") throw wrong("A parenthesis is not closed");
        at++;
        return inner;
      }
      case "phrase":
        return phraseOf(token.text);
      case "term":
        return readTerm(token.characters, { question: true });
      case "fuzzy":
      case "boost":
        throw wrong(`A ${token.type === "fuzzy" ? "~" : "^"} has nothing in front of it`);
      default:
        throw wrong("An operator has nothing to work on");
    }
  }

  const query = either(0);
  if (at < tokens.length) throw wrong("A parenthesis is closed that was not opened");
  return query;
}

const deepest = 32;

function clause(must: readonly TextQuery[], may: readonly TextQuery[], mustNot: readonly TextQuery[]): TextQuery {
  const wanted = must.length > 0 ? must : may.length > 0 ? [anyOf(may)] : [];
  const unwanted = mustNot.map((of): TextQuery => ({ is: "not", of }));
  const parts = [...wanted, ...unwanted];
  if (parts.length === 0) return { is: "nothing" };
  return parts.length === 1 ? (parts[0] as TextQuery) : { is: "and", of: parts };
}

function isSign(type: Token["type"] | undefined): boolean {
  return type === "not" || type === "must" || type === "mustNot";
}

type Token =
  | { readonly type: "open" | "close" | "and" | "or" | "not" | "must" | "mustNot" }
  | { readonly type: "phrase" | "fuzzy" | "boost"; readonly text: string }
  | { readonly type: "term"; readonly characters: readonly { readonly text: string; readonly literal: boolean }[] };

const words: Readonly<Record<string, "and" | "or" | "not">> = {
  AND: "and",
  OR: "or",
  NOT: "not",
  "&&": "and",
  "||": "or",
};

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (/\s/.test(character)) at++;
    else if (character === "(" || character === ")") {
      tokens.push({ type: character === "(" ? "open" : "close" });
      at++;
    } else if (character === '"') {
      const end = endOfPhrase(text, at + 1);
      tokens.push({ type: "phrase", text: text.slice(at + 1, end).replace(/\\(.)/g, "$1") });
      at = end + 1;
    } else if (character === "!" || ((character === "+" || character === "-") && /\S/.test(text.charAt(at + 1)))) {
      tokens.push({ type: character === "+" ? "must" : character === "-" ? "mustNot" : "not" });
      at++;
    } else if (character === "~" || character === "^") {
      const [number = ""] = /^[\d.]*/.exec(text.slice(at + 1, at + 1 + longestNumber)) ?? [];
      tokens.push({ type: character === "~" ? "fuzzy" : "boost", text: number });
      at += 1 + number.length;
    } else {
      at = term(text, at, tokens);
    }
  }
  return tokens;
}

function endOfPhrase(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === "\\") at++;
    else if (text.charAt(at) === '"') return at;
  }
  throw wrong("A quotation mark is not closed");
}

function term(text: string, from: number, tokens: Token[]): number {
  const characters: { readonly text: string; readonly literal: boolean }[] = [];
  let at = from;
  for (; at < text.length && !/[\s()"~^]/.test(text.charAt(at)); at++) {
    const character = text.charAt(at);
    const escaped = character === "\\" && at + 1 < text.length;
    if (escaped) at++;
    characters.push({ text: text.charAt(at), literal: escaped });
  }
  const operator = words[text.slice(from, at)];
  if (operator !== undefined) tokens.push({ type: operator });
  else if (characters.length > 0) tokens.push({ type: "term", characters });
  return at;
}

const longestNumber = 20;
const mostEdits = 2;

/** A word as one that may be written a little differently. */
function alike(of: TextQuery, number: string): TextQuery {
  if (of.is === "nothing") return of;
  if (of.is !== "word") {
    throw wrong(`A search for what is written alike (~${number}) takes a single word without wildcards in front of it`);
  }
  const edits = editsOf(number, [...of.word].length);
  return edits === 0 ? of : { is: "fuzzy", word: of.word, edits };
}

/** Without a number short words must be closer than long ones; a fraction is how much alike the words must be. */
function editsOf(number: string, length: number): number {
  if (number === "") return length < 3 ? 0 : length < 6 ? 1 : mostEdits;
  const value = Number(number);
  if (value > 0 && value < 1) return Math.min(mostEdits, Math.floor(length * (1 - value)));
  if (Number.isInteger(value) && value <= mostEdits) return value;
  throw wrong(`The number in ~${number} must be 0, 1 or 2 edits, or between 0 and 1`);
}

function wrong(explanation: string): KinoraError {
  return new KinoraError("invalid-input", { context: "search", explanation });
}
