/**
 * The contract between Kinora and a plugin, one interface for each kind of plugin.
 *
 * A plugin is a plain object: it needs no import of Kinora at run time, works in an ext folder without a
 * `node_modules` beside it, in a Worker bundle and in a test, unchanged.
 */
import type { StandardSchema } from "./standard-schema.ts";

/** The kinds of plugin that can be named in `security.ini`. */
export type PluginKind =
  | "realm"
  | "filter"
  | "userInfoProvider"
  | "authenticationListener"
  | "authenticationStrategy"
  | "credentialsMatcher";

/** What the text of a property in `security.ini` is turned into before the plugin sees it. */
export type PropertyType =
  /** The text as it stands. `""` in the file is the empty string. */
  | "string"
  /** A whole number; anything else is a start-up error. JavaScript `number`. */
  | "integer"
  /** A number with or without a fraction. */
  | "number"
  /** `true`, `yes`, `on`, `y`, `1` or `false`, `no`, `off`, `n`, `0`, in any case. */
  | "boolean"
  /** Comma-separated texts or references: `readonly string[]` (or of the referenced objects). */
  | "list"
  /** As `list`, without duplicates: `ReadonlySet<string>`. */
  | "set"
  /** `key:value, key:value`: `ReadonlyMap<string, string>`. */
  | "map"
  /** Base64, or hexadecimal behind `0x`: `Uint8Array`. */
  | "bytes";

/** A property declared in full; a bare {@link PropertyType} is short for `{ type }`. */
export interface PropertyDeclaration {
  readonly type: PropertyType | "reference";
  /** For `reference`: the kind of object that `$name` must be. */
  readonly kind?: PluginKind;
  /** The start fails when the property is not set. Default `false`. */
  readonly required?: boolean;
  /** The value when the property is not set. */
  readonly default?: unknown;
  /** The only texts allowed. */
  readonly values?: readonly string[];
  /** The value is never printed. Default `false`; names ending in password, secret or token count as secret. */
  readonly secret?: boolean;
  /** Further names that set the same property. */
  readonly aliases?: readonly string[];
  /** One sentence for the reference page. */
  readonly description?: string;
}

/** Short declarations, by property name. A name may have dots (`hsts.enabled`): it is then written so in the file. */
export type PropertyTable = Readonly<Record<string, PropertyType | PropertyDeclaration>>;

/** What a plugin declares of its properties: a table, or any Standard Schema (zod, valibot, arktype …). */
export type PropertySchema = PropertyTable | StandardSchema<unknown, unknown>;

type ValueOf<T> = T extends "string"
  ? string
  : T extends "integer" | "number"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "list"
        ? readonly string[]
        : T extends "set"
          ? ReadonlySet<string>
          : T extends "map"
            ? ReadonlyMap<string, string>
            : T extends "bytes"
              ? Uint8Array
              : unknown;

/** An instance of a plugin kind, as a `reference` property receives it. */
export interface InstanceOf {
  realm: Realm;
  filter: Filter;
  userInfoProvider: UserInfoProvider;
  authenticationListener: AuthenticationListener;
  authenticationStrategy: AuthenticationStrategy;
  credentialsMatcher: CredentialsMatcher;
}

type DeclaredValue<D> = D extends PropertyType
  ? ValueOf<D>
  : D extends { readonly type: "reference"; readonly kind: infer K extends PluginKind }
    ? InstanceOf[K]
    : D extends { readonly type: "list"; readonly kind: infer K extends PluginKind }
      ? readonly InstanceOf[K][]
      : D extends { readonly type: infer T }
        ? ValueOf<T>
        : never;

type IsPresent<D> = D extends { readonly required: true }
  ? true
  : D extends { readonly default: unknown }
    ? true
    : D extends "map" | "list" | "set" | { readonly type: "map" | "list" | "set" }
      ? true
      : false;

/**
 * The properties that `create` receives, typed from the declaration. Collections that are not set are empty,
 * other properties that are not set and have no default are `undefined`.
 */
export type PropertiesOf<S> =
  S extends StandardSchema<unknown, infer Output>
    ? Output
    : { readonly [K in keyof S]: IsPresent<S[K]> extends true ? DeclaredValue<S[K]> : DeclaredValue<S[K]> | undefined };

