import { KinoraError } from "../errors.ts";
import { type Assertion, type Expression, PatternError, parsePattern } from "./syntax.ts";

/** A regular expression that is matched in time linear in the text, whatever the pattern is. */
export interface LinearPattern {
  /** Whether the whole text matches. */
  matches(text: string): boolean;
  /** Whether a part of the text matches. */
  finds(text: string): boolean;
}

export interface PatternOptions {
  /** Letters match in either case. Default `false`. */
  readonly ignoreCase?: boolean;
}

/** Steps of a compiled pattern: the cost of one character is at most this. */
const mostSteps = 5000;
/** Expressions visited while compiling; nested repetitions of nothing make no steps. */
const mostWork = 100_000;
const longestPattern = 4096;

/** How much compiling may still do. */
interface Budget {
  left: number;
}

type Step =
  | { readonly kind: "character"; readonly test: (character: string) => boolean }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "fork"; to: readonly number[] }
  | { readonly kind: "accept" };

/**
 * Compiles a regular expression for matching without backtracking. For what is understood see {@link parsePattern}.
 *
 * @throws KinoraError `invalid-value` saying what is not understood, and where
 */
export function compilePattern(source: string, options: PatternOptions = {}): LinearPattern {
  const steps = compile(source, options.ignoreCase ?? false);
  return { matches: (text) => run(steps, text, true), finds: (text) => run(steps, text, false) };
}

function compile(source: string, ignoreCase: boolean): readonly Step[] {
  try {
    if (source.length > longestPattern) throw new PatternError(`It is longer than ${longestPattern} characters`, 0);
    const steps: Step[] = [];
    emit(parsePattern(source, ignoreCase), steps, { left: mostWork });
    steps.push({ kind: "accept" });
    return steps;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new KinoraError("invalid-value", {
      context: "pattern",
      value: source.slice(0, 200),
      explanation: `The pattern ${JSON.stringify(source.slice(0, 200))} cannot be used. At character ${error.offset + 1}: ${error.message}`,
    });
  }
}

function tooLarge(): PatternError {
  return new PatternError("It is too large when its repetitions are written out", 0);
}

function push(steps: Step[], step: Step): void {
  if (steps.length >= mostSteps) throw tooLarge();
  steps.push(step);
}

/** Appends the steps of an expression; each goes on to the step behind it unless it is a fork. */
function emit(expression: Expression, steps: Step[], budget: Budget): void {
  if (--budget.left < 0) throw tooLarge();
  switch (expression.kind) {
    case "character":
    case "assertion":
      push(steps, expression);
      return;
    case "sequence":
      for (const part of expression.parts) emit(part, steps, budget);
      return;
    case "choice":
      emitChoice(expression.parts, steps, budget);
      return;
    case "repeat":
      for (let count = 0; count < expression.minimum; count++) emit(expression.part, steps, budget);
      if (expression.maximum === undefined) emitAnyNumber(expression.part, steps, budget);
      else emitOptional(expression.part, expression.maximum - expression.minimum, steps, budget);
  }
}

function emitChoice(parts: readonly Expression[], steps: Step[], budget: Budget): void {
  const head = { kind: "fork" as const, to: [] as readonly number[] };
  push(steps, head);
  const starts: number[] = [];
  const jumps: { kind: "fork"; to: readonly number[] }[] = [];
  for (const part of parts) {
    starts.push(steps.length);
    emit(part, steps, budget);
    const jump = { kind: "fork" as const, to: [] as readonly number[] };
    push(steps, jump);
    jumps.push(jump);
  }
  head.to = starts;
  for (const jump of jumps) jump.to = [steps.length];
}

function emitAnyNumber(part: Expression, steps: Step[], budget: Budget): void {
  const at = steps.length;
  const head = { kind: "fork" as const, to: [] as readonly number[] };
  push(steps, head);
  emit(part, steps, budget);
  push(steps, { kind: "fork", to: [at] });
  head.to = [at + 1, steps.length];
}

function emitOptional(part: Expression, count: number, steps: Step[], budget: Budget): void {
  const heads: { kind: "fork"; to: readonly number[] }[] = [];
  for (let index = 0; index < count; index++) {
    const head = { kind: "fork" as const, to: [steps.length + 1] as readonly number[] };
    push(steps, head);
    heads.push(head);
    emit(part, steps, budget);
  }
  for (const head of heads) head.to = [...head.to, steps.length];
}

const wordCharacter = /^\w$/;

function holds(assertion: Assertion, before: string, after: string): boolean {
  if (assertion === "start") return before === "";
  if (assertion === "end") return after === "";
  const boundary = wordCharacter.test(before) !== wordCharacter.test(after);
  return boundary === (assertion === "boundary");
}

/** Walks the text once with the set of all steps that the pattern can be at. */
function run(steps: readonly Step[], text: string, whole: boolean): boolean {
  const seenAt = new Int32Array(steps.length).fill(-1);
  const accept = steps.length - 1;
  let current: number[] = [];
  let before = "";
  let moment = 0;
  const enter = (into: number[], first: number, after: string): void => {
    const pending = [first];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seenAt[index] === moment) continue;
      seenAt[index] = moment;
      const step = steps[index] as Step;
      if (step.kind === "fork") pending.push(...step.to);
      else if (step.kind === "assertion") {
        if (holds(step.assertion, before, after)) pending.push(index + 1);
      } else into.push(index);
    }
  };
  const characters = text[Symbol.iterator]();
  let next = characters.next();
  enter(current, 0, next.done ? "" : next.value);
  while (!next.done) {
    if (!whole && seenAt[accept] === moment) return true;
    const character = next.value;
    next = characters.next();
    const after = next.done ? "" : next.value;
    before = character;
    moment++;
    const following: number[] = [];
    for (const index of current) {
      const step = steps[index] as Step;
      if (step.kind === "character" && step.test(character)) enter(following, index + 1, after);
    }
    if (!whole) enter(following, 0, after);
    else if (following.length === 0) return false;
    current = following;
  }
  return seenAt[accept] === moment;
}
