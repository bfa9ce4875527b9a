/** A part of a comma-separated value. */
export interface ListToken {
  readonly text: string;
  /** Offset in the value of the token's first character that is no blank. */
  readonly offset: number;
}

/** The tokens of a value, and whether its last quote is never closed. */
export interface TokenList {
  readonly tokens: readonly ListToken[];
  readonly openQuote: boolean;
}

/**
 * Splits a value at `separator` outside double quotes. Quotes may stand anywhere and are removed (unless `keepQuotes`),
 * a doubled quote inside quotes is one quote; tokens are trimmed, also inside quotes; empty tokens stay. A quote that
 * is never closed reaches to the end.
 */
export function splitList(value: string, separator = ",", keepQuotes = false): TokenList {
  const tokens: ListToken[] = [];
  let token = "";
  let offset = 0;
  let from = 0;
  let quoted = false;
  for (let index = 0; index < value.length; index++) {
    const character = value[index];
    if (character === '"') {
      const doubled = quoted && value[index + 1] === '"';
      token += value.slice(from, index);
      if (doubled) index++;
      else quoted = !quoted;
      if (keepQuotes) token += doubled ? '""' : '"';
      else if (doubled) token += '"';
      from = index + 1;
    } else if (character === separator && !quoted) {
      tokens.push({ text: trim(token + value.slice(from, index)), offset: skipBlanks(value, offset) });
      token = "";
      from = index + 1;
      offset = from;
    }
  }
  tokens.push({ text: trim(token + value.slice(from)), offset: skipBlanks(value, offset) });
  return { tokens, openQuote: quoted };
}

/** Cuts characters up to U+0020 from both ends: blanks and controls go, a no-break space stays. */
export function trim(text: string): string {
  const start = skipBlanks(text, 0);
  let end = text.length;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}

/** The first offset from `from` on that has no character up to U+0020. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}
