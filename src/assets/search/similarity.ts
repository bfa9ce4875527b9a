import { editDistance } from "./edit-distance.ts";

/** How much alike two words are written: 1 for the same, 0 for nothing in common; by the edits from one to the other. */
export function similarity(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  const longest = Math.max(from.length, to.length);
  return longest === 0 ? 1 : 1 - editDistance(from, to, longest) / longest;
}
