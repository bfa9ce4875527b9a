import { anyCharacter, anything, type Pattern } from "./criterion.ts";

const special = /[*?[]/g;

/** The pattern for SQL's `glob`; each literal text is encoded first. */
export function globOf(pattern: Pattern, encode: (text: string) => string, character: "?" | "*"): string {
  return pattern
    .map((part) => {
      if (part === anything) return "*";
      return part === anyCharacter ? character : encode(part as string).replace(special, "[$&]");
    })
    .join("");
}

/** Whether a text is matched as a whole. Takes time of at most length times wildcards. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const symbols = pattern.flatMap<string | symbol>((part) => (typeof part === "string" ? [...part] : [part]));
  const characters = [...text];
  let symbol = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < characters.length) {
    const wanted = symbols[symbol];
    if (wanted === anything) {
      star = symbol++;
      resume = at;
    } else if (wanted === anyCharacter || wanted === characters[at]) {
      symbol++;
      at++;
    } else if (star >= 0) {
      symbol = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (symbols[symbol] === anything) symbol++;
  return symbol === symbols.length;
}

/** The first text behind all that begin with `beginning`, in the order of code points. */
export function behind(beginning: string): string {
  const characters = [...beginning];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) as number;
    const next = code === 0xd7ff ? 0xe000 : code + 1;
    if (next <= 0x10ffff) return characters.join("") + String.fromCodePoint(next);
  }
  return "\u{10ffff}";
}
