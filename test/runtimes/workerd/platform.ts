/** What the service takes from workerd. */
export { platform } from "../../../src/runtime/platform-worker.ts";
