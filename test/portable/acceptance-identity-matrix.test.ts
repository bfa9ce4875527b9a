import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credential, type Entrance, openEntrance, type Traits, wayInNames, waysIn } from "./ways-in.ts";

let kinora: Entrance;
let target: string;
let disabledTarget: string;
beforeAll(async () => {
  kinora = await openEntrance();
  target = await kinora.user();
  disabledTarget = await kinora.user();
  await kinora.do(`DELETE /user/${disabledTarget}`);
});
afterAll(() => kinora.close());

/** What is sent, after what was done to the credential or its user; `undefined` where a way in has no such state. */
type State = (credential: Credential, userName: string) => Promise<string | undefined>;

async function after(act: (() => Promise<unknown>) | undefined, sent: string): Promise<string | undefined> {
  if (act === undefined) return undefined;
  await act();
  return sent;
}

const states: Readonly<Record<string, State>> = {
  good: async ({ good }) => good,
  wrong: async ({ wrong }) => wrong,
  expired: async ({ expired }) => expired,
  "of a disabled user": ({ good }, userName) => after(() => kinora.do(`DELETE /user/${userName}`), good),
  "of a deleted user": ({ good }, userName) => after(() => kinora.do(`DELETE /user/${userName}?hard=true`), good),
  disabled: ({ good, rest }) => after(rest, good),
  deleted: ({ good, remove }) => after(remove, good),
};

interface RunAs {
  readonly caller: Traits;
  readonly named?: () => string;
  /** What good credentials get. */
  readonly expected: (userName: string) => string;
}

const mayRunAs: Traits = { roles: ["_runas"] };
const runAs: Readonly<Record<string, RunAs>> = {
  alone: { caller: {}, expected: (userName) => userName },
  "as another user": { caller: mayRunAs, named: () => target, expected: () => target },
  "as another user, by an administrator": {
    caller: { roles: ["_administrator"] },
    named: () => target,
    expected: () => target,
  },
  "as another user, without the role": {
    caller: { roles: ["_user_read"] },
    named: () => target,
    expected: () => "403",
  },
  "as another user, with the option off": {
    caller: { ...mayRunAs, runAsEnabled: false },
    named: () => target,
    expected: () => "403",
  },
  "as a user that does not exist": { caller: mayRunAs, named: () => "nobody", expected: () => "403" },
  "as a disabled user": { caller: mayRunAs, named: () => disabledTarget, expected: () => "403" },
};

const withoutState: readonly string[] = [
  "password expired",
  "password disabled",
  "alias expired",
  "alias disabled",
  "access key expired",
  "token disabled",
  "bearer disabled",
  "bearer deleted",
];
const cases = wayInNames.flatMap((name) =>
  Object.keys(states)
    .filter((state) => !withoutState.includes(`${name} ${state}`))
    .map((state) => ({ name, state })),
);

describe.each(cases)(
  "$name, $state [spec: basic] [spec: run-as-role] [spec: access-key-basic] [spec: token-header]",
  ({ name, state }) => {
    test.each(Object.keys(runAs))("%s", async (how) => {
      const { caller, named, expected } = runAs[how] ?? expect.fail(how);
      const userName = await kinora.user(caller);
      const credential = await waysIn[name](kinora, userName);
      // Once before: what is reused of a good answer must not outlive the change.
      const accepted = expected(userName);
      expect(await kinora.whoami(credential.good, named?.()), "before").toBe(accepted);
      const sent = await states[state]?.(credential, userName);
      if (sent === undefined) throw new Error(`${name} has no state ${state}`);
      expect(await kinora.whoami(sent, named?.())).toBe(state === "good" ? accepted : "401");
    });
  },
);
