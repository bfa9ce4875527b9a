import type { MetadataValue } from "../../documents/metadata-document.ts";
import type { FieldDefinition } from "../../fields/field-definition.ts";
import { normaliseValue } from "../../fields/normalise-value.ts";
import type { ValueEntry } from "../model.ts";
import { invalid, type Updating, unknownEntry } from "./update-context.ts";

const languagePattern = /^[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$/;

/** A value of the document, read. */
interface WantedValue {
  readonly text: string;
  readonly language: string | undefined;
  /** The entry of the entity that its UUID names. */
  readonly entry: number | undefined;
}

/** The language of a value in a document. @throws KinoraError `invalid-input` for what is no language tag */
export function languageOf(field: string, value: MetadataValue): string | undefined {
  if (value.lang === undefined || value.lang === "") return undefined;
  if (languagePattern.test(value.lang)) return value.lang;
  throw invalid(`${JSON.stringify(value.lang.slice(0, 100))} in the field ${field} is not a language tag`, {
    id: field,
    value: value.lang.slice(0, 100),
  });
}

function read(field: FieldDefinition, value: MetadataValue, updating: Updating): WantedValue | undefined {
  const language = languageOf(field.name, value);
  const text = normaliseValue(field, value.value ?? "");
  if (text === undefined) return undefined;
  return { text, language, entry: value.uuid === undefined ? undefined : updating.entryOf(value.uuid) };
}

function keyOf(value: { readonly text: string; readonly language?: string | undefined }): string {
  return `${value.language ?? ""}\n${value.text}`;
}

function newValue(wanted: WantedValue, updating: Updating): ValueEntry {
  const { text, language } = wanted;
  const made = { text, entry: updating.nextEntry(), change: updating.stamp };
  return language === undefined ? made : { ...made, language };
}

function changedValue(value: ValueEntry, wanted: WantedValue, updating: Updating): ValueEntry {
  const { text, language } = wanted;
  if (value.text === text && value.language === language) return value;
  const changed = { text, entry: value.entry, change: updating.stamp };
  return language === undefined ? changed : { ...changed, language };
}

/** Takes away the values that are named by UUID, or by text and language. */
function withoutRemoved(
  field: FieldDefinition,
  existing: readonly ValueEntry[],
  removals: readonly MetadataValue[],
  updating: Updating,
): readonly ValueEntry[] {
  if (removals.length === 0) return existing;
  const entries = new Set<number>();
  const keys = new Set<string>();
  const present = new Set(existing.map((value) => value.entry));
  for (const removal of removals) {
    if (removal.uuid === undefined) {
      const wanted = read(field, removal, updating);
      if (wanted !== undefined) keys.add(keyOf(wanted));
      continue;
    }
    const entry = updating.entryOf(removal.uuid);
    if (entry === undefined || !present.has(entry)) throw unknownEntry(removal.uuid);
    entries.add(entry);
  }
  const left = existing.filter((value) => !entries.has(value.entry) && !keys.has(keyOf(value)));
  return left.length === existing.length ? existing : left;
}

/** Replaces the values of each language that the document has a value in; a value that stays the same stays itself. */
function withReplaced(
  field: FieldDefinition,
  existing: readonly ValueEntry[],
  sets: readonly MetadataValue[],
  updating: Updating,
): readonly ValueEntry[] {
  if (sets.length === 0) return existing;
  const languages = new Set(sets.map((value) => languageOf(field.name, value)));
  const wanted = sets.map((value) => read(field, value, updating)).filter((value) => value !== undefined);
  const byEntry = new Map(existing.map((value) => [value.entry, value]));
  const claimed = new Set<ValueEntry>();
  for (const { entry } of wanted) {
    const named = entry === undefined ? undefined : byEntry.get(entry);
    if (named !== undefined) claimed.add(named);
  }
  const unclaimed = new Map<string, ValueEntry[]>();
  for (const value of existing) {
    if (claimed.has(value) || !languages.has(value.language)) continue;
    const same = unclaimed.get(keyOf(value));
    if (same === undefined) unclaimed.set(keyOf(value), [value]);
    else same.push(value);
  }
  const used = new Set<number>();
  const replacing = wanted.map((value): ValueEntry => {
    const named = value.entry === undefined || used.has(value.entry) ? undefined : byEntry.get(value.entry);
    const result =
      named === undefined
        ? (unclaimed.get(keyOf(value))?.shift() ?? newValue(value, updating))
        : changedValue(named, value, updating);
    used.add(result.entry);
    return result;
  });
  const isReplaced = (value: ValueEntry) => languages.has(value.language) || used.has(value.entry);
  const replaced = new Set(existing.filter(isReplaced));
  if (replaced.size === replacing.length && replacing.every((value) => replaced.has(value))) return existing;
  const first = existing.findIndex(isReplaced);
  const at = first < 0 ? existing.length : first;
  return [...existing.slice(0, at), ...replacing, ...existing.slice(at).filter((value) => !isReplaced(value))];
}

/**
 * The values of a field after an update: those with `mode="remove"` are taken away; those without mode replace what is
 * there in the same language, or the one that their UUID names; those with `mode="add"` are put behind. The same array
 * when nothing changes.
 *
 * @throws KinoraError `invalid-value` for a value that breaks the field's rules, `not-found` for the UUID of a value to
 * remove that is not there
 */
export function updateValues(
  field: FieldDefinition,
  existing: readonly ValueEntry[],
  update: readonly MetadataValue[],
  updating: Updating,
): readonly ValueEntry[] {
  const [sets, additions, removals] = byMode(update);
  const left = withoutRemoved(field, existing, removals, updating);
  const replaced =
    left.length === 0 ? withAdded(field, left, sets, updating) : withReplaced(field, left, sets, updating);
  return withAdded(field, replaced, additions, updating);
}

/** The values without mode, to add, and to remove; most documents have the first alone. */
function byMode(
  update: readonly MetadataValue[],
): readonly [sets: readonly MetadataValue[], additions: readonly MetadataValue[], removals: readonly MetadataValue[]] {
  const additions: MetadataValue[] = [];
  const removals: MetadataValue[] = [];
  for (const value of update) {
    if (value.mode === "add") additions.push(value);
    else if (value.mode === "remove") removals.push(value);
  }
  if (additions.length === 0 && removals.length === 0) return [update, additions, removals];
  return [update.filter((value) => value.mode === undefined), additions, removals];
}

/** Puts values behind those that are there. */
function withAdded(
  field: FieldDefinition,
  existing: readonly ValueEntry[],
  additions: readonly MetadataValue[],
  updating: Updating,
): readonly ValueEntry[] {
  const values: ValueEntry[] = [];
  for (const addition of additions) {
    const wanted = read(field, addition, updating);
    if (wanted !== undefined) values.push(newValue(wanted, updating));
  }
  if (values.length === 0) return existing;
  return existing.length === 0 ? values : [...existing, ...values];
}
