import { compilePattern, type LinearPattern } from "../../pattern/linear-pattern.ts";

const compiled = new Map<string, LinearPattern>();
const mostCompiled = 1000;

/**
 * Whether a value matches the pattern of a restriction as a whole, in time linear in the value.
 *
 * @throws KinoraError `invalid-value` when the pattern cannot be used
 */
export function matchesPattern(source: string, value: string): boolean {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    pattern = compilePattern(source);
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(source, pattern);
  }
  return pattern.matches(value);
}
