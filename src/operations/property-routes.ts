import { fromEpoch } from "../documents/date-time.ts";
import { dateTime, document, type Infer, list, text } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { nearestName } from "../nearest-name.ts";
import type { Change } from "../store/change.ts";
import type { Row } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { configurationVersion } from "./configuration.ts";
import { isPropertyName, type PropertyName, properties } from "./properties.ts";

export const ConfigurationPropertyDocument = document("ConfigurationPropertyDocument", {
  key: text().required(),
  value: text(),
  lastChange: dateTime().readOnly(),
});
type Property = Infer<typeof ConfigurationPropertyDocument>;

export const ConfigurationPropertyListDocument = document("ConfigurationPropertyListDocument", {
  property: list(ConfigurationPropertyDocument).jsonEmptyList(),
});

/** Who may read the configuration. */
export const configurationReaders = ["_administrator", "_configuration_read"] as const;

/** The properties: list, read, set one or several, set back to the default. */
export function propertyRoutes({ store }: { readonly store: Store }): RouteTable {
  const route = routes();
  const path = "/configuration/properties";
  const names = Object.keys(properties) as readonly PropertyName[];

  async function readAll(): Promise<readonly Property[]> {
    const rows = await store.query({ sql: "select key, value, changed from configuration_property" });
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return names.map((name) => propertyOf(name, byKey.get(name)));
  }

  async function readOne(key: string): Promise<Property> {
    const name = knownName(key);
    const [row] = await store.query({
      sql: "select key, value, changed from configuration_property where key = ?",
      args: [name],
    });
    return propertyOf(name, row);
  }

  async function write(change: Change, values: readonly Property[]): Promise<void> {
    for (const { key, value } of values) put(change, knownName(key, "invalid-input"), value, store.now());
    store.versions.bump(change, configurationVersion);
    await change.commit();
  }

  route.get(
    path,
    {
      summary: "List the configuration properties, those that are not set with their defaults",
      role: configurationReaders,
      output: ConfigurationPropertyListDocument,
    },
    async () => ({ property: await readAll() }),
  );

  route.put(
    path,
    {
      summary: "Set a configuration property",
      role: "_administrator",
      input: ConfigurationPropertyDocument,
      output: ConfigurationPropertyDocument,
    },
    async (request) => {
      await write(request.change(), [request.body]);
      return readOne(request.body.key);
    },
  );

  route.post(
    path,
    {
      summary: "Set several configuration properties, all or none",
      role: "_administrator",
      input: ConfigurationPropertyListDocument,
      output: ConfigurationPropertyListDocument,
    },
    async (request) => {
      await write(request.change(), request.body.property ?? []);
      return { property: await readAll() };
    },
  );

  route.get(
    "/configuration/properties/{key}",
    {
      summary: "Read a configuration property",
      role: configurationReaders,
      output: ConfigurationPropertyDocument,
      plain: ({ value }) => value ?? "",
    },
    ({ params }) => readOne(params.key),
  );

  route.delete(
    "/configuration/properties/{key}",
    { summary: "Set a configuration property back to its default", role: "_administrator", output: "none" },
    async (request) => {
      const change = request.change();
      change.add({ sql: "delete from configuration_property where key = ?", args: [knownName(request.params.key)] });
      store.versions.bump(change, configurationVersion);
      await change.commit();
    },
  );

  return route;
}

function propertyOf(name: PropertyName, row: Row | undefined): Property {
  const value = row === undefined ? String(properties[name].default) : String(row.value);
  return { key: name, value, lastChange: row === undefined ? undefined : fromEpoch(Number(row.changed)) };
}

function put(change: Change, name: PropertyName, value: string | undefined, now: number): void {
  const { kind } = properties[name];
  if (value === undefined || kind.parse(value) === undefined) {
    throw new KinoraError("invalid-value", {
      context: name,
      ...(value === undefined ? {} : { value: value.slice(0, 100) }),
      explanation: `The property ${name} must be ${kind.expected}`,
    });
  }
  change.add({
    sql: `insert into configuration_property (key, value, changed) values (?, ?, ?)
      on conflict (key) do update set value = excluded.value, changed = excluded.changed`,
    args: [name, value.trim(), now],
  });
}

function knownName(key: string, code: "not-found" | "invalid-input" = "not-found"): PropertyName {
  if (isPropertyName(key)) return key;
  const nearest = nearestName(key, Object.keys(properties));
  throw new KinoraError(code, {
    type: "property",
    id: key.slice(0, 100),
    context: "key",
    value: key.slice(0, 100),
    explanation: `There is no such property${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
  });
}
