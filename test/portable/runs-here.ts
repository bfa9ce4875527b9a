import { platform } from "./platform.ts";

/**
 * How often a property of a whole service is tried. All runs are done on Node; a third of them shows that another runtime
 * does the same.
 */
export function runsHere(onNode: number): number {
  return platform.runtime === "node" ? onNode : Math.ceil(onNode / 3);
}
