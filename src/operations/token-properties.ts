import type { TokenIntervals } from "../identity/token-intervals.ts";
import type { Configuration } from "./configuration.ts";

/** The intervals of tokens as the properties say now. */
export function tokenIntervalsOf(configuration: Configuration): TokenIntervals {
  return {
    standard: configuration.property("userTokenDefaultInterval"),
    maximum: configuration.property("userTokenMaxInterval"),
    refresh: configuration.property("userTokenRefreshInterval"),
  };
}
