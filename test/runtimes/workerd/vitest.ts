// What `vitest` is inside workerd: its own runner and its own assertions, without the parts that need a process.
// Snapshots, module mocks and fake timers are not there; the portable suite uses none of them.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  ChaiStyleAssertions,
  chai,
  customMatchers,
  type ExpectStatic,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import { getCurrentTest, type Test } from "@vitest/runner";

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, onTestFinished, suite, test } from "@vitest/runner";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(ChaiStyleAssertions);
chai.use(JestAsymmetricMatchers);

interface ChaiAssertion {
  withTest(test: Test): unknown;
}

const assertThat = (value: unknown, message?: string): unknown => {
  setState({ assertionCalls: getState(expect).assertionCalls + 1 }, expect);
  const assertion = chai.expect(value, message);
  const current = getCurrentTest();
  return current === undefined ? assertion : (assertion as unknown as ChaiAssertion).withTest(current as Test);
};

/** The same assertions as in vitest, made of the same parts. */
export const expect = Object.assign(
  assertThat,
  chai.expect,
  (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT],
) as unknown as ExpectStatic;

Object.assign(expect, {
  getState: () => getState(expect),
  setState: (state: object) => setState(state, expect),
  extend: (matchers: object) =>
    (chai.expect as unknown as { extend(to: ExpectStatic, matchers: object): void }).extend(expect, matchers),
  unreachable: (message?: string) => chai.assert.fail(`expected${message ? ` "${message}" ` : " "}not to be reached`),
});
setState({ assertionCalls: 0 }, expect);
expect.extend(customMatchers);
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, configurable: true });
