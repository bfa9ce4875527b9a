import type { FieldType } from "../../src/assets/fields/field-types.ts";

/** The fields of the archive that the benchmark searches, beside the title. */
export const sampleFields: Readonly<Record<string, FieldType>> = {
  arc_description: "string",
  arc_keyword: "string-exact",
  arc_category: "string-exact",
  arc_person: "string",
  arc_language: "string-exact",
  arc_status: "string-exact",
  arc_recorded: "date",
  arc_expires: "date",
  arc_duration: "float",
  arc_width: "integer",
  arc_height: "integer",
  arc_bytes: "long",
  arc_project: "string-exact",
  arc_filename: "string-exact",
  arc_format: "string-exact",
  arc_place: "string",
  arc_rating: "float",
};

const syllables = "ba ri to na ke lu mo si ve da po ge ha cu fi ro ze ta li mu".split(" ");

/** The word of a number: made of syllables, the same in every run. */
export function sampleWord(number: number): string {
  let word = "";
  for (let rest = number + 20; rest > 0; rest = Math.floor(rest / 20)) word += syllables[rest % 20];
  return word;
}

/** Random numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const vocabulary = 50_000;
const statuses = ["draft", "review", "approved", "published", "archived"];
const formats = ["video/mp4", "application/mxf", "video/quicktime", "image/jpeg", "audio/wav"];
const sizes = [
  [1920, 1080],
  [1280, 720],
  [3840, 2160],
  [720, 576],
  [640, 480],
] as const;
const firstDay = Date.UTC(2015, 0, 1);
const day = 86_400_000;

/** The values of item number `index`, by field; texts are of words whose frequency falls with their number. */
export function sampleItem(index: number): Readonly<Record<string, readonly string[]>> {
  const random = randomNumbers(index * 7919 + 13);
  /** Few numbers often, many rarely: as words, keywords and categories are in archives. */
  const skewed = (most: number) => Math.min(most - 1, Math.floor(most ** random() - 1));
  const even = (most: number) => Math.floor(random() * most);
  const words = (count: number) => Array.from({ length: count }, () => sampleWord(skewed(vocabulary))).join(" ");
  const recorded = firstDay + index * 60_000 + even(day);
  const [width, height] = sizes[skewed(sizes.length)] ?? sizes[0];
  return {
    title: [words(4)],
    arc_description: [words(12)],
    arc_keyword: [skewed(2000), skewed(2000), skewed(2000)].map(sampleWord),
    arc_category: [`Category ${even(100)}`],
    arc_person: [`${sampleWord(even(400))} ${sampleWord(even(2000))}`],
    arc_language: [`l${skewed(10)}`],
    arc_status: [statuses[skewed(statuses.length)] ?? "draft"],
    arc_recorded: [new Date(recorded).toISOString()],
    arc_expires: [new Date(recorded + even(3650) * day).toISOString()],
    arc_duration: [String(even(7_200_000) / 1000)],
    arc_width: [String(width)],
    arc_height: [String(height)],
    arc_bytes: [String(even(10_000_000_000))],
    arc_project: [`PRJ-${even(5000)}`],
    arc_filename: [`clip_${index}.mxf`],
    arc_format: [formats[skewed(formats.length)] ?? "video/mp4"],
    arc_place: [words(2)],
    arc_rating: [String(even(100) / 10)],
  };
}
