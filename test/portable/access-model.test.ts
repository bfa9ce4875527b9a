/** Random edits of access lists and memberships, against a plain model of who may do what. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi, type Send } from "./container-api.ts";
import { runsHere } from "./runs-here.ts";

const users = ["alva", "bo", "cy"] as const;
const words = ["NONE", "READ", "WRITE", "ALL", "OWNER"] as const;

interface Entry {
  readonly id: string;
  readonly who: string;
  readonly group: boolean;
  readonly permission: number;
  readonly reach: "all" | "self" | "item" | "collection";
  readonly priority: number;
  readonly grantor: string;
}

interface Entity {
  readonly kind: "item" | "collection";
  owner: string;
  entries: Entry[];
}

interface Edge {
  readonly collection: string;
  readonly member: string;
  passes: boolean;
}

/** What the service should hold. */
class Model {
  readonly entities = new Map<string, Entity>();
  edges: Edge[] = [];
  readonly disabled = new Set<string>();
  readonly members = new Map<string, Set<string>>([
    ["editors", new Set(["bo"])],
    ["guests", new Set()],
  ]);

  rank(user: string, id: string): number {
    const entity = this.entities.get(id);
    if (entity === undefined) return 0;
    const found: { readonly order: readonly number[]; readonly permission: number }[] = [];
    for (const [from, distance] of this.above(id)) {
      const holder = this.entities.get(from);
      if (holder === undefined) continue;
      if (holder.owner === user) {
        found.push({ order: [distance === 0 ? 1 : 0, 0, -distance, 1], permission: distance === 0 ? 4 : 3 });
      }
      for (const entry of holder.entries) {
        const named = entry.group ? this.members.get(entry.who)?.has(user) : entry.who === user;
        if (!named || this.disabled.has(entry.grantor) || !this.applies(entry, entity.kind, distance)) continue;
        found.push({ order: [0, entry.priority, -distance, entry.group ? 0 : 1], permission: entry.permission });
      }
    }
    found.sort((a, b) => {
      for (const [index, value] of a.order.entries())
        if (value !== b.order[index]) return (b.order[index] ?? 0) - value;
      return b.permission - a.permission;
    });
    return found[0]?.permission ?? 0;
  }

  applies({ reach }: Entry, kind: Entity["kind"], distance: number): boolean {
    return reach === "all" || (reach === "self" ? distance === 0 : distance > 0 && reach === kind);
  }

  /** The entity and what it is in, as far as access passes, with the fewest steps to each. */
  above(id: string): ReadonlyMap<string, number> {
    const steps = new Map([[id, 0]]);
    const queue = [id];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const { collection, member, passes } of this.edges) {
        if (member !== next || !passes || steps.has(collection)) continue;
        steps.set(collection, (steps.get(next) ?? 0) + 1);
        queue.push(collection);
      }
    }
    return steps;
  }

  isIn(inner: string, outer: string): boolean {
    return inner === outer || this.edges.some((edge) => edge.member === inner && this.isIn(edge.collection, outer));
  }

  remove(id: string): void {
    this.entities.delete(id);
    this.edges = this.edges.filter(({ collection, member }) => collection !== id && member !== id);
  }
}

/** Which entity, user or entry of those that there are: taken modulo their number. */
const index = fc.nat(1000);
const putting = fc.record({ do: fc.constant("put" as const), by: index, collection: index, member: index });
const granting = fc.record({
  do: fc.constant("grant" as const),
  by: index,
  entity: index,
  who: fc.constantFrom("alva", "bo", "cy", "editors", "guests"),
  permission: fc.integer({ min: 0, max: 3 }),
  reach: fc.constantFrom("all" as const, "self" as const, "item" as const, "collection" as const),
  priority: fc.constantFrom(0, 0, 0, 1, -1),
});
const step = fc.oneof(
  { weight: 4, arbitrary: putting },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("take" as const), by: index, edge: index }) },
  { weight: 5, arbitrary: granting },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("revoke" as const), by: index, entity: index, entry: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("hand over" as const), by: index, entity: index, to: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), by: index, entity: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disable" as const), user: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("join" as const), user: index, group: index }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** What makes a world in which entries of owners meet: for a user and the user's group, on few entities, near and far. */
