import {
  type Account,
  defineAuthenticationListener,
  defineFilter,
  defineRealm,
  defineUserInfoProvider,
  type Plugin,
  type RealmAnswer,
} from "../../src/plugin/mod.ts";

/** What the test beans of the recorded cases have done and become. */
export interface OracleNotes {
  /** One line each, in order. */
  readonly events: string[];
  /** Properties of each `oracle.GraphBean`, by object name. */
  readonly beans: Map<string, Readonly<Record<string, unknown>>>;
}

/** The test beans that the recorded cases name `oracle.…`, as plugins that write into `notes`. */
export function oraclePlugins(notes: OracleNotes): readonly Plugin[] {
  const { events, beans } = notes;

  const staticRealm = defineRealm({
    names: ["oracle.StaticRealm"],
    properties: { users: "map", roles: "map", permissions: "map" },
    create: ({ users, roles, permissions }, { name }) => ({
      accepts: "password",
      authenticate(credentials) {
        if (credentials.kind !== "password") return "not mine";
        const { userName, password } = credentials;
        events.push(`${name}:authc:${userName}`);
        if (!users.has(userName)) return "not mine";
        if (users.get(userName) !== password) return "rejected";
        return { userName, roles: listed(roles.get(userName)), permissions: listed(permissions.get(userName)) };
      },
    }),
  });

  const tokenRealm = defineRealm({
    names: ["oracle.TokenRealm"],
    properties: { tokens: "map", roles: "map", bearer: "boolean" },
    create: ({ tokens, roles, bearer }, { name }) => ({
      accepts: bearer ? "bearer" : "custom",
      authenticate(credentials) {
        const token = credentials.kind === "bearer" ? credentials.token : tokenOf(credentials);
        if (token === undefined) return "not mine";
        events.push(`${name}:authc:${token}`);
        const userName = tokens.get(token);
        return userName === undefined ? "not mine" : { userName, roles: listed(roles.get(userName)) };
      },
    }),
  });

  const tokenAuth = defineFilter({
    names: ["oracle.TokenAuthFilter"],
    create: (_, { name }) => ({
      mayBePermissive: true,
      async handle(exchange) {
        if (exchange.subject !== undefined) return "next";
        const token = exchange.header("x-token");
        if (token === undefined && exchange.permissive) return "next";
        events.push(`${name}:onAccessDenied`);
        if (token === undefined) return new Response("no token", { status: 401 });
        const { outcome } = await exchange.authenticate({ kind: "custom", scheme: "oracle", value: token });
        return outcome === "accepted" ? "next" : new Response("wrong token", { status: 401 });
      },
    }),
  });

  const throwingRealm = defineRealm({
    names: ["oracle.ThrowingRealm"],
    properties: { mode: { type: "string", required: true } },
    create: ({ mode }, { name }) => ({
      accepts: "password",
      authenticate(credentials): RealmAnswer {
        if (credentials.kind === "password") events.push(`${name}:authc:${credentials.userName}`);
        switch (mode) {
          case "runtime":
          case "error":
            throw new Error("thrown on purpose");
          case "emptyinfo":
            return {} as Account;
          case "locked":
          case "authc":
          case "nullcreds":
            return "rejected";
          default:
            return "not mine";
        }
      },
    }),
  });

  const listener = defineAuthenticationListener({
    names: ["oracle.Events"],
    properties: {
      label: { type: "string", default: "l" },
      throwOnFailure: "boolean",
      throwOnSuccess: "boolean",
    },
    create: ({ label, throwOnFailure, throwOnSuccess }) => ({
      onSuccess({ credentials, accounts }) {
        const [account] = accounts.values();
        events.push(`${label}:success:${shown(credentials)}:${account?.userName}`);
        if (throwOnSuccess) throw new Error("thrown on purpose");
      },
      onFailure({ credentials }) {
        events.push(`${label}:failure:${shown(credentials)}`);
        if (throwOnFailure) throw new Error("thrown on purpose");
      },
    }),
  });

  const probe = defineFilter({
    names: ["oracle.ProbeFilter"],
    properties: { label: { type: "string", default: "probe" }, action: "string" },
    create: ({ label, action }) => ({
      checkWords: () => [],
      handle({ words }) {
        events.push(`${label}:${words.length === 0 ? "null" : `[${words.join(", ")}]`}`);
        if (action !== undefined) throw new Error("probe");
        return "next";
      },
    }),
  });

  const plain = defineFilter({ names: ["oracle.PlainFilter"], create: () => ({ handle: () => "next" }) });

  const graphBean = defineUserInfoProvider({
    names: ["oracle.GraphBean"],
    properties: {
      text: "string",
      number: "integer",
      dbl: "number",
      flag: "boolean",
      color: { type: "string", values: ["RED", "GREEN"] },
      klass: "string",
      list: "list",
      coll: "list",
      set: "set",
      strings: "list",
      ints: "list",
      map: "map",
      bytes: "bytes",
      source: "bytes",
      child: { type: "reference", kind: "userInfoProvider" },
      any: { type: "reference" },
    },
    create(properties, { name }) {
      beans.set(name, properties);
      return { userInfo: () => undefined };
    },
  });

  const initd = defineUserInfoProvider({
    names: ["oracle.Initd"],
    properties: { a: "string" },
    create: () => ({ userInfo: () => undefined }),
  });

  return [staticRealm, tokenRealm, tokenAuth, throwingRealm, listener, probe, plain, graphBean, initd];
}

/** `a|b` stands for two values. */
function listed(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split("|");
}

function tokenOf(credentials: { readonly kind: string; readonly value?: unknown }): string | undefined {
  return credentials.kind === "custom" && typeof credentials.value === "string" ? credentials.value : undefined;
}

function shown(credentials: { readonly kind: string }): string {
  if ("userName" in credentials && credentials.userName !== undefined) return String(credentials.userName);
  if ("token" in credentials) return String(credentials.token);
  return "value" in credentials ? String(credentials.value) : "";
}
