import { KinoraError } from "../../../errors.ts";

/** Whether a field on a track, or on none, is shown. */
export type TrackFilter = (track: string | undefined) => boolean;

const entryPattern = /^([A-Za-z]+)(?:(\*)|([1-9][0-9]{0,5})(?:-[A-Za-z]*([1-9][0-9]{0,5}))?)$/;
const trackPattern = /^([A-Za-z]+)([1-9][0-9]*)$/;

interface TrackRange {
  readonly letters: string;
  readonly from: number;
  readonly to: number;
}

function parseRange(entry: string): TrackRange {
  const [, letters, any, from, to] = entryPattern.exec(entry) ?? [];
  if (letters === undefined) {
    throw new KinoraError("invalid-value", {
      context: "track",
      value: entry.slice(0, 200),
      explanation: `${JSON.stringify(entry.slice(0, 200))} is not a track such as A2, A2-4 or A*, and not generic or all`,
    });
  }
  if (any !== undefined) return { letters, from: 1, to: Number.POSITIVE_INFINITY };
  return { letters, from: Number(from), to: Number(to ?? from) };
}

/**
 * Reads a `track` parameter: `A2`, `A2-4`, `A*`, `generic` for fields on no track, `all`. `undefined` shows all.
 *
 * @throws KinoraError `invalid-value` for any other entry
 */
export function parseTrackFilter(entries: readonly string[]): TrackFilter | undefined {
  if (entries.length === 0 || entries.includes("all") || entries.includes("*")) return undefined;
  const generic = entries.includes("generic");
  const ranges = entries.filter((entry) => entry !== "generic").map(parseRange);
  return (track) => {
    if (track === undefined) return generic;
    const [, letters, number] = trackPattern.exec(track) ?? [];
    return ranges.some(
      (range) => range.letters === letters && Number(number) >= range.from && Number(number) <= range.to,
    );
  };
}
