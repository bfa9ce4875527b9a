import { SourceMap } from "node:module";
import { fromRoot } from "../../tools/program.ts";

/** Makes a function that replaces places in the bundled script by those in the sources, in the text of a stack. */
export function sourcePlaces(script: string): (text: string) => string {
  const encoded = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(script)?.[1];
  if (encoded === undefined) return (text) => text;
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString("utf8")));
  return (text) =>
    text.replace(/file:\/\/\/bundle\/worker\.js:(\d+):(\d+)/g, (place, line: string, column: string) => {
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!("originalSource" in entry)) return place;
      const source = entry.originalSource.replace(/^(?:\.\.\/)+/, "").replace(fromRoot(""), "");
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
}
