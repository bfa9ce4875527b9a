import type { OrderedForm } from "./ordered-form.ts";

/** One end of a range, in ordered form. */
export interface Bound {
  readonly value: string;
  readonly inclusive: boolean;
}

/** A part of a range: everything, one value, all values of a cell, or all that begin so. */
export type RangePart =
  | { readonly part: "all" }
  | { readonly part: "whole"; readonly text: string }
  | { readonly part: "cell"; readonly text: string }
  | { readonly part: "beginning"; readonly text: string };

/**
 * Takes a range apart into pieces that the index can look up: as few as possible, at most about ten for each character
 * of its bounds, however many values lie between. An absent bound is open.
 */
export function coverRange(form: OrderedForm, low: Bound | undefined, high: Bound | undefined): readonly RangePart[] {
  const parts: RangePart[] = [];
  const cells = new Set(form.cells);

  function everything(beginning: string): void {
    if (beginning === "") parts.push({ part: "all" });
    else if (form.following(beginning).length === 0) parts.push({ part: "whole", text: beginning });
    else if (cells.has(beginning.length)) parts.push({ part: "cell", text: beginning });
    else if (beginning.length < form.splitsBelow)
      for (const next of form.following(beginning)) everything(beginning + next);
    else parts.push({ part: "beginning", text: beginning });
  }

  /** `lowBound` and `highBound`: what of the bounds is behind `beginning`, while it is still the beginning of them. */
  function cover(beginning: string, lowBound: string | undefined, highBound: string | undefined): void {
    const isAboveLow = low?.inclusive === true && lowBound !== undefined && form.isFirst(beginning, low.value);
    const isBelowHigh = high?.inclusive === true && highBound !== undefined && form.isLast(beginning, high.value);
    const lowRest = isAboveLow ? undefined : lowBound;
    const highRest = isBelowHigh ? undefined : highBound;
    if (lowRest === undefined && highRest === undefined) {
      everything(beginning);
      return;
    }
    const aboveLow = lowRest === undefined || (lowRest === "" && low?.inclusive === true);
    const belowHigh = highRest === undefined || highRest !== "" || high?.inclusive === true;
    if (aboveLow && belowHigh && form.isWhole(beginning)) parts.push({ part: "whole", text: beginning });
    if (highRest === "") return;
    for (const next of form.following(beginning)) {
      const fromLow = compareNext(next, lowRest);
      const fromHigh = compareNext(next, highRest);
      if (fromLow < 0 || fromHigh > 0) continue;
      cover(
        beginning + next,
        lowRest !== undefined && lowRest !== "" && fromLow === 0 ? lowRest.slice(1) : undefined,
        highRest !== undefined && fromHigh === 0 ? highRest.slice(1) : undefined,
      );
    }
  }

  if (low === undefined || high === undefined || low.value <= high.value) cover("", low?.value, high?.value);
  return parts;
}

/** Negative, zero or positive, as a character is before, at or behind the first one of the rest of a bound. */
function compareNext(next: string, rest: string | undefined): number {
  if (rest === undefined) return 0;
  if (rest === "") return 1;
  const first = rest.charAt(0);
  return next < first ? -1 : next > first ? 1 : 0;
}
