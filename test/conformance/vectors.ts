/** One recorded case: an input and what the reference program answered. */
export interface Vector<Input, Output> {
  readonly id: string;
  readonly in: Input;
  readonly out: Output;
}

/** Reads a file of recorded cases, one JSON object a line. */
export function vectors<Input, Output>(text: string): readonly Vector<Input, Output>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Vector<Input, Output>);
}
