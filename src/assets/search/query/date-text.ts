import { epochOf } from "../tokens/field-analysis.ts";
import { dateOf, orderedDate } from "../tokens/ordered-date.ts";

const partial = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const now = /^NOW((?:[+-]\d{1,6}(?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)S?|\/(?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND))*)$/;
const step = /([+-])(\d+)(YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)S?|\/(YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)/g;

/** A moment, or a day, month or year: the first and the last ordered date that it stands for. */
export interface DateSpan {
  readonly first: string;
  readonly last: string;
}

/**
 * Reads a date of a search: a date-time, a plain date (the whole day), a month (`2024-03`), a year, or a time relative
 * to now: `NOW`, `NOW-7DAYS`, `NOW/DAY`. `undefined` for anything else.
 */
export function readDate(text: string, currentTime: number): DateSpan | undefined {
  const trimmed = text.trim();
  const parts = partial.exec(trimmed);
  if (parts !== null) return partialDate(parts);
  const relative = now.exec(trimmed.toUpperCase());
  const epoch = relative === null ? epochOf(trimmed) : relativeTime(relative[1] ?? "", currentTime);
  if (epoch === undefined || Number.isNaN(epoch)) return undefined;
  const ordered = orderedDate(new Date(epoch).toISOString());
  return { first: ordered, last: ordered };
}

function partialDate([, year = "", month, day]: RegExpExecArray): DateSpan | undefined {
  const first = `${year}${month ?? "01"}${day ?? "01"}000000000`;
  if (epochOf(dateOf(first)) === undefined) return undefined;
  const lastMonth = month ?? "12";
  const lastDay = day ?? String(new Date(Date.UTC(Number(year), Number(lastMonth), 0)).getUTCDate());
  return { first, last: `${year}${lastMonth}${lastDay}235959999` };
}

type Unit = "YEAR" | "MONTH" | "DAY" | "HOUR" | "MINUTE" | "SECOND";
const units: readonly Unit[] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"];

function relativeTime(steps: string, currentTime: number): number {
  let parts = partsOf(currentTime);
  for (const [, sign, count, unit, roundTo] of steps.matchAll(step)) {
    if (roundTo !== undefined) {
      const place = units.indexOf(roundTo as Unit);
      parts = parts.map((part, index) => (index <= place ? part : index === 2 ? 1 : 0));
    } else {
      const place = units.indexOf(unit as Unit);
      const amount = Number(count) * (sign === "-" ? -1 : 1);
      parts = partsOf(timeOf(parts.map((part, index) => (index === place ? part + amount : part))));
    }
  }
  return timeOf(parts);
}

function partsOf(time: number): readonly number[] {
  const date = new Date(time);
  return [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds(),
  ];
}

function timeOf(parts: readonly number[]): number {
  const [year = 0, month = 0, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0] = parts;
  const time = Date.UTC(year, month, day, hour, minute, second, millisecond);
  return time >= Date.UTC(1, 0, 1) && time <= Date.UTC(9999, 11, 31, 23, 59, 59, 999) ? time : Number.NaN;
}
