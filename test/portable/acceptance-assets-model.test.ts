import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf, type Json, metadataJson, newUser, userPassword } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";
import { runsHere } from "./runs-here.ts";

const users = ["ada", "ben"] as const;
const tags = ["red", "green"] as const;
const counts = { items: 3, collections: 3 };

let kinora: TestService;
let admin: Client;
let clients: readonly Client[] = [];
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  await admin.json("PUT /API/metadata-field/news_tag", { type: "string-exact", inheritance: "true" });
  await admin.json("PUT /API/metadata-field/news_run", { type: "string-exact" });
  for (const user of users) await newUser(admin, user, ["_item_read", "_metadata_read"]);
  clients = users.map((user) => clientOf(kinora.as(user, userPassword)));
});
afterAll(() => kinora.close());

/** An entity of the model; `parents` are indexes of collections. */
interface Entity {
  readonly id: string;
  gone: boolean;
  tag: string | undefined;
  readonly parents: Set<number>;
  /** Access entries by user. */
  readonly grants: Map<string, string>;
}
interface World {
  readonly items: readonly Entity[];
  readonly collections: readonly Entity[];
}
type Kind = "item" | "collection";
type Step =
  | { readonly does: "tag"; readonly kind: Kind; readonly at: number; readonly tag: string | undefined }
  | { readonly does: "put" | "take" | "move"; readonly kind: Kind; readonly at: number; readonly into: number }
  | { readonly does: "grant" | "revoke"; readonly kind: Kind; readonly at: number; readonly user: string }
  | { readonly does: "delete"; readonly kind: Kind; readonly at: number };

const kind = fc.constantFrom<Kind>("item", "collection");
const at = fc.nat({ max: 2 });
const user = fc.constantFrom(...users);
const tagging = fc.record({ does: fc.constant("tag" as const), kind, at, tag: fc.constantFrom(...tags, undefined) });
const putting = fc.record({ does: fc.constant("put" as const), kind, at, into: at });
const granting = fc.record({ does: fc.constant("grant" as const), kind, at, user });
/** What makes a world in which the steps after it change something. */
const beginning: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ weight: 2, arbitrary: tagging }, { weight: 5, arbitrary: putting }, { weight: 2, arbitrary: granting }),
  { minLength: 12, maxLength: 18 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: tagging },
  { weight: 2, arbitrary: putting },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom("take", "move"), kind, at, into: at }) },
  { weight: 2, arbitrary: granting },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("revoke"), kind, at, user }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("delete"), kind, at }) },
);

/** Collections above an entity by their distance, nearest first. */
function above({ collections }: World, entity: Entity): readonly (readonly number[])[] {
  const levels: number[][] = [];
  const met = new Set<number>();
  let level = [...entity.parents];
  while (level.length > 0) {
    levels.push(level);
    for (const one of level) met.add(one);
    level = [...new Set(level.flatMap((one) => [...(collections[one]?.parents ?? [])]))].filter((one) => !met.has(one));
  }
  return levels;
}

function entityOf(world: World, kindOf: Kind, index: number): Entity {
  return (kindOf === "item" ? world.items : world.collections)[index] as Entity;
}

interface Membership {
  readonly kind: Kind;
  readonly at: number;
  readonly into: number;
}

async function put(world: World, { kind: kindOf, at: index, into: target }: Membership): Promise<void> {
  const [entity, into] = [entityOf(world, kindOf, index), entityOf(world, "collection", target)];
  if (into.gone) return;
  const cycle = kindOf === "collection" && (index === target || above(world, into).flat().includes(index));
  const { status } = await admin.json(`PUT /API/collection/${into.id}/${entity.id}?type=${kindOf}`);
  expect(cycle ? status >= 400 && status < 500 : status === 200).toBe(true);
  if (!cycle) entity.parents.add(target);
}

/** Out of one of the collections that it is in. */
async function takeOut(world: World, { kind: kindOf, at: index, into }: Membership): Promise<void> {
  const entity = entityOf(world, kindOf, index);
  const from = [...entity.parents][into % Math.max(1, entity.parents.size)];
  if (from === undefined) return;
  const { id } = entityOf(world, "collection", from);
  expect((await admin.json(`DELETE /API/collection/${id}/${entity.id}?type=${kindOf}`)).status).toBe(200);
  entity.parents.delete(from);
}

