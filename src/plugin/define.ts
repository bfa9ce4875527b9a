import type {
  AuthenticationListener,
  AuthenticationListenerPlugin,
  AuthenticationStrategy,
  AuthenticationStrategyPlugin,
  CredentialsMatcher,
  CredentialsMatcherPlugin,
  Filter,
  FilterPlugin,
  PluginContext,
  PluginPlace,
  PropertiesOf,
  PropertySchema,
  PropertyTable,
  Realm,
  RealmPlugin,
  UserInfoProvider,
  UserInfoProviderPlugin,
} from "./contract.ts";

type Parts<S extends PropertySchema, I> = PluginPlace & {
  readonly names: readonly [string, ...string[]];
  readonly description?: string;
  readonly properties?: S;
  create(properties: PropertiesOf<S>, context: PluginContext): I | Promise<I>;
};

/**
 * Types a realm plugin while it is written: `properties` give the type of `create`'s first argument.
 *
 * @example
 * ```ts
 * import { defineRealm } from "kinora";
 *
 * export default defineRealm({
 *   names: ["StaticUserRealm"],
 *   properties: { users: "map" },
 *   create: ({ users }, { constantTimeEqual }) => ({
 *     accepts: "password",
 *     authenticate: (credentials) => {
 *       if (credentials.kind !== "password" || !users.has(credentials.userName)) return "not mine";
 *       return constantTimeEqual(users.get(credentials.userName), credentials.password)
 *         ? { userName: credentials.userName }
 *         : "rejected";
 *     },
 *   }),
 * });
 * ```
 */
export function defineRealm<const S extends PropertySchema = PropertyTable>(
  parts: Parts<S, Realm> & { readonly sections?: boolean },
): RealmPlugin<S> {
  return { kind: "realm", ...parts };
}

/**
 * Types a filter plugin while it is written.
 *
 * @example
 * ```ts
 * import { defineFilter } from "kinora";
 *
 * export default defineFilter({
 *   names: ["OfficeHours"],
 *   create: () => ({ handle: (exchange) => (exchange.subject ? "next" : exchange.refuse(401)) }),
 * });
 * ```
 */
export function defineFilter<const S extends PropertySchema = PropertyTable>(
  parts: Parts<S, Filter> & { readonly global?: boolean },
): FilterPlugin<S> {
  return { kind: "filter", ...parts };
}

/**
 * Types a user-info provider while it is written.
 *
 * @example
 * ```ts
 * import { defineUserInfoProvider } from "kinora";
 *
 * export default defineUserInfoProvider({
 *   names: ["StaffInfo"],
 *   create: () => ({ userInfo: (account) => ({ userName: account.userName, groups: ["staff"] }) }),
 * });
 * ```
 */
export function defineUserInfoProvider<const S extends PropertySchema = PropertyTable>(
  parts: Parts<S, UserInfoProvider>,
): UserInfoProviderPlugin<S> {
  return { kind: "userInfoProvider", ...parts };
}

/**
 * Types an authentication listener while it is written.
 *
 * @example
 * ```ts
 * import { defineAuthenticationListener } from "kinora";
 *
 * export default defineAuthenticationListener({
 *   names: ["FailureLog"],
 *   create: (_, { log }) => ({ onFailure: ({ request }) => log.warn("login failed", { from: request.remoteAddress }) }),
 * });
 * ```
 */
export function defineAuthenticationListener<const S extends PropertySchema = PropertyTable>(
  parts: Parts<S, AuthenticationListener>,
): AuthenticationListenerPlugin<S> {
  return { kind: "authenticationListener", ...parts };
}

/**
 * Types an authentication strategy while it is written.
 *
 * @example
 * ```ts
 * import { defineAuthenticationStrategy } from "kinora";
 *
 * export default defineAuthenticationStrategy({
 *   names: ["NobodyStrategy"],
 *   create: () => ({ decide: () => ({ accepted: false, accounts: new Map() }) }),
 * });
 * ```
 */
export function defineAuthenticationStrategy<const S extends PropertySchema = PropertyTable>(
  parts: Parts<S, AuthenticationStrategy>,
): AuthenticationStrategyPlugin<S> {
  return { kind: "authenticationStrategy", ...parts };
}

/**
 * Types a credentials matcher while it is written.
 *
 * @example
 * ```ts
 * import { defineCredentialsMatcher } from "kinora";
 *
 * export default defineCredentialsMatcher({
 *   names: ["PlainMatcher"],
 *   create: (_, { constantTimeEqual }) => ({ matches: (submitted, stored) => constantTimeEqual(submitted, stored) }),
 * });
 * ```
 */
export function defineCredentialsMatcher<const S extends PropertySchema = PropertyTable>(
  parts: Parts<S, CredentialsMatcher>,
): CredentialsMatcherPlugin<S> {
  return { kind: "credentialsMatcher", ...parts };
}