const beginning: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ ...fixed("put"), collection: fc.nat(2), member: fc.nat(7) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        ...fixed("grant"),
        entity: fc.nat(5),
        who: fc.constantFrom("bo", "editors"),
        permission: fc.integer({ min: 0, max: 3 }),
        reach: fc.constantFrom("all" as const, "all" as const, "item" as const),
        priority: fc.constant(0),
      }),
    },
  ),
  { minLength: 14, maxLength: 24 },
);

/** A step of the owner's. */
function fixed<Does extends Step["do"]>(does: Does) {
  return { do: fc.constant(does), by: fc.constant(0) };
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

/** One of those who are asked for by their number: for every second number the owner, who may do what is asked. */
function askedFor(at: number, owner: string | undefined): string {
  return at % 2 === 0 && owner !== undefined ? owner : (users[at % users.length] ?? "alva");
}

async function carryOut(api: ContainerApi, model: Model, one: Step): Promise<void> {
  const all = [...model.entities.keys()];
  const userOf = (at: number) => users[at % users.length] ?? "alva";
  const kindOf = (id: string) => model.entities.get(id)?.kind ?? "item";
  switch (one.do) {
    case "put": {
      const collections = all.filter((id) => kindOf(id) === "collection");
      const [collection, member] = [pick(collections, one.collection), pick(all, one.member)];
      if (collection === undefined || member === undefined) return;
      const by = askedFor(one.by, model.entities.get(collection)?.owner);
      const { status } = await api.as(by)(`PUT /collection/${collection}/${member}?type=${kindOf(member)}`);
      const [rank, own] = [model.rank(by, member), model.rank(by, collection)];
      const cycle = model.isIn(collection, member);
      const known = model.edges.find((edge) => edge.collection === collection && edge.member === member);
      const allowed = own === 0 || rank === 0 ? 404 : own < 2 ? 403 : cycle ? 409 : 200;
      if (own === 1 && rank === 0) expect([403, 404]).toContain(status);
      else expect([one, status]).toEqual([one, allowed]);
      if (status !== 200) return;
      if (known === undefined) model.edges.push({ collection, member, passes: rank >= 3 });
      else known.passes ||= rank >= 3;
      return;
    }
    case "take": {
      const edge = pick(model.edges, one.edge);
      if (edge === undefined) return;
      const by = askedFor(one.by, model.entities.get(edge.collection)?.owner);
      const [own, rank] = [model.rank(by, edge.collection), model.rank(by, edge.member)];
      const { status } = await api.as(by)(
        `DELETE /collection/${edge.collection}/${edge.member}?type=${kindOf(edge.member)}`,
      );
      expect([one, status]).toEqual([one, own === 0 ? 404 : own < 2 ? 403 : rank === 0 ? 404 : 200]);
      if (status === 200) model.edges = model.edges.filter((other) => other !== edge);
      return;
    }
    case "grant": {
      const id = pick(all, one.entity);
      const entity = id === undefined ? undefined : model.entities.get(id);
      if (id === undefined || entity === undefined) return;
      const by = askedFor(one.by, entity.owner);
      const group = one.who === "editors" || one.who === "guests";
      const { status, body } = await api.as(by)(`POST /${entity.kind}/${id}/access`, {
        ...(group ? { group: one.who } : { user: one.who }),
        permission: words[one.permission],
        appliesTo: [{ value: one.reach }],
        priority: one.priority,
      });
      const rank = model.rank(by, id);
      expect([one, status]).toEqual([one, rank === 0 ? 404 : rank < 3 ? 403 : 200]);
      if (status !== 200) return;
      const { who, permission, reach, priority } = one;
      entity.entries.push({ id: body.id, who, group, permission, reach, priority, grantor: by });
      return;
    }
    case "revoke": {
      const id = pick(all, one.entity);
      const entity = id === undefined ? undefined : model.entities.get(id);
      const entry = entity === undefined ? undefined : pick(entity.entries, one.entry);
      if (id === undefined || entity === undefined || entry === undefined) return;
      const by = askedFor(one.by, entity.owner);
      const rank = model.rank(by, id);
      const { status } = await api.as(by)(`DELETE /${entity.kind}/${id}/access/${entry.id}`);
      expect([one, status]).toEqual([one, rank === 0 ? 404 : rank < 3 ? 403 : 200]);
      if (status === 200) entity.entries = entity.entries.filter((other) => other !== entry);
      return;
    }
    case "hand over": {
      const id = pick(all, one.entity);
      const entity = id === undefined ? undefined : model.entities.get(id);
      if (id === undefined || entity === undefined) return;
      const by = userOf(one.by);
      const rank = model.rank(by, id);
      const { status } = await api.as(by)(`PUT /${entity.kind}/${id}/access/owner/${userOf(one.to)}`);
      expect([one, status]).toEqual([one, rank === 0 ? 404 : rank < 4 ? 403 : 200]);
      if (status === 200) entity.owner = userOf(one.to);
      return;
    }
    case "delete": {
      const id = pick(all, one.entity);
      const entity = id === undefined ? undefined : model.entities.get(id);
      if (id === undefined || entity === undefined) return;
      const by = userOf(one.by);
      const rank = model.rank(by, id);
      const { status } = await api.as(by)(`DELETE /${entity.kind}/${id}`);
      expect([one, status]).toEqual([one, rank === 0 ? 404 : rank < 3 ? 403 : 200]);
      if (status === 200) model.remove(id);
      return;
    }
    case "disable": {
      const user = userOf(one.user);
      const disabled = !model.disabled.has(user);
      if (disabled) model.disabled.add(user);
      else model.disabled.delete(user);
      const action = disabled ? "DISABLE" : "ENABLE";
      await api.store
        .change({ userName: "admin" })
        .add({ sql: "update user set disabled = ? where name = ?", args: [disabled ? 1 : 0, user] })
        .record({ entity: "user", action, entityId: user, keys: {} })
        .commit();
      return;
    }
    case "join": {
      const user = userOf(one.user);
      const group = one.group % 2 === 0 ? "editors" : "guests";
      const members = model.members.get(group);
      if (members?.delete(user) !== true) members?.add(user);
      const groups = [...model.members].filter(([, of]) => of.has(user)).map(([name]) => name);
      api.groups.set(user, new Set(groups));
    }
  }
}

async function expectAgreement(api: ContainerApi, model: Model): Promise<void> {
  for (const user of users) {
    const send = api.as(user);
    const expected = [...model.entities].map(([id, { kind }]) => [kind, id, model.rank(user, id)] as const);
    const readable = expected.filter(([, , rank]) => rank > 0);
    const idsOf = (kind: string) => readable.filter(([one]) => one === kind).map(([, id]) => id);
    const items = await send("GET /item?number=100");
    expect([user, idsIn(items.body.item), items.body.hits]).toEqual([user, idsOf("item").sort(), idsOf("item").length]);
    const collections = await send("PUT /collection?number=100", {});
    expect([user, idsIn(collections.body.collection)]).toEqual([user, idsOf("collection").sort()]);
    for (const collection of idsOf("collection")) {
      const { body } = await send(`GET /collection/${collection}`);
      const members = model.edges.filter((edge) => edge.collection === collection).map(({ member }) => member);
      expect([user, collection, idsIn(body.content)]).toEqual([
        user,
        collection,
        members.filter((member) => model.rank(user, member) > 0).sort(),
      ]);
    }
    for (const [, id] of expected.filter(([kind]) => kind === "item")) {
      const { status, body } = await send(`GET /item/${id}?content=access`);
      const permission = body.access?.[0]?.permission;
      expect([user, id, status === 404 ? "NONE" : permission]).toEqual([user, id, words[model.rank(user, id)]]);
    }
  }
}

function idsIn(list: readonly { readonly id: string }[] | undefined): readonly string[] {
  return (list ?? []).map(({ id }) => id).sort();
}

async function begin(api: ContainerApi): Promise<Model> {
  const model = new Model();
  const add = async (kind: Entity["kind"], owner: string, make: (send: Send) => Promise<string>) => {
    model.entities.set(await make(api.as(owner)), { kind, owner, entries: [] });
  };
  for (const owner of users) {
    await add("item", owner, makeItem);
    await add("collection", owner, makeCollection);
  }
  await add("collection", "alva", makeCollection);
  await add("item", "alva", makeItem);
  return model;
}

test("access, searches and listings agree with a plain model, whatever is edited in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(beginning, fc.array(step, { minLength: 8, maxLength: 20 }), async (before, steps) => {
      const api = await openContainerApi();
      try {
        const model = await begin(api);
        for (const one of before) await carryOut(api, model, one);
        for (const [at, one] of steps.entries()) {
          await carryOut(api, model, one);
          if (at % 3 === 2) await expectAgreement(api, model);
        }
        await expectAgreement(api, model);
      } finally {
        await api.close();
      }
    }),
    { numRuns: runsHere(16), interruptAfterTimeLimit: 45_000 },
  );
});
