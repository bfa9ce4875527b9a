import { parseTimeBase, type TimeBase } from "../time/time-base.ts";
import { type IntervalFilter, parseIntervalFilter } from "./interval-filter.ts";
import { type LanguageFilter, parseLanguageFilter } from "./language-filter.ts";
import { everyName, type NameFilter, parseNameFilter } from "./name-filter.ts";
import { parseTrackFilter, type TrackFilter } from "./track-filter.ts";

/** The selectors of metadata as a request has them; lists are taken apart at their commas. */
export interface MetadataSelectors {
  readonly interval?: readonly string[] | undefined;
  readonly field?: readonly string[] | undefined;
  readonly group?: readonly string[] | undefined;
  readonly language?: readonly string[] | undefined;
  readonly track?: readonly string[] | undefined;
  readonly defaultValue?: boolean | undefined;
  readonly sampleRate?: string | undefined;
  readonly starttc?: boolean | undefined;
  readonly include?: readonly string[] | undefined;
  readonly includeValues?: boolean | undefined;
  readonly includeTransientMetadata?: boolean | undefined;
}

/** Which part of metadata an answer shows, and how. */
export interface MetadataSelection {
  /** Absent filters show all. */
  readonly interval?: IntervalFilter;
  readonly field: NameFilter;
  readonly group: NameFilter;
  readonly language?: LanguageFilter;
  readonly track?: TrackFilter;
  /** Show the default values of fields that have no value. */
  readonly defaults: boolean;
  /** Write time codes in this time base. */
  readonly sampleRate?: TimeBase;
  /** Write time codes relative to the start time code of the item. */
  readonly fromStart: boolean;
  /** Keys of extra data of the definitions to show. */
  readonly data: readonly string[];
  /** Show the definitions themselves. */
  readonly definition: boolean;
  /** Show the enumerations of the definitions. */
  readonly enumeration: boolean;
  /** Show transient fields. */
  readonly transient: boolean;
  /** Show what is inherited. */
  readonly inherited: boolean;
}

/** Everything, as without selectors. */
export const everything: MetadataSelection = {
  field: everyName,
  group: everyName,
  defaults: false,
  fromStart: false,
  data: [],
  definition: false,
  enumeration: false,
  transient: true,
  inherited: true,
};

/** Everything that the entity has itself. */
export const ownAlone: MetadataSelection = { ...everything, transient: false, inherited: false };

/** Reads selectors. @throws KinoraError `invalid-value` naming the parameter and the entry. */
export function parseSelection(selectors: MetadataSelectors): MetadataSelection {
  const { include = [], sampleRate } = selectors;
  const interval = parseIntervalFilter(selectors.interval ?? []);
  const language = parseLanguageFilter(selectors.language ?? []);
  const track = parseTrackFilter(selectors.track ?? []);
  return {
    field: parseNameFilter("field", selectors.field ?? []),
    group: parseNameFilter("group", selectors.group ?? []),
    defaults: selectors.defaultValue ?? false,
    fromStart: selectors.starttc ?? false,
    data: include.filter((key) => key !== "type"),
    definition: include.includes("type"),
    enumeration: selectors.includeValues ?? false,
    transient: selectors.includeTransientMetadata ?? true,
    inherited: true,
    ...(interval === undefined ? {} : { interval }),
    ...(language === undefined ? {} : { language }),
    ...(track === undefined ? {} : { track }),
    ...(sampleRate === undefined ? {} : { sampleRate: parseTimeBase(sampleRate) }),
  };
}
