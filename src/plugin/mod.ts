/**
 * What `kinora/plugin` exports: the contract of every kind of plugin and the functions that type one while it is
 * written. The plugins that come with Kinora use nothing else of it.
 *
 * @module
 */
export { equalBytes, fromBase64, fromHex } from "./binary-text.ts";
export type * from "./contract.ts";
export {
  defineAuthenticationListener,
  defineAuthenticationStrategy,
  defineCredentialsMatcher,
  defineFilter,
  defineRealm,
  defineUserInfoProvider,
} from "./define.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