/** Structured log of one plugin: its name and secrets' redaction are added by the server. */
export interface PluginLog {
  debug(message: string, properties?: Readonly<Record<string, unknown>>): void;
  info(message: string, properties?: Readonly<Record<string, unknown>>): void;
  warn(message: string, properties?: Readonly<Record<string, unknown>>): void;
  error(message: string, properties?: Readonly<Record<string, unknown>>): void;
}

/** What a plugin is handed instead of reaching for the platform. */
export interface PluginContext {
  /** The object's name in `security.ini`, for example `staticRealm`. */
  readonly name: string;
  readonly log: PluginLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Cryptographically strong random bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** The server's `fetch`, with its egress rules. */
  readonly fetch: typeof fetch;
  /** Compares two texts without telling by time where they differ. `undefined` equals nothing. */
  readonly constantTimeEqual: (a: string | undefined, b: string | undefined) => boolean;
  /** The users of the service's database. */
  readonly identity: IdentityAccess;
  /** Configuration documents kept in the database (for example `auth`), as last read; at most 5 s old. */
  readonly configuration: ConfigurationAccess;
  /** Documents of other systems, kept fresh for all instances. */
  readonly shared: SharedDocuments;
  /**
   * A digest of a secret under a key of this process, to look things up by; without a promise where the runtime can.
   */
  readonly digest: (text: string) => string | Promise<string>;
  /** Whether plugins that need sockets or native code can work here. */
  readonly runtime: "node" | "deno" | "workerd" | "other";
  /** `[users]` and `[roles]` of `security.ini`, for a realm plugin with {@link RealmPlugin.sections}; else absent. */
  readonly accounts?: AccountSections;
}

