import { describe, expect, test } from "vitest";
import { type Archive, openArchive } from "./search-archive.ts";

/** An archive with people as entries of global metadata, and shots in which they are. */
async function people() {
  const archive = await openArchive();
  const { admin } = archive;
  for (const field of ["person_name", "shot_note", "shot_person"]) {
    await admin(`PUT /metadata-field/${field}`, { type: "string" });
  }
  for (const [group, ...fields] of [
    ["person", "person_name"],
    ["shot", "shot_note", "shot_person"],
  ]) {
    await admin(`PUT /metadata-field/field-group/${group}`);
    for (const field of fields) await admin(`PUT /metadata-field/field-group/${group}/${field}`);
  }
  const person = async (name: string) => {
    const field = [{ name: "person_name", value: [{ value: name }] }];
    const { body } = await admin("PUT /metadata", { timespan: [{ group: [{ name: "person", mode: "add", field }] }] });
    const group = body.timespan[0].group.at(-1);
    return { group: group.uuid as string, field: group.field[0].uuid as string };
  };
  return { ...archive, ada: await person("Ada"), bo: await person("Bo") };
}

async function shotOf({ create, admin }: Archive, timespan: object): Promise<string> {
  const id = await create({ title: "Shots" });
  const { status, body } = await admin(`PUT /item/${id}/metadata`, { timespan: [timespan] });
  expect([status, body]).toMatchObject([200, {}]);
  return id;
}

const untimed = { start: "-INF", end: "+INF" };
const refersTo = (uuid: string) => ({ name: "shot_person", reference: uuid });

describe("the criterion reference", () => {
  test("finds items with a field or group that refers to an entry, as soon as they are written", async () => {
    const archive = await people();
    const { ada, bo, find } = archive;
    const byField = await shotOf(archive, { ...untimed, field: [refersTo(ada.field)] });
    const byGroup = await shotOf(archive, { ...untimed, group: [{ name: "person", reference: ada.group }] });
    await shotOf(archive, { ...untimed, field: [refersTo(bo.field)] });
    expect(await find({ reference: [ada.field] })).toEqual([byField]);
    expect(await find({ reference: [ada.field.toUpperCase()] })).toEqual([byField]);
    expect(await find({ reference: [ada.group] })).toEqual([byGroup]);
    expect(await find({ reference: [ada.field, ada.group] })).toEqual([]);
    const either = { operator: { operation: "OR", reference: [ada.field, ada.group] } };
    expect(await find(either)).toEqual([byGroup, byField]);
    const neither = { operator: { operation: "NOT", reference: [ada.field, bo.field] } };
    expect(await find(neither)).toEqual([byGroup]);
  });

  test("finds nothing for what nobody refers to, and for text that is no UUID", async () => {
    const archive = await people();
    await shotOf(archive, { ...untimed, field: [refersTo(archive.ada.field)] });
    for (const reference of [archive.bo.field, archive.ada.field.slice(0, 8), "", '" OR "', "*"]) {
      expect([reference, await archive.find({ reference: [reference] })]).toEqual([reference, []]);
    }
  });

  test("follows what is written: another reference, and none", async () => {
    const archive = await people();
    const { ada, bo, admin, find } = archive;
    const id = await shotOf(archive, { ...untimed, field: [refersTo(ada.field)] });
    await admin(`PUT /item/${id}/metadata`, { timespan: [{ ...untimed, field: [refersTo(bo.field)] }] });
    expect([await find({ reference: [ada.field] }), await find({ reference: [bo.field] })]).toEqual([[], [id]]);
    await admin(`PUT /item/${id}/metadata`, {
      timespan: [{ ...untimed, field: [{ name: "shot_person", value: [] }] }],
    });
    expect(await find({ reference: [bo.field] })).toEqual([]);
  });

  test("looks at references within one instance of a group, and within a time", async () => {
    const archive = await people();
    const { ada, bo, admin, find } = archive;
    const shot = (note: string, uuid: string) => ({
      name: "shot",
      mode: "add",
      field: [{ name: "shot_note", value: [{ value: note }] }, refersTo(uuid)],
    });
    const id = await shotOf(archive, {
      start: "0@PAL",
      end: "100@PAL",
      group: [shot("sings", ada.field), shot("dances", bo.field)],
    });
    const within = (note: string, uuid: string) => ({
      group: [{ name: "shot", field: [{ name: "shot_note", value: [{ value: note }] }], reference: uuid }],
    });
    expect(await find(within("sings", ada.field))).toEqual([id]);
    expect(await find(within("sings", bo.field))).toEqual([]);
    expect(await find({ reference: [ada.field], intervals: "generic" })).toEqual([]);
    const { body } = await admin("PUT /item", { reference: [ada.field], highlight: {} });
    expect(body.item).toMatchObject([{ id, start: "0@PAL", end: "100@PAL" }]);
    expect(JSON.stringify(body)).not.toContain(ada.field);
  });

  test("does not tell of references in fields that the caller may not read", async () => {
    const archive = await people();
    const { ada, admin, user } = archive;
    const id = await shotOf(archive, { ...untimed, field: [refersTo(ada.field)] });
    const eve = await user("eve", ["_item_read"]);
    await admin(`POST /item/${id}/access`, { permission: "READ", user: "eve" });
    await admin(`PUT /item/${id}/metadata`, {
      timespan: [{ ...untimed, group: [{ name: "person", reference: ada.group }] }],
    });
    const hitsOf = async (uuid: string) => (await eve("PUT /item", { reference: [uuid] })).body.hits;
    expect([await hitsOf(ada.field), await hitsOf(ada.group)]).toEqual([1, 1]);
    await admin("POST /metadata-field/shot_person/access", { permission: "WRITE", user: "admin" });
    const readable = (await eve("GET /metadata-field/shot_person")).status;
    expect([readable === 200, await hitsOf(ada.field), await hitsOf(ada.group)]).toEqual([false, 0, 1]);
  });
});

test("an item that inherits as well is found by all that it shows when what it refers to changes", async () => {
  const archive = await people();
  const { ada, admin, find } = archive;
  await admin("PUT /metadata-field/shot_place", { type: "string", inheritance: "true" });
  const id = await shotOf(archive, { ...untimed, field: [refersTo(ada.field)] });
  const { body: collection } = await admin("POST /collection?name=Quay");
  await admin(`PUT /collection/${collection.id}/${id}?type=item`);
  const write = (path: string, name: string, text: string, more: object = {}) =>
    admin(`PUT ${path}`, { timespan: [{ ...untimed, field: [{ name, value: [{ value: text }], ...more }] }] });
  const found = async (...texts: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(texts.map(async (value) => [value, (await find({ text: [{ value }] })).includes(id)] as const)),
    );
  await write(`/collection/${collection.id}/metadata`, "shot_place", "harbour");
  expect(await found("harbour", "Ada")).toEqual({ harbour: true, Ada: true });
  const field = [{ name: "person_name", value: [{ value: "Grace" }] }];
  await admin("PUT /metadata", { timespan: [{ ...untimed, group: [{ uuid: ada.group, field }] }] });
  expect(await found("harbour", "Ada", "Grace")).toEqual({ harbour: true, Ada: false, Grace: true });
  await write(`/collection/${collection.id}/metadata`, "shot_place", "quay");
  expect(await found("harbour", "quay", "Grace")).toEqual({ harbour: false, quay: true, Grace: true });
});
