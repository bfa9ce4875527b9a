import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maximumIdsAtOnce } from "../../src/store/ids.ts";
import { makeInstances } from "./store-database.ts";

const store = async (options = {}) => (await makeInstances()).store(options);

describe("ids", () => {
  test("count up from 1 for each entity on its own", async () => {
    const { ids } = await store();
    expect([await ids.next("item"), await ids.next("item"), await ids.next("collection")]).toEqual([
      "VX-1",
      "VX-2",
      "VX-1",
    ]);
    expect(await ids.take("item", 3)).toEqual(["VX-3", "VX-4", "VX-5"]);
    expect(await ids.nextSerial("item")).toBe(6);
    expect(await ids.takeSerials("item", 200)).toEqual(Array.from({ length: 200 }, (_, index) => index + 7));
  });

  test("carry the name of the site", async () => {
    const { ids } = await store({ site: "KN" });
    expect(await ids.next("item")).toBe("KN-1");
    expect(ids.parse("KN-12")).toBe(12);
    expect(ids.parse("VX-12")).toBeUndefined();
  });

  test("formatting and parsing are inverse", async () => {
    const { ids } = await store({ site: "A+b" });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (serial) => {
        expect(ids.parse(ids.format(serial))).toBe(serial);
      }),
    );
  });

  test.each([
    "",
    "VX",
    "VX-",
    "VX-0",
    "VX-01",
    "VX-1 ",
    " VX-1",
    "vx-1",
    "VX--1",
    "VX-1.0",
    "VX-1e3",
    "VX-99999999999999999",
  ])("a text that is no id has no number: %j", async (text) => {
    expect((await store()).ids.parse(text)).toBeUndefined();
  });

  test("are used up to the block's end before the database is asked again", async () => {
    const instances = await makeInstances();
    const first = await instances.store({ blockSize: () => 10 });
    const second = await instances.store({ blockSize: () => 10 });
    expect(await first.ids.nextSerial("item")).toBe(1);
    expect(await second.ids.nextSerial("item")).toBe(11);
    expect(await first.ids.nextSerial("item")).toBe(2);
  });

  test("unused ids of a block are lost at a restart, never given twice", async () => {
    const instances = await makeInstances();
    expect(await (await instances.store({ blockSize: () => 10 })).ids.takeSerials("item", 4)).toEqual([1, 2, 3, 4]);
    const [serial] = await (await instances.store()).ids.takeSerials("item", 1);
    expect(serial).toBeGreaterThan(4);
  });

  test.each([-1, 1.5, Number.NaN, maximumIdsAtOnce + 1])("no request takes %s of them", async (count) => {
    await expect((await store()).ids.takeSerials("item", count)).rejects.toBeInstanceOf(RangeError);
  });

  test("as many as a request may take are taken", async () => {
    const { ids } = await store();
    expect(await ids.takeSerials("item", maximumIdsAtOnce)).toHaveLength(maximumIdsAtOnce);
    expect(await ids.takeSerials("item", 0)).toEqual([]);
  });

  test("never repeat over several instances, whoever asks for how many and when", async () => {
    const instances = await makeInstances();
    const stores = [
      await instances.store({ blockSize: () => 3 }),
      await instances.store({ blockSize: () => 1 }),
      await instances.store({ blockSize: () => 7 }),
    ];
    const given = new Set<number>();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ store: fc.nat(2), count: fc.nat(9) }), { maxLength: 15 }),
        async (requests) => {
          const answers = await Promise.all(
            requests.map(({ store, count }) => stores[store]?.ids.takeSerials("item", count) ?? []),
          );
          for (const [index, serials] of answers.entries()) {
            expect(serials).toHaveLength(requests[index]?.count ?? -1);
            expect([...serials].sort((a, b) => a - b)).toEqual(serials);
            for (const serial of serials) given.add(serial);
            count += serials.length;
            expect(given.size).toBe(count);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