/** The sections `[users]` and `[roles]` of `security.ini`, parsed. */
export interface AccountSections {
  readonly users: ReadonlyMap<string, SectionUser>;
  /** Wildcard permissions by role name. A role that a user holds need not be listed. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
}
/** One line of `[users]`: `name = password, role, role`. */
export interface SectionUser {
  /** As written, quotes removed: a plain password, or a hash for a credentials matcher. May be empty. */
  readonly password: string;
  readonly roles: readonly string[];
}

/** Reads of configuration documents that an administrator can change at run time. */
export interface ConfigurationAccess {
  /** The stored document and a version that changes with it, or `undefined` when none is stored. */
  current(name: string): { readonly version: number; readonly value: unknown } | undefined;
}

/** Documents of other systems (key sets, metadata) that one instance fetches and all use. */
export interface SharedDocuments {
  /** Keeps a document. Two objects that give the same name share it. */
  keep(name: string, options: SharedDocumentOptions): SharedDocument;
}
export interface SharedDocumentOptions {
  /** Seconds after which the document is fetched again, by a tick in the background. */
  readonly everySeconds: number;
  /** Fetches the document; when it rejects, the last good one stays in use. */
  load(): Promise<string>;
}
export interface SharedDocument {
  /** The last good document, at most 5 s behind the database; `undefined` before the first. */
  readonly current: { readonly value: string; readonly version: number } | undefined;
  /** Why the last fetch failed; `undefined` when it did not. */
  readonly failure: string | undefined;
  /** Reads the document, and fetches it when there is none yet. For `start`; a failed fetch does not reject. */
  ready(): Promise<void>;
  /** Fetches early, for example because a key is not in the set. Bounded: most calls in a row do nothing. */
  refresh(): Promise<void>;
  /** No longer keeps it fresh, because nobody asks for it any more. */
  release(): void;
}

/** What an administrator can replace through `/configuration/<name>` while the service runs. */
export interface Configurable {
  /** The name of the configuration document. */
  readonly name: string;
  /** Whether `security.ini` allows it. */
  readonly allowUpdate: boolean;
  /** What `security.ini` says, in the form of the document. */
  readonly configured: unknown;
  /** Sentences of what is wrong with a document; none when it can be used. */
  check(document: unknown): readonly string[] | Promise<readonly string[]>;
}

/** The service's own users, as far as a plugin may use them. */
export interface IdentityAccess {
  /** Checks credentials against the users, access keys and tokens of the database. */
  authenticate(credentials: Credentials, request: AuthenticationRequest): RealmAnswer | Promise<RealmAnswer>;
  /** Whether a user of this name exists and may log in. */
  userState(userName: string): Promise<"enabled" | "disabled" | "unknown">;
  /**
   * Checks a password against an Argon2id string (`$argon2id$v=19$…`), in native code where that loads. `false` for a
   * text of any other form.
   */
  verifyHash(password: string, stored: string): Promise<boolean>;
  /** Creates or updates a user as the user-creation listener does. */
  provisionUser(user: UserInfo, options: { readonly enable: boolean; readonly origin: string }): Promise<void>;
}

/** What a caller showed to prove who they are. */
export type Credentials = PasswordCredentials | TokenCredentials | BearerCredentials | CustomCredentials;

/** A name and a password (HTTP Basic), or an access key's id and secret. */
export interface PasswordCredentials {
  readonly kind: "password";
  readonly userName: string;
  readonly password: string;
}
/** A token issued by this service (`Authorization: token …`). */
export interface TokenCredentials {
  readonly kind: "token";
  readonly token: string;
}
/** A bearer token (RFC 6750). */
export interface BearerCredentials {
  readonly kind: "bearer";
  readonly token: string;
}
/** Credentials of a team's own filter for a team's own realm. */
export interface CustomCredentials {
  readonly kind: "custom";
  /** A name that filter and realm agree on. */
  readonly scheme: string;
  readonly userName?: string;
  readonly value: unknown;
}

/**
 * Credentials as they were sent, for a filter that need not look into them: text that was accepted a moment ago is known
 * again without being read.
 */
export interface SentCredentials {
  /** How the text is to be read, for example `Basic`: under one scheme the same text means the same credentials. */
  readonly scheme: string;
  readonly text: string;
  /** The credentials; `undefined` when the text is none: then the attempt is rejected, and no realm is asked. */
  read(): Credentials | undefined;
}

/** Circumstances of an authentication attempt. */
export interface AuthenticationRequest {
  /** The peer's address, where the runtime tells it. */
  readonly remoteAddress: string | undefined;
  readonly method: string;
  /** The canonical path. */
  readonly path: string;
  /** A request header's value by its lower-case name. */
  header(name: string): string | undefined;
}

/** Who a realm says the caller is. */
export interface Account {
  readonly userName: string;
  /** Role names this realm gives to the account. */
  readonly roles?: readonly string[];
  /** Wildcard permissions this realm gives to the account. */
  readonly permissions?: readonly string[];
  /** What the realm knows of the account, for a user-info provider. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** How the account was proven, when it is not the kind of the credentials. For the audit trail. */
  readonly method?: AuthenticationMethod;
  /** Epoch milliseconds after which the answer must not be reused. */
  readonly expires?: number;
}

/** How a request was authenticated. */
export type AuthenticationMethod = "password" | "accessKey" | "token" | "bearer" | "custom";

/**
 * A realm's answer:
 * an account; `"not mine"`: this realm does not know the caller, ask the next; `"rejected"`: it knows the caller and
 * the credentials are wrong; `"unavailable"`: it cannot tell now (time-out, connection refused).
 */
export type RealmAnswer = Account | "not mine" | "rejected" | "unavailable";

/** Parts of a life that any plugin instance may have. */
export interface Lifecycle {
  /** Called once before the first request; the start fails when it throws or takes longer than the start time-out. */
  start?(): void | Promise<void>;
  /** Called once after the last request. */
  stop?(): void | Promise<void>;
  /** Says whether the plugin can do its work; shown by health and self-test. */
  health?(): Health | Promise<Health>;
}
export interface Health {
  readonly ok: boolean;
  /** One sentence without secrets. */
  readonly message?: string;
}

/** A source of accounts. */
export interface Realm extends Lifecycle {
  /** The kinds of credentials this realm can judge; it is not asked about others. */
  readonly accepts: Credentials["kind"] | readonly Credentials["kind"][];
  authenticate(credentials: Credentials, request: AuthenticationRequest): RealmAnswer | Promise<RealmAnswer>;
  /**
   * Seconds for which an answer to the same credentials may be reused, at most 60. Default 0: ask each time.
   * The service drops reused answers at once when a user of the database changes.
   */
  readonly reuseSeconds?: number;
}

/** An authenticated caller, as filters and routes see it. */
export interface Subject {
  /** The user that the request acts as; with RunAs the one named there. */
  readonly userName: string;
  /** The user that authenticated: differs from `userName` only with RunAs. */
  readonly callerName: string;
  readonly method: AuthenticationMethod;
  /** Names of the realms or filters that accepted the credentials, in order. */
  readonly realms: readonly string[];
  /** Whether a user of this name exists in the database. */
  readonly known: boolean;
  /** `_administrator` holds every role. */
  hasRole(role: string): boolean;
  /** Wildcard permission check. */
  isPermitted(permission: string): boolean;
}

/** Outcome of asking the realms. */
export type AuthenticationResult =
  | { readonly outcome: "accepted"; readonly subject: Subject }
  | { readonly outcome: "rejected" }
  | { readonly outcome: "unavailable"; readonly realm: string }
  | { readonly outcome: "locked"; readonly retryAfterSeconds: number };

/** A request as a filter sees it, with what a filter can do about it. */
export interface FilterExchange extends AuthenticationRequest {
  /** Decoded path segments, matrix parameters cut. */
  readonly segments: readonly string[];
  /** The request target as the client sent it: path and query, undecoded. */
  readonly rawTarget: string;
  /** The value of a query parameter, or `undefined`. */
  query(name: string): string | undefined;
  /** Whether the connection to the client is encrypted. */
  readonly secure: boolean;
  /** The port the client asked for. */
  readonly port: number;
  /**
   * The words in brackets behind the filter's name in this chain, for example `["admin"]` for `roles[admin]`. Without
   * `permissive`, when {@link Filter.mayBePermissive} is set.
   */
  readonly words: readonly string[];
  /** `permissive` stands in the brackets. */
  readonly permissive: boolean;
  /** The authenticated caller so far. */
  readonly subject: Subject | undefined;
  /** The challenge that authentication schemes of this chain answer with, for refusals further down. */
  readonly challenge: string;
  /** Asks the realms; on success the subject is set. */
  authenticate(credentials: Credentials | SentCredentials): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * Sets the subject for an account that the filter itself has proven. With `mustExist` an account without an enabled
   * user in the database is rejected.
   */
  establish(
    account: Account,
    options?: { readonly mustExist?: boolean },
  ): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * An answer in the form that the client accepts, with an error document. A 401 carries {@link challenge} unless
   * `options.headers` has a `WWW-Authenticate`; it becomes 503 with `Retry-After` when a realm was unavailable to an
   * attempt of this request, and 429 when the caller is locked out.
   */
  refuse(status: 400 | 401 | 403 | 429 | 503, options?: RefusalOptions): Response;
}
export interface RefusalOptions {
  /** One sentence for the error document, without secrets. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `"next"` hands the request to the next filter; a response ends the chain. */
export type FilterOutcome = "next" | Response;

/** A step of a chain. */
export interface Filter extends Lifecycle {
  handle(exchange: FilterExchange): FilterOutcome | Promise<FilterOutcome>;
  /**
   * Checks the words in brackets at start, once for each use in a chain, also when there are none (`words` is empty for
   * `roles`, `roles[]` and `roles[ ]`). Words come without `permissive` when {@link Filter.mayBePermissive} is set.
   * Return a sentence for each thing that is wrong; an empty list accepts the words. Without this function the filter
   * takes no words but `permissive`.
   */
  checkWords?(words: readonly string[]): readonly string[];
  /** Sentences about words that are accepted but are seldom meant; they become start-up warnings. */
  warnWords?(words: readonly string[]): readonly string[];
  /** `[permissive]` is allowed. Default `false`. */
  readonly mayBePermissive?: boolean;
  /** `WWW-Authenticate` value of the scheme that this filter asks for. */
  readonly challenge?: string;
  /** What an administrator can replace while the service runs; read back by {@link PluginContext.configuration}. */
  readonly configurable?: Configurable;
  /** How callers have authenticated whom the filter lets in as it is configured. Tells listeners that pass them over. */
  readonly authenticates?: AuthenticationMethod;
}

/** Account information turned into a user of the service. */
export interface UserInfo {
  readonly userName: string;
  readonly realName?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Names of existing groups. */
  readonly groups?: readonly string[];
}

/** Maps a realm's account to a user of the service; `undefined` creates none. */
export interface UserInfoProvider extends Lifecycle {
  userInfo(account: Account, realm: string): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** One finished authentication attempt. */
export interface AuthenticationEvent {
  readonly credentials: Credentials;
  readonly request: AuthenticationRequest;
  /** Accounts of the realms that accepted, by realm name in realm order; empty on failure. */
  readonly accounts: ReadonlyMap<string, Account>;
}
/**
 * Hears of finished attempts, once an attempt, after the realms were asked; not when every realm's answer was reused.
 * An `onSuccess` that throws fails the attempt: the request is answered 503. An `onFailure` that throws is logged.
 */
export interface AuthenticationListener extends Lifecycle {
  onSuccess?(event: AuthenticationEvent): void | Promise<void>;
  onFailure?(event: AuthenticationEvent): void | Promise<void>;
  /**
   * Logins after which the listener does nothing. A chain with a filter that {@link Filter.authenticates} so gets a
   * start-up warning.
   */
  readonly passesOver?: readonly AuthenticationMethod[];
}

/** A realm that can be asked about the credentials at hand. */
export interface RealmAttempt {
  readonly realm: string;
  /** Asks the realm. Never throws: a realm that throws has answered `"unavailable"`. */
  ask(): RealmAnswer | Promise<RealmAnswer>;
}
/** What a strategy decided: the accounts that count, or that the attempt failed. */
export interface StrategyDecision {
  readonly accepted: boolean;
  readonly accounts: ReadonlyMap<string, Account>;
  /** A realm that could not tell, when the attempt failed. */
  readonly unavailable?: string;
}
export interface AuthenticationStrategy {
  /** `unable` names the realms that cannot judge this kind of credentials; they are not among the attempts. */
  decide(attempts: readonly RealmAttempt[], unable: readonly string[]): StrategyDecision | Promise<StrategyDecision>;
}

/** Compares submitted with stored credentials. */
export interface CredentialsMatcher {
  /** `false` for anything that cannot be parsed. Never throws for a wrong password. */
  matches(submitted: string, stored: string): boolean | Promise<boolean>;
}

interface PluginOf<K extends PluginKind, S extends PropertySchema, I> {
  readonly kind: K;
  /** Short name first, then class names that `security.ini` may use as well. */
  readonly names: readonly [string, ...string[]];
  /** One sentence for the reference page. */
  readonly description?: string;
  readonly properties?: S;
  /**
   * Makes one object of the graph. Called at start, once per object that `security.ini` defines. What it throws stops the
   * start; an error with the name of a property as `property` is shown at the line that sets it, with the error's `fix`
   * when it has one, and an `AggregateError` shows each of its errors.
   */
  create(properties: PropertiesOf<S>, context: PluginContext): I | Promise<I>;
}

/** What a plugin of any kind may say about its place in `security.ini`. */
export interface PluginPlace {
  /** An object of this name exists in every `security.ini` without being defined there, for example `authcBasic`. */
  readonly predefined?: string;
  /** The start fails when `security.ini` leaves every object of this plugin out of its realms, or of its filters. */
  readonly essential?: boolean;
}

export interface RealmPlugin<S extends PropertySchema = PropertyTable>
  extends PluginOf<"realm", S, Realm>,
    PluginPlace {
  /**
   * The realm receives `[users]` and `[roles]` as {@link PluginContext.accounts}. Its predefined object exists only when
   * one of the two has lines.
   */
  readonly sections?: boolean;
}
/** Every filter object has the property `enabled` (boolean, default `true`): when it is `false` chains skip the filter. */
export interface FilterPlugin<S extends PropertySchema = PropertyTable>
  extends PluginOf<"filter", S, Filter>,
    PluginPlace {
  /** The predefined object runs in front of every chain, unless `filterChainResolver.globalFilters` is set. */
  readonly global?: boolean;
}
export type UserInfoProviderPlugin<S extends PropertySchema = PropertyTable> = PluginOf<
  "userInfoProvider",
  S,
  UserInfoProvider
>;
export type AuthenticationListenerPlugin<S extends PropertySchema = PropertyTable> = PluginOf<
  "authenticationListener",
  S,
  AuthenticationListener
>;
export type AuthenticationStrategyPlugin<S extends PropertySchema = PropertyTable> = PluginOf<
  "authenticationStrategy",
  S,
  AuthenticationStrategy
>;
export type CredentialsMatcherPlugin<S extends PropertySchema = PropertyTable> = PluginOf<
  "credentialsMatcher",
  S,
  CredentialsMatcher
>;

/** Any plugin with its property types forgotten: what the registry, the loader and `createService` take. */
export interface Plugin extends PluginPlace {
  readonly kind: PluginKind;
  readonly names: readonly [string, ...string[]];
  readonly description?: string;
  readonly properties?: PropertySchema;
  readonly sections?: boolean;
  readonly global?: boolean;
  // Method syntax on purpose: a plugin typed to its own properties is assignable here.
  create(properties: never, context: PluginContext): unknown;
}
