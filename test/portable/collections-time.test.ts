import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContainerApi, makeItem, openContainerApi } from "./container-api.ts";

let api: ContainerApi;
beforeAll(async () => {
  api = await openContainerApi();
  await api.admin("PUT /metadata-field/test_scene", { type: "string-exact", inheritance: "true" });
});
afterAll(() => api.close());

const fieldOf = (name: string, value: string) => ({ name, value: value === "" ? [] : [{ value }] });

/** Two scenes and an untimed one; one hour is 90000@PAL. */
const scenes = {
  timespan: [
    { start: "90250@PAL", end: "90500@PAL", field: [fieldOf("test_scene", "arrival")] },
    { start: "3630.5", end: "+INF", field: [fieldOf("test_scene", "departure")] },
    { field: [fieldOf("test_scene", "all day")] },
  ],
};

const asWritten = { arrival: "90250@PAL to 90500@PAL", departure: "3630.5 to +INF", "all day": "-INF to +INF" };
const fromOneHour = { arrival: "250@PAL to 500@PAL", departure: "61@2 to +INF", "all day": "-INF to +INF" };

async function startAt(item: string, startTimeCode: string): Promise<void> {
  const document = { timespan: [{ field: [fieldOf("startTimeCode", startTimeCode)] }] };
  expect((await api.admin(`PUT /item/${item}/metadata`, document)).status).toBe(200);
}

interface Span {
  readonly start: string;
  readonly end: string;
  readonly field?: readonly {
    readonly name: string;
    readonly inheritance?: string;
    readonly value: { value: string }[];
  }[];
}

/** The spans of the scenes that an item shows; a search for each has to find it there. */
async function shown(item: string): Promise<Record<string, string>> {
  const { body } = await api.admin(`GET /item/${item}/metadata?field=test_scene`);
  const spans: Record<string, string> = {};
  for (const { start, end, field = [] } of (body.item[0].metadata.timespan ?? []) as Span[]) {
    for (const { value } of field) {
      for (const { value: scene } of value) {
        spans[scene] = `${start} to ${end}`;
        const criterion = { field: [{ name: "test_scene", value: [{ value: scene }] }] };
        const hits = (await api.admin("PUT /item?field=test_scene", criterion)).body.item ?? [];
        const hit = hits.find(({ id }: { readonly id: string }) => id === item);
        expect([scene, hit?.start, hit?.end]).toEqual([scene, start, end]);
      }
    }
  }
  return spans;
}

async function makeScene(document: Readonly<Record<string, unknown>> = {}) {
  const { admin } = api;
  const { body } = await admin("POST /collection?name=Match", { metadata: scenes, ...document });
  const [early, late, other] = [await makeItem(admin), await makeItem(admin), await makeItem(admin)];
  await startAt(early, "90000@PAL");
  await startAt(late, "3610");
  for (const item of [early, late, other]) await admin(`PUT /collection/${body.id}/${item}`);
  return { collection: body.id as string, early, late, other };
}

test("timespans that items inherit are counted from their start time codes when the collection says so", async () => {
  const { collection, early, late, other } = await makeScene({ absoluteTime: true });
  expect((await api.admin(`GET /collection/${collection}`)).body.absoluteTime).toBe(true);
  expect(await shown(early)).toEqual(fromOneHour);
  expect(await shown(late)).toEqual({
    arrival: "0@PAL to 250@PAL",
    departure: "41@2 to +INF",
    "all day": "-INF to +INF",
  });
  expect(await shown(other), "an item without one").toEqual(asWritten);
  const own = (await api.admin(`GET /collection/${collection}/metadata?field=test_scene`)).body.timespan;
  expect(
    own.map(({ start }: Span) => start),
    "the collection's own",
  ).toEqual(["-INF", "90250@PAL", "3630.5"]);
});

test("they follow when the collection changes its mind, and when the item gets another start", async () => {
  const { collection, early } = await makeScene();
  expect((await api.admin(`GET /collection/${collection}`)).body.absoluteTime).toBeUndefined();
  expect(await shown(early)).toEqual(asWritten);
  api.events.length = 0;
  await api.admin(`PUT /collection/${collection}`, { absoluteTime: true });
  expect(api.events.map(({ entity, action }) => `${entity} ${action}`)).toEqual(["collection MODIFY"]);
  expect(await shown(early)).toEqual(fromOneHour);
  await startAt(early, "90250@PAL");
  expect((await shown(early)).arrival).toBe("0@PAL to 250@PAL");
  await startAt(early, "");
  expect(await shown(early)).toEqual(asWritten);
  await startAt(early, "90000@PAL");
  api.events.length = 0;
  await api.admin(`PUT /collection/${collection}`, { absoluteTime: true });
  expect(api.events, "as it is already").toEqual([]);
  await api.admin(`PUT /collection/${collection}`, { absoluteTime: false });
  expect(await shown(early)).toEqual(asWritten);
});

test("everything of a document goes together: time, content and metadata", async () => {
  const { collection, early, late } = await makeScene();
  await api.admin(`DELETE /collection/${collection}/${early}`);
  expect(await shown(early)).toEqual({});
  const { status } = await api.admin(`PUT /collection/${collection}`, {
    absoluteTime: true,
    content: [{ id: early }],
    metadata: { timespan: [{ start: "90250@PAL", end: "90500@PAL", field: [fieldOf("test_scene", "entry")] }] },
  });
  expect(status).toBe(200);
  const { arrival: _gone, ...others } = fromOneHour;
  expect(await shown(early)).toEqual({ ...others, entry: "250@PAL to 500@PAL" });
  expect(await shown(late), "is not in it any more").toEqual({});
});

test("an item's own value at the moment where it shows an inherited one takes its place", async () => {
  const { early } = await makeScene({ absoluteTime: true });
  await api.admin(`PUT /item/${early}/metadata`, {
    timespan: [{ start: "10", end: "20", field: [fieldOf("test_scene", "own")] }],
  });
  const spans = await shown(early);
  expect(spans).toEqual({ own: "10 to 20", departure: fromOneHour.departure, "all day": fromOneHour["all day"] });
});

test("a re-index finds the same", async () => {
  const { early } = await makeScene({ absoluteTime: true });
  await api.admin(`PUT /item/${early}/re-index`);
  for (let ticks = 0; ticks < 5; ticks++) await api.tick();
  expect(await shown(early)).toEqual(fromOneHour);
});
