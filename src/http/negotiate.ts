/** One entry of an Accept header. */
interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const remembered = new Map<string, readonly Range[]>();
const rememberedHeaders = 200;
const longestHeader = 2000;
const mostRanges = 50;

/**
 * Which of the offered media types the client likes best; of equals the one offered first. `undefined` when it accepts
 * none (RFC 9110 §12.5.1). A missing header accepts everything.
 */
export function negotiate<T extends string>(accept: string | undefined, offers: readonly T[]): T | undefined {
  if (accept === undefined || accept === "*/*" || accept === "") return offers[0];
  const ranges = rangesOf(accept);
  let best: T | undefined;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) {
      best = offer;
      bestQuality = quality;
    }
  }
  return best;
}

/** The quality that the most specific matching range gives to a media type; 0 when none matches. */
function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  const [type, subtype] = mediaType.split("/");
  let quality = 0;
  let specificity = 0;
  for (const range of ranges) {
    const matched =
      range.subtype === subtype && range.type === type
        ? 3
        : range.subtype !== "*"
          ? 0
          : range.type === type
            ? 2
            : range.type === "*"
              ? 1
              : 0;
    if (matched > specificity || (matched === specificity && matched > 0 && range.quality > quality)) {
      quality = range.quality;
      specificity = matched;
    }
  }
  return quality;
}

function rangesOf(accept: string): readonly Range[] {
  const known = remembered.get(accept);
  if (known !== undefined) return known;
  const ranges = accept
    .slice(0, longestHeader)
    .split(",", mostRanges)
    .map(rangeOf)
    .filter((range) => range !== undefined);
  if (remembered.size >= rememberedHeaders) remembered.clear();
  if (accept.length <= longestHeader) remembered.set(accept, ranges);
  return ranges;
}

function rangeOf(text: string): Range | undefined {
  const [name = "", ...parameters] = text.split(";");
  const [type = "", subtype] = name.trim().toLowerCase().split("/");
  // Some clients send a single star.
  if (subtype === undefined) return type === "*" ? { type, subtype: "*", quality: 1 } : undefined;
  let quality = 1;
  for (const parameter of parameters) {
    const weight = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1];
    if (weight !== undefined) quality = Math.min(1, Number(weight));
  }
  return { type, subtype, quality };
}
