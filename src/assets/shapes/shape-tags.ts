import { readJson } from "../../documents/read-json.ts";
import { writeJson } from "../../documents/write-json.ts";
import { KinoraError } from "../../errors.ts";
import { deleteKeyValues, type KeyValueOwner, putKeyValues } from "../../identity/key-values.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type TranscodePreset, TranscodePresetDocument } from "../documents/transcode-preset-document.ts";
import { pairsOf, selectPairs } from "../pairs.ts";
import { checkTagName } from "./shape-bounds.ts";
import { originalTag } from "./write-shapes.ts";

/** Characters of the script of a preset. */
export const longestScript = 1_048_576;

export function noSuchTag(name: string): KinoraError {
  return new KinoraError("not-found", { type: "shape-tag", id: name });
}

/** The simple metadata of a shape tag. */
export function tagOwner(name: string): KeyValueOwner {
  const row = { sql: "(select id from shape_tag where name = ?)", args: [name] };
  return { entity: "shape-tag", row, missing: noSuchTag(name) };
}

/** The names of all shape tags, in order. */
export async function listTags(store: Store): Promise<readonly string[]> {
  return (await store.query({ sql: "select name from shape_tag order by name" })).map(({ name }) => String(name));
}

/** The preset of a tag, with its script and metadata. @throws KinoraError `not-found` */
export async function readPreset(store: Store, name: string): Promise<TranscodePreset> {
  const [rows = [], pairRows = []] = await store.readAll([
    { sql: "select id, preset, script from shape_tag where name = ?", args: [name] },
    selectPairs("shape-tag", { sql: "select id from shape_tag where name = ?", args: [name] }),
  ]);
  const [row] = rows;
  if (row === undefined) throw noSuchTag(name);
  const pairs = pairsOf(pairRows).get(Number(row.id)) ?? [];
  return {
    ...readJson(TranscodePresetDocument, String(row.preset)),
    ...(row.script === null ? {} : { script: String(row.script) }),
    ...(pairs.length === 0 ? {} : { metadata: { field: pairs } }),
  };
}

/** The script of a tag's preset. @throws KinoraError `not-found` for an unknown tag, and for one without a script */
export async function readScript(store: Store, name: string): Promise<string> {
  const [row] = await store.query({ sql: "select script from shape_tag where name = ?", args: [name] });
  if (row === undefined) throw noSuchTag(name);
  if (row.script === null) throw new KinoraError("not-found", { type: "script", id: name });
  return String(row.script);
}

function checkScript(script: string): void {
  if (script.length <= longestScript) return;
  throw new KinoraError("invalid-input", {
    context: "script",
    explanation: `A script has at most ${longestScript} characters`,
  });
}

/** Defines a tag, or gives it another preset; a script and metadata that the document does not have stay. */
export async function putPreset(change: Change, name: string, preset: TranscodePreset): Promise<void> {
  checkTagName(name);
  const { script, metadata, ...rest } = preset;
  if (script !== undefined) checkScript(script);
  change.add({
    sql: `insert into shape_tag (name, preset, script) values (?1, ?2, ?3)
      on conflict (name) do update set preset = excluded.preset, script = coalesce(excluded.script, script)`,
    args: [name, writeJson(TranscodePresetDocument, rest), script ?? null],
  });
  if (metadata !== undefined) {
    deleteKeyValues(change, tagOwner(name));
    putKeyValues(change, tagOwner(name), metadata);
  }
  await change.commit();
}

/** Sets the script of a tag's preset, or removes it. @throws KinoraError `not-found` */
export async function putScript(change: Change, name: string, script: string | null): Promise<void> {
  if (script !== null) checkScript(script);
  change.add({ sql: "update shape_tag set script = ? where name = ?", args: [script, name] });
  change.require({ sql: "select changes() = 1" }, noSuchTag(name));
  await change.commit();
}

/** Deletes a tag. @throws KinoraError `not-found`; `conflict` for `original`, and for one that shapes have */
export async function deleteTag(change: Change, name: string): Promise<void> {
  if (name === originalTag) {
    throw new KinoraError("conflict", { context: "shape-tag", id: name, explanation: "This tag always exists" });
  }
  change.require(
    { sql: "select not exists (select 1 from shape_tagging where tag = ?)", args: [name] },
    new KinoraError("conflict", { context: "shape-tag", id: name, explanation: "There are shapes with this tag" }),
  );
  deleteKeyValues(change, tagOwner(name));
  change.add({ sql: "delete from shape_tag where name = ?", args: [name] });
  await change.commit();
}
