import { nearestName } from "../nearest-name.ts";

/** The known name that a misspelt one most likely means. */
export type Suggest = (name: string, known: Iterable<string>) => string | undefined;

/** Letter pairs compared for one file before suggestions end: a file that is wrong all over must not cost minutes. */
const mostCompared = 50_000_000;

/** Makes the suggestions for one file. */
export function createSuggest(): Suggest {
  let compared = 0;
  return (name, known) => {
    const names = [...known];
    for (const candidate of names) compared += name.length * candidate.length;
    return compared > mostCompared ? undefined : nearestName(name, names);
  };
}

/** As a half-sentence behind what is wrong; empty without a suggestion. */
export function perhaps(nearest: string | undefined): string {
  return nearest === undefined ? "" : `; perhaps ${nearest} is meant`;
}
