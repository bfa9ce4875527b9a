import { skipBlanks, splitList, trim } from "../plugin/value-list.ts";
import type { ValueFault } from "./interpolation.ts";

/** A filter named in a chain: `name` or `name[word, word]`. */
export interface ChainStepDefinition {
  readonly name: string;
  readonly words: readonly string[];
  /** Offset of the name in the chain's text. */
  readonly offset: number;
  /** `false`: something is wrong with the brackets, and a fault says so. */
  readonly sound: boolean;
}

export interface ChainDefinition {
  readonly steps: readonly ChainStepDefinition[];
  readonly faults: readonly ValueFault[];
}

/**
 * Reads the right-hand side of a line of `[urls]`: filters divided by commas, each with optional words in brackets.
 * Brackets in brackets are part of a word. What the reference reads loosely, cutting brackets that do not match, is a
 * fault here. Takes time linear in the text.
 */
export function readChain(text: string): ChainDefinition {
  const steps: ChainStepDefinition[] = [];
  const faults: ValueFault[] = [];
  if (trim(text) === "") return { steps, faults };
  let from = 0;
  while (from <= text.length) {
    const { end, opened, closed, fault } = scanToken(text, from);
    if (fault !== undefined) faults.push(fault);
    const sound = fault === undefined;
    const offset = Math.min(skipBlanks(text, from), end);
    const name = trim(text.slice(from, opened ?? end));
    const words = opened === undefined || closed === undefined ? [] : wordsOf(text.slice(opened + 1, closed));
    if (name !== "" && (sound || opened !== undefined)) steps.push({ name, words, offset, sound });
    else if (sound) faults.push(missingName(offset, opened !== undefined));
    from = end + 1;
  }
  return { steps, faults };
}

interface ScannedToken {
  /** Offset of the comma that ends the token, or of the end of the text. */
  readonly end: number;
  readonly opened: number | undefined;
  readonly closed: number | undefined;
  readonly fault?: ValueFault;
}

/** Walks to the comma that ends the token, counting brackets. */
function scanToken(text: string, from: number): ScannedToken {
  let depth = 0;
  let opened: number | undefined;
  let closed: number | undefined;
  let fault: ValueFault | undefined;
  let at = from;
  for (; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "," && depth === 0) break;
    if (character === "[") {
      if (depth === 0 && opened !== undefined) fault ??= behindBracket(at);
      opened ??= at;
      depth++;
    } else if (character === "]") {
      if (depth === 0) {
        fault ??= { offset: at, message: "This ] closes no bracket", fix: "Remove it, or write name[words]" };
      } else if (--depth === 0) {
        closed ??= at;
      }
    } else if (closed !== undefined && character.charCodeAt(0) > 0x20) {
      fault ??= behindBracket(at);
    }
  }
  if (depth > 0) {
    fault ??= { offset: opened ?? from, message: "The bracket [ is never closed", fix: "Add the ] that is missing" };
  }
  return fault === undefined ? { end: at, opened, closed } : { end: at, opened, closed, fault };
}

function behindBracket(offset: number): ValueFault {
  return {
    offset,
    message: "Something stands behind the closing bracket of a filter",
    fix: "Divide filters by commas, and write the words of a filter in one pair of brackets",
  };
}

function missingName(offset: number, hasBrackets: boolean): ValueFault {
  return hasBrackets
    ? { offset, message: "There are brackets without a filter's name", fix: "Write name[words]" }
    : { offset, message: "A filter's name is missing between commas", fix: "Remove the comma that is too many" };
}

/** The words in brackets; quotes around the whole are removed first, so that `["a,b"]` is two words. */
function wordsOf(bracketed: string): readonly string[] {
  const config = trim(bracketed);
  if (config === "") return [];
  const inner = config.slice(1, -1);
  const quoted = config.length > 2 && config.startsWith('"') && config.endsWith('"') && !inner.includes('"');
  return splitList(quoted ? inner : config).tokens.map(({ text }) => text);
}
