import { describe, expect, test } from "vitest";
import allSuccessful from "../../plugins/strategies/all-successful.ts";
import atLeastOneSuccessful from "../../plugins/strategies/at-least-one-successful.ts";
import firstSuccessful from "../../plugins/strategies/first-successful.ts";
import type { Plugin, RealmAnswer } from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { createInstance } from "../../src/plugin/testing/instance.ts";

const account = (userName: string): RealmAnswer => ({ userName });

/** Which realms were asked, and what was decided, when realms r0, r1 … give these answers. */
async function decide(
  plugin: Plugin,
  answers: readonly RealmAnswer[],
  options: { slow?: boolean; unable?: readonly string[]; properties?: Record<string, string> } = {},
) {
  const { slow = false, unable = [], properties = {} } = options;
  const strategy = await createInstance("authenticationStrategy", plugin, properties, createTestContext());
  const asked: string[] = [];
  const attempts = answers.map((answer, index) => ({
    realm: `r${index}`,
    ask: () => {
      asked.push(`r${index}`);
      return slow ? Promise.resolve(answer) : answer;
    },
  }));
  const decision = strategy.decide(attempts, unable);
  expect(decision instanceof Promise).toBe(slow && asked.length > 0);
  const { accepted, accounts, unavailable } = await decision;
  return { accepted, accounts: [...accounts.keys()].join(), asked: asked.join(), unavailable };
}

const cases: readonly {
  readonly answers: readonly RealmAnswer[];
  readonly atLeastOne: string;
  readonly first: string;
  readonly firstStopping: string;
  readonly all: string;
}[] = [
  // accepting realms / realms asked / the realm that could not tell
  { answers: [], atLeastOne: "no//", first: "no//", firstStopping: "no//", all: "no//" },
  {
    answers: [account("a"), account("b")],
    atLeastOne: "r0,r1/r0,r1/",
    first: "r0/r0,r1/",
    firstStopping: "r0/r0/",
    all: "r0,r1/r0,r1/",
  },
  {
    answers: ["not mine", account("b")],
    atLeastOne: "r1/r0,r1/",
    first: "r1/r0,r1/",
    firstStopping: "r1/r0,r1/",
    all: "no/r0/",
  },
  {
    answers: [account("a"), "rejected"],
    atLeastOne: "r0/r0,r1/",
    first: "r0/r0,r1/",
    firstStopping: "r0/r0/",
    all: "no/r0,r1/",
  },
  {
    answers: ["rejected", "unavailable", "unavailable"],
    atLeastOne: "no/r0,r1,r2/r1",
    first: "no/r0,r1,r2/r1",
    firstStopping: "no/r0,r1,r2/r1",
    all: "no/r0/",
  },
  {
    answers: ["unavailable", account("b")],
    atLeastOne: "r1/r0,r1/",
    first: "r1/r0,r1/",
    firstStopping: "r1/r0,r1/",
    all: "no/r0/r0",
  },
  {
    answers: ["not mine", "rejected"],
    atLeastOne: "no/r0,r1/",
    first: "no/r0,r1/",
    firstStopping: "no/r0,r1/",
    all: "no/r0/",
  },
];

describe.each([false, true])("realms that answer by a promise: %s", (slow) => {
  const shown = async (...args: Parameters<typeof decide>) => {
    const { accepted, accounts, asked, unavailable } = await decide(...args);
    return `${accepted ? accounts : "no"}/${asked}/${unavailable ?? ""}`;
  };
  test.each(cases.map((one) => [JSON.stringify(one.answers), one] as const))("%s", async (_, one) => {
    expect(await shown(atLeastOneSuccessful, one.answers, { slow })).toBe(one.atLeastOne);
    expect(await shown(firstSuccessful, one.answers, { slow })).toBe(one.first);
    const properties = { stopAfterFirstSuccess: "true" };
    expect(await shown(firstSuccessful, one.answers, { slow, properties })).toBe(one.firstStopping);
    expect(await shown(allSuccessful, one.answers, { slow })).toBe(one.all);
  });
});

test("a realm that cannot judge the credentials fails AllSuccessful, before any realm is asked, and no other", async () => {
  const answers = [account("a")];
  const unable = ["tokens"];
  expect(await decide(allSuccessful, answers, { unable })).toMatchObject({ accepted: false, asked: "" });
  expect(await decide(atLeastOneSuccessful, answers, { unable })).toMatchObject({ accepted: true });
  expect(await decide(firstSuccessful, answers, { unable })).toMatchObject({ accepted: true });
});

test("more realms than a call stack is deep are asked one after the other", async () => {
  const many = new Array<RealmAnswer>(20_000).fill("not mine");
  expect(await decide(atLeastOneSuccessful, many, { slow: true })).toMatchObject({ accepted: false });
  expect(await decide(allSuccessful, new Array<RealmAnswer>(20_000).fill(account("a")))).toMatchObject({
    accepted: true,
  });
});
