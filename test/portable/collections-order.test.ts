import fc from "fast-check";
import { expect, test } from "vitest";
import { memberOrder } from "../../src/assets/collections/member-order.ts";

const step = fc.oneof(
  fc.record({ do: fc.constant("last" as const), key: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant("before" as const), key: fc.integer({ min: 1, max: 12 }), at: fc.nat(100) }),
  fc.record({ do: fc.constant("after" as const), key: fc.integer({ min: 1, max: 12 }), at: fc.nat(100) }),
  fc.record({ do: fc.constant("remove" as const), key: fc.integer({ min: 1, max: 12 }) }),
);

test("positions tell the order, whatever is put where, and members that stay keep theirs as long as there is room", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 8 }),
      fc.array(step, { maxLength: 20 }),
      (given, steps) => {
        const members = given.sort((a, b) => a - b).map((position, index) => ({ key: index + 1, position }));
        const order = memberOrder(members);
        let list = members.map(({ key }) => key);
        for (const one of steps) {
          const others = list.filter((key) => key !== one.key);
          if (one.do === "remove") {
            order.remove(one.key);
            list = others;
            continue;
          }
          const neighbour = one.do === "last" ? undefined : others[one.at % Math.max(1, others.length)];
          if (one.do !== "last" && neighbour === undefined) continue;
          order.put(
            one.key,
            one.do === "before" ? { before: neighbour } : one.do === "after" ? { after: neighbour } : {},
          );
          const at = neighbour === undefined ? others.length : others.indexOf(neighbour) + (one.do === "after" ? 1 : 0);
          list = [...others.slice(0, at), one.key, ...others.slice(at)];
        }
        const placed = order.positions();
        const positionOf = (key: number) =>
          placed.get(key) ?? members.find((member) => member.key === key)?.position ?? Number.NaN;
        const positions = list.map(positionOf);
        expect([...positions].sort((a, b) => a - b)).toEqual(positions);
        expect(new Set(positions).size).toBe(list.length);
      },
    ),
  );
});
