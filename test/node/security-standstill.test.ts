import { expect, test } from "vitest";
import type { Account, AuthenticationRequest, Credentials, RealmAnswer } from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { askRealm, nameRealm } from "../../src/security/realm-call.ts";

const ann: Account = { userName: "ann" };
const credentials: Credentials = { kind: "password", userName: "ann", password: "pw" };
const request: AuthenticationRequest = {
  remoteAddress: "192.0.2.1",
  method: "GET",
  path: "/x",
  header: () => undefined,
};
const timeoutMs = 50;

/** The next turn of the event loop; timers that are due come before it. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets the whole process stand still, as a machine that is paused does. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function asked(answer: () => Promise<RealmAnswer>): RealmAnswer | Promise<RealmAnswer> {
  const realm = nameRealm("a", { accepts: "password", authenticate: answer }, createTestContext().log);
  return askRealm(realm, credentials, request, timeoutMs, (text) => text);
}

test("an answer that lay here unread while the process stood still is heard", async () => {
  await nextTurn();
  const answer = asked(async () => {
    await nextTurn();
    return ann;
  });
  standStill(3 * timeoutMs);
  expect(await answer).toBe(ann);
});

test("an answer is heard however often the process stands still meanwhile", async () => {
  await nextTurn();
  const answer = asked(async () => {
    for (let turn = 0; turn < 15; turn++) {
      await nextTurn();
      standStill(2 * timeoutMs);
    }
    await nextTurn();
    return ann;
  });
  expect(await answer).toBe(ann);
});

test("a realm that never answers is given up all the same", async () => {
  await nextTurn();
  const answer = asked(() => new Promise(() => {}));
  standStill(3 * timeoutMs);
  expect(await answer).toBe("unavailable");
});
