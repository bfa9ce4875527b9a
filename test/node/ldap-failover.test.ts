import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasSlapd, type Slapd, startSlapd } from "../peers/slapd.ts";
import { binding, openRealm, outcome, searching, withGroups } from "./ldap-client.ts";
import { entries } from "./ldap-entries.ts";
import { openWay, type Way } from "./ldap-way.ts";

describe.skipIf(!hasSlapd)("a realm with several directory servers", () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(entries);
  });
  afterAll(() => slapd?.stop());

  /** Ways to one directory that are as good as two servers. */
  async function twoWays(): Promise<readonly [Way, Way]> {
    const pair = [await openWay(slapd.port), await openWay(slapd.port)] as const;
    onTestFinished(async () => {
      for (const way of pair) await way.close();
    });
    return pair;
  }

  const open = (urls: readonly string[], more = {}) =>
    openRealm({ ...searching(urls.join(", ")), ...withGroups, operationTimeoutSeconds: "0.3", ...more });

  test("asks the first one alone while it works", async () => {
    const [first, second] = await twoWays();
    const realm = await open([first.url, second.url]);
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    expect([first.made, second.made]).toEqual([2, 0]);
  });

  test("asks the second when the first is down, leaves the first alone for a while, and returns to it", async () => {
    const [first, second] = await twoWays();
    const port = Number(new URL(first.url).port);
    await first.close();
    const realm = await open([first.url, second.url]);
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    expect(await outcome(realm.login("Bob", "wrong"))).toBe("rejected");
    expect(realm.log("error")).toEqual([expect.stringMatching(/^A directory server fails: .*ECONNREFUSED/)]);
    expect(second.made).toBe(2);

    const again = await openWay(slapd.port, port);
    onTestFinished(() => again.close());
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    expect(again.made).toBe(0);
    realm.advance(1_000);
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    expect([again.made, second.made]).toEqual([2, 2]);
    expect(realm.log("info")).toEqual(["A directory server works again: "]);
  });

  test.each<[string, (way: Way) => void]>([
    ["its connections end", (way) => way.sever()],
    [
      "it ends them at the next request",
      (way) => {
        way.mode = "sever";
      },
    ],
    [
      "it no longer answers",
      (way) => {
        way.mode = "stall";
      },
    ],
  ])("does a login all the same when the first dies between two: %s", async (_, die) => {
    const [first, second] = await twoWays();
    for (const properties of [searching, binding]) {
      first.mode = "pass";
      const realm = await openRealm({
        ...properties(`${first.url}, ${second.url}`),
        ...withGroups,
        operationTimeoutSeconds: "0.3",
      });
      expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
      die(first);
      expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
      expect(await outcome(realm.login("alice", "wrong"))).toBe("rejected");
      expect(await outcome(realm.login("Bob", "builder"))).toBe("hello Bob");
    }
  });

  test("does logins all the same when the first dies while many are under way", async () => {
    const [first, second] = await twoWays();
    const realm = await open([first.url, second.url], { poolSize: "4", operationTimeoutSeconds: "20" });
    const logins = Array.from({ length: 60 }, (_, at) => {
      const login = outcome(realm.login("alice", at % 3 === 0 ? "wrong" : "wonder"));
      return login.then((got) => {
        if (at === 10) {
          first.mode = "sever";
          first.sever();
        }
        return got;
      });
    });
    expect(await Promise.all(logins)).toEqual(logins.map((_, at) => (at % 3 === 0 ? "rejected" : "hello alice")));
    expect(second.made).toBeGreaterThan(0);
  });

  test("cannot tell when none of them answers, without waiting for them each time", async () => {
    const [first, second] = await twoWays();
    first.mode = "stall";
    second.mode = "stall";
    const realm = await open([first.url, second.url]);
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(realm.log("error")).toHaveLength(2);
    const made = first.made + second.made;
    for (let at = 0; at < 20; at++) expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(first.made + second.made).toBe(made);
    expect(await realm.health()).toBe(false);

    first.mode = "pass";
    realm.advance(1_000);
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    expect(await realm.health()).toBe(true);
  });

  test("leaves a server alone for longer and longer, at most half a minute", async () => {
    const [way] = await twoWays();
    way.mode = "sever";
    const realm = await open([way.url]);
    let tries = 0;
    for (let second = 0; second < 120; second++) {
      const before = way.made;
      expect(await realm.login("alice", "wonder")).toBe("unavailable");
      if (way.made > before) tries += 1;
      realm.advance(1_000);
    }
    // After 0, 1, 3, 7, 15 and 31 seconds, then every 30.
    expect(tries).toBe(8);
  });

  test("lets one login find out whether a server works again", async () => {
    const [way] = await twoWays();
    way.mode = "stall";
    const realm = await open([way.url]);
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    realm.advance(1_000);
    const made = way.made;
    await Promise.all(Array.from({ length: 20 }, () => realm.login("alice", "wonder")));
    expect(way.made).toBe(made + 1);
  });

  test("asks again over a new connection when the server was restarted", async () => {
    const realm = await open([slapd.url]);
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    await slapd.kill();
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    await slapd.restart();
    realm.advance(1_000);
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
  });

  test("waits no longer for a free connection than for an answer", async () => {
    const [way] = await twoWays();
    const realm = await open([way.url], { poolSize: "1", operationTimeoutSeconds: "0.2" });
    expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    way.mode = "stall";
    const answers = await Promise.all(Array.from({ length: 1_500 }, () => realm.login("alice", "wonder")));
    expect(new Set(answers)).toEqual(new Set(["unavailable"]));
    expect(realm.log("debug").filter((line) => line.includes("Too many wait"))).toHaveLength(499);
  });

  test("does not use a connection that was idle for a minute", async () => {
    const [way] = await twoWays();
    const realm = await open([way.url]);
    for (const [wait, made] of [
      [0, 2],
      [59_000, 2],
      [60_000, 4],
    ] as const) {
      realm.advance(wait);
      expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
      expect(way.made).toBe(made);
    }
  });
});