/** Does a step on the service and in the model. What the model does not allow must be refused. */
async function take(world: World, one: Step): Promise<void> {
  const entity = entityOf(world, one.kind, one.at);
  if (entity.gone) return;
  const path = `/API/${one.kind}/${entity.id}`;
  switch (one.does) {
    case "tag": {
      const body = metadataJson({ news_tag: one.tag === undefined ? [] : [one.tag] });
      expect((await admin.json(`PUT ${path}/metadata`, body)).status).toBe(200);
      entity.tag = one.tag;
      return;
    }
    case "put":
      return put(world, one);
    case "take":
      return takeOut(world, one);
    case "move": {
      await takeOut(world, one);
      return put(world, one);
    }
    case "grant": {
      if (entity.grants.has(one.user)) return;
      const made = await admin.json(`POST ${path}/access`, { user: one.user, permission: "READ", recursive: true });
      expect(made.status).toBe(200);
      entity.grants.set(one.user, made.json.id);
      return;
    }
    case "revoke": {
      const entry = entity.grants.get(one.user);
      if (entry === undefined) return;
      expect((await admin.json(`DELETE ${path}/access/${entry}`)).status).toBe(200);
      entity.grants.delete(one.user);
      return;
    }
    case "delete": {
      expect((await admin.json(`DELETE ${path}`)).status).toBe(200);
      entity.gone = true;
      if (one.kind === "item") return;
      for (const other of [...world.items, ...world.collections]) other.parents.delete(one.at);
    }
  }
}

/** What the item's tag may be: its own, else one of the nearest collections that have one. */
function possibleTags(world: World, item: Entity): readonly (string | undefined)[] {
  if (item.tag !== undefined) return [item.tag];
  for (const level of above(world, item)) {
    const found = level.map((one) => world.collections[one]?.tag).filter((tag) => tag !== undefined);
    if (found.length > 0) return found;
  }
  return [undefined];
}

function maySee(world: World, user: string, item: Entity): boolean {
  const containers = above(world, item).flat();
  return [item, ...containers.map((one) => entityOf(world, "collection", one))].some(({ grants }) => grants.has(user));
}

const mine = (run: string) => ({ name: "news_run", value: [{ value: run }] });

async function compare(world: World, run: string): Promise<void> {
  const query = "PUT /API/item?number=1000&content=metadata&field=news_tag&terse=true";
  const all = (await admin.json(query, { field: [mine(run)] })).json;
  const alive = world.items.filter(({ gone }) => !gone);
  const shown = new Map<string, string | undefined>(
    all.item.map((item: Json) => [item.id, item.terse?.news_tag?.[0]?.value]),
  );
  for (const item of alive) expect(possibleTags(world, item)).toContain(shown.get(item.id));
  await compareSearches("admin", admin, run, alive, shown);
  for (const [index, user] of users.entries()) {
    const client = clients[index] as Client;
    const visible = alive.filter((item) => maySee(world, user, item));
    await compareSearches(user, client, run, visible, shown);
    for (const item of alive) {
      const { status } = await client.json(`GET /API/item/${item.id}`);
      expect([user, item.id, status]).toEqual([user, item.id, visible.includes(item) ? 200 : 404]);
    }
  }
}

/** What somebody finds and counts, of everything and by each tag, is what the person may see. */
async function compareSearches(
  user: string,
  client: Client,
  run: string,
  visible: readonly Entity[],
  shown: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const facet = [{ field: "news_tag" }];
  const list = (await client.json("PUT /API/item?number=1000", { field: [mine(run)], facet })).json;
  const idsOf = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id).sort();
  expect([user, list.hits, idsOf(list.item)]).toEqual([user, visible.length, idsOf(visible)]);
  for (const tag of tags) {
    const tagged = visible.filter(({ id }) => shown.get(id) === tag);
    const found = await client.json("PUT /API/item", {
      field: [mine(run), { name: "news_tag", value: [{ value: tag }] }],
    });
    expect([user, tag, idsOf(found.json.item)]).toEqual([user, tag, idsOf(tagged)]);
    const counted = list.facet[0].count?.find(({ fieldValue }: Json) => fieldValue === tag)?.value ?? 0;
    expect([user, tag, counted]).toEqual([user, tag, tagged.length]);
  }
}

test("metadata, inheritance, moves, grants and deletions: reads, searches and counts agree with a plain model", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(beginning, fc.array(step, { minLength: 6, maxLength: 12 }), async (before, steps) => {
      const run = `run ${++runs}`;
      const made = (id: string): Entity => ({ id, gone: false, tag: undefined, parents: new Set(), grants: new Map() });
      const items: Entity[] = [];
      const collections: Entity[] = [];
      while (items.length < counts.items) {
        items.push(made((await admin.json("POST /API/import/placeholder", metadataJson({ news_run: run }))).json.id));
      }
      while (collections.length < counts.collections) {
        collections.push(made((await admin.json("POST /API/collection?name=c")).json.id));
      }
      const world: World = { items, collections };
      for (const one of before) await take(world, one);
      for (const one of steps) {
        await take(world, one);
        await compare(world, run);
      }
    }),
    { numRuns: runsHere(14), interruptAfterTimeLimit: 45_000 },
  );
});
