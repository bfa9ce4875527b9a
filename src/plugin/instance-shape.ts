import type { Credentials, PluginKind } from "./contract.ts";

const credentialKinds: Readonly<Record<Credentials["kind"], true>> = {
  password: true,
  token: true,
  bearer: true,
  custom: true,
};

/** The functions that make an instance of a kind; of a listener at least one. */
const functions: Readonly<Record<PluginKind, readonly string[]>> = {
  realm: ["authenticate"],
  filter: ["handle"],
  userInfoProvider: ["userInfo"],
  authenticationListener: [],
  authenticationStrategy: ["decide"],
  credentialsMatcher: ["matches"],
};

/** Functions that an instance may leave out. */
const optional: Readonly<Record<PluginKind, readonly string[]>> = {
  realm: [],
  filter: ["checkWords", "warnWords"],
  userInfoProvider: [],
  authenticationListener: ["onSuccess", "onFailure"],
  authenticationStrategy: [],
  credentialsMatcher: [],
};

const lifecycle = ["start", "stop", "health"];

/** Longest time for which an answer of a realm may be reused, in seconds. */
const longestReuse = 60;

/**
 * Says what keeps the result of a plugin's `create` from being an instance of its kind, each as the end of a sentence:
 * `has no function authenticate`.
 */
export function instanceProblems(kind: PluginKind, instance: unknown): readonly string[] {
  if (typeof instance !== "object" || instance === null) return [`is not an object`];
  const members = instance as Readonly<Record<string, unknown>>;
  return [
    ...functions[kind].filter((name) => typeof members[name] !== "function").map((name) => `has no function ${name}`),
    ...[...optional[kind], ...lifecycle]
      .filter((name) => members[name] !== undefined && typeof members[name] !== "function")
      .map((name) => `has a member ${name} that is not a function`),
    ...memberProblems(kind, members),
  ];
}

function memberProblems(kind: PluginKind, members: Readonly<Record<string, unknown>>): readonly string[] {
  switch (kind) {
    case "realm":
      return [...acceptsProblems(members.accepts), ...reuseProblems(members.reuseSeconds)];
    case "filter":
      return [
        ...(["undefined", "boolean"].includes(typeof members.mayBePermissive)
          ? []
          : ["has a member mayBePermissive that is not true or false"]),
        ...(["undefined", "string"].includes(typeof members.challenge) ? [] : ["has a challenge that is not text"]),
      ];
    case "authenticationListener":
      return members.onSuccess === undefined && members.onFailure === undefined
        ? ["has neither onSuccess nor onFailure"]
        : [];
    default:
      return [];
  }
}

function acceptsProblems(accepts: unknown): readonly string[] {
  const kinds: readonly unknown[] = Array.isArray(accepts) ? accepts : [accepts];
  const known = (kind: unknown) => typeof kind === "string" && Object.hasOwn(credentialKinds, kind);
  return kinds.length > 0 && kinds.every(known)
    ? []
    : [`has no accepts that names kinds of credentials: ${Object.keys(credentialKinds).join(", ")}`];
}

function reuseProblems(seconds: unknown): readonly string[] {
  if (seconds === undefined) return [];
  return typeof seconds === "number" && seconds >= 0 && seconds <= longestReuse
    ? []
    : [`has reuseSeconds that are not a number from 0 to ${longestReuse}`];
}
