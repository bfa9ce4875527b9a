import type { Plugin, PluginKind } from "../plugin/contract.ts";
import { type DeclaredProperties, type DeclaredProperty, declaredProperties, isSecret } from "../plugin/properties.ts";
import type { Position } from "./problem.ts";

/** An object of the graph that `[main]` describes, before it is made. */
export interface ObjectDefinition {
  readonly name: string;
  /** What it is. `framework` objects are parts of the framework itself and made of no plugin. */
  readonly kind: PluginKind | "framework";
  readonly plugin?: Plugin;
  /** Where it is defined; the file's beginning for an object that is there by itself. */
  readonly at: Position;
  readonly predefined: boolean;
  /** Its properties by name; `undefined` when a Standard Schema declares them. */
  readonly declared: DeclaredProperties | undefined;
  /** What the file sets, by declared name. */
  readonly set: Map<string, SetProperty>;
  /** Whether a property or another object's reference names it: then it may no longer be replaced. */
  touched: boolean;
}

/** A property that the file sets. */
export interface SetProperty {
  readonly at: Position;
  readonly value: PropertyValue;
}

/** The value of a property: plain, or made of other objects. */
export type PropertyValue =
  | { readonly kind: "plain"; readonly value: unknown }
  | { readonly kind: "object"; readonly object: ObjectDefinition }
  | { readonly kind: "objects"; readonly objects: readonly ObjectDefinition[] };

/** A property that every filter has beside those that its plugin declares. */
const enabled: DeclaredProperty = { name: "enabled", type: "boolean", default: true };

/** An object of a plugin. */
export function defineObject(name: string, plugin: Plugin, at: Position, predefined = false): ObjectDefinition {
  const declared = declaredProperties(plugin.properties);
  return {
    name,
    kind: plugin.kind,
    plugin,
    at,
    predefined,
    declared:
      plugin.kind === "filter" && declared !== undefined ? new Map([["enabled", enabled], ...declared]) : declared,
    set: new Map(),
    touched: false,
  };
}

/** The declaration of a property that a path names. Of a Standard Schema's properties only the name is known. */
export function declarationOf(object: ObjectDefinition, name: string): DeclaredProperty | undefined {
  if (object.declared !== undefined) return object.declared.get(name);
  return object.kind === "filter" && name === "enabled" ? enabled : undefined;
}

/** Whether the framework itself takes this property, and not the plugin. */
export function belongsToFramework(object: ObjectDefinition, name: string): boolean {
  return object.kind === "filter" && name === "enabled" && declarationOf(object, name) === enabled;
}

/** Whether chains skip this filter. */
export function isDisabled(object: ObjectDefinition): boolean {
  const { value } = object.set.get("enabled") ?? {};
  return belongsToFramework(object, "enabled") && value?.kind === "plain" && value.value === false;
}

/** Objects that this one refers to. */
export function objectsIn(object: ObjectDefinition): readonly ObjectDefinition[] {
  return [...object.set.values()].flatMap(({ value }) =>
    value.kind === "object" ? [value.object] : value.kind === "objects" ? value.objects : [],
  );
}

/** Where an object comes from; one that is there by itself is where the file first sets something of it. */
export function placeOf({ predefined, at, set }: ObjectDefinition): Position {
  const [first] = predefined ? set.values() : [];
  return first?.at ?? at;
}

export function secretProperty(object: ObjectDefinition, name: string): boolean {
  return isSecret(name, declarationOf(object, name));
}

/** The framework's own objects. */
export function frameworkObjects(): readonly ObjectDefinition[] {
  return [
    framework("securityManager", [
      { name: "realms", type: "list", kind: "realm", aliases: ["realm"] },
      { name: "authenticator.authenticationStrategy", type: "reference", kind: "authenticationStrategy" },
      { name: "authenticator.authenticationListeners", type: "list", kind: "authenticationListener" },
    ]),
    framework("filterChainResolver", [
      { name: "globalFilters", type: "list" },
      { name: "caseInsensitive", type: "boolean" },
    ]),
  ];
}

function framework(name: string, properties: readonly DeclaredProperty[]): ObjectDefinition {
  const declared = new Map(
    properties.flatMap((property) =>
      [property.name, ...(property.aliases ?? [])].map((known) => [known, property] as const),
    ),
  );
  return {
    name,
    kind: "framework",
    at: { line: 1, column: 1 },
    predefined: true,
    declared,
    set: new Map(),
    touched: true,
  };
}
