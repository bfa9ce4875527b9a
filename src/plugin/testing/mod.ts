/**
 * What `kinora/testing` exports: checks that every realm and filter must pass, and the parts of which a plugin's own
 * tests are made. Works under any test runner, on Node, Deno and workerd.
 */
export type { Check } from "./check.ts";
export { assertFilter, checkFilter, type FilterCheckOptions } from "./check-filter.ts";
export { assertRealm, checkRealm, type RealmCheckOptions } from "./check-realm.ts";
export { createTestContext, type TestContext, type TestContextOptions, type TestLogRecord } from "./context.ts";
export { createTestExchange, type TestExchange, type TestExchangeOptions } from "./exchange.ts";
export { createFilter, createRealm, type TestProperties } from "./instance.ts";
