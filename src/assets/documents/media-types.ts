import type { Infer } from "../../documents/declare.ts";
import { attribute, double, int, list, long, object, text } from "../../documents/declare.ts";

/** Parts that the descriptions of media have in common. */

export const KeyValuePairType = object("KeyValuePairType", { key: text().required(), value: text().required() });
export type KeyValuePair = Infer<typeof KeyValuePairType>;

export const RationalType = object("RationalType", { numerator: int().required(), denominator: int().required() });

/** The length of a sample in seconds. */
export const TimeBaseType = object("TimeBaseType", { numerator: int().required(), denominator: int().required() });

/** So many samples of a time base. */
export const TimeCodeType = object("TimeCodeType", { samples: long().required(), timeBase: TimeBaseType.required() });
export type TimeCode = Infer<typeof TimeCodeType>;

export const TimeIntervalType = object("TimeIntervalType", {
  start: TimeCodeType.required(),
  end: TimeCodeType.required(),
});

export const AspectRatioType = object("AspectRatioType", { horizontal: int().required(), vertical: int().required() });

export const ResolutionType = object("ResolutionType", { width: int().required(), height: int().required() });

/** An edit list: which parts of the essence are played, in which order. */
export const EDLType = object("EDLType", {
  timeScale: TimeBaseType,
  entry: list(
    object("EDLEntryType", {
      start: attribute(long()).required(),
      length: attribute(long()).required(),
      mediaRate: attribute(double()),
    }),
  ),
});

/** What the analysis of a component found, as it names it. */
export const MediaInfoType = object("MediaInfoType", {
  Bit_rate_mode: text(),
  property: list(KeyValuePairType),
});
