import { nearestName } from "../nearest-name.ts";
import type { PluginKind, PropertyType } from "./contract.ts";

const kinds: Readonly<Record<PluginKind, true>> = {
  realm: true,
  filter: true,
  userInfoProvider: true,
  authenticationListener: true,
  authenticationStrategy: true,
  credentialsMatcher: true,
};

const propertyTypes: Readonly<Record<PropertyType | "reference", true>> = {
  string: true,
  integer: true,
  number: true,
  boolean: true,
  list: true,
  set: true,
  map: true,
  bytes: true,
  reference: true,
};

/** Says what keeps a value from being a plugin, each as the end of a sentence: `has no create function`. */
export function pluginProblems(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [`is ${nameOfType(value)}, not a plugin object`];
  const plugin = value as Readonly<Record<string, unknown>>;
  return [
    ...kindProblems(plugin.kind),
    ...nameProblems(plugin.names),
    ...(typeof plugin.create === "function" ? [] : ["has no create function"]),
    ...propertyProblems(plugin.properties),
  ];
}

function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function kindProblems(kind: unknown): readonly string[] {
  if (typeof kind === "string" && Object.hasOwn(kinds, kind)) return [];
  const names = Object.keys(kinds);
  if (typeof kind !== "string") return [`has no kind, which is one of ${names.join(", ")}`];
  const near = nearestName(kind, names);
  return [`has the kind "${kind}", ${near ? `perhaps "${near}" is meant` : `which is not one of ${names.join(", ")}`}`];
}

function nameProblems(names: unknown): readonly string[] {
  if (!Array.isArray(names) || names.length === 0) return ["has no names, an array with its short name first"];
  return names
    .filter((name: unknown) => typeof name !== "string" || !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name))
    .map((name: unknown) => `has the name ${JSON.stringify(name)}, names are letters, digits and . _ -`);
}

function propertyProblems(properties: unknown): readonly string[] {
  if (properties === undefined) return [];
  if (properties === null || (typeof properties !== "object" && typeof properties !== "function")) {
    return [`has properties that are ${nameOfType(properties)}, not a table or a Standard Schema`];
  }
  if ("~standard" in properties) return standardProblems(properties["~standard"]);
  return Object.entries(properties).flatMap(([name, declared]: [string, unknown]) => {
    const type = typeof declared === "object" && declared !== null ? (declared as { type?: unknown }).type : declared;
    if (typeof type === "string" && Object.hasOwn(propertyTypes, type)) return [];
    return [
      `declares the property ${name} with the type ${JSON.stringify(type)}, which is not one of ${Object.keys(propertyTypes).join(", ")}`,
    ];
  });
}

function standardProblems(standard: unknown): readonly string[] {
  const { version, validate } = (standard ?? {}) as { version?: unknown; validate?: unknown };
  return version === 1 && typeof validate === "function"
    ? []
    : ["has properties that are not a Standard Schema of version 1"];
}
