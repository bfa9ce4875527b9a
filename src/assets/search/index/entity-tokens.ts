import type { IndexedValue } from "../../index-port.ts";
import { type IndexField, indexFieldOf } from "../tokens/field-analysis.ts";
import { hasTimed, timedMark, untimedMark } from "../tokens/token.ts";
import { addValueTokens } from "../tokens/value-tokens.ts";

/** Index fields by definition: a definition object lives as long as its snapshot, and is met with every value. */
const known = new WeakMap<object, IndexField | "stored only">();

/** The index field of a value; `undefined` when its field is stored only. */
export function fieldOf(value: Pick<IndexedValue, "field">): IndexField | undefined {
  let found = known.get(value.field);
  if (found === undefined) {
    found = indexFieldOf(value.field) ?? "stored only";
    known.set(value.field, found);
  }
  return found === "stored only" ? undefined : found;
}

/** The text of the index for some values, behind the tokens that it begins with. */
export function tokenText(
  first: readonly string[],
  values: readonly IndexedValue[],
  extra: readonly string[] = [],
): string {
  const tokens = [...first];
  const timed = values.filter((value) => value.span !== undefined);
  addAll(tokens, values);
  tokens.push(...extra);
  if (timed.length > 0) {
    tokens.push(hasTimed);
    const marked: string[] = [];
    addAll(marked, timed);
    for (const token of marked) tokens.push(timedMark + token);
    const untimed: string[] = [...extra];
    addAll(
      untimed,
      values.filter((value) => value.span === undefined),
    );
    for (const token of untimed) tokens.push(untimedMark + token);
  }
  return tokens.join(" ");
}

function addAll(tokens: string[], values: readonly IndexedValue[]): void {
  for (const value of values) {
    const field = fieldOf(value);
    if (field !== undefined) addValueTokens(tokens, field, value.text);
  }
}
