import { integer, oneOf, path, paths, type SettingType, text, toggle, url } from "./setting-types.ts";

/** One setting: everything that the reader, the command line, its help and the table of the docs know of it. */
export interface SettingDeclaration<T = unknown> {
  readonly type: SettingType<T>;
  readonly default?: T;
  /** What the default is when it is not a constant. */
  readonly defaultText?: string;
  /** One sentence or more, for the help and for `docs/settings.md`. */
  readonly description: string;
  /** Never printed. */
  readonly secret?: true;
  readonly group: "service" | "storage" | "logging" | "limits";
}

const mebibyte = 1024 * 1024;
const longestTimeout = 86_400;

/**
 * Every setting of the service. The key is the name in `kinora.json`; the flag and the environment variable follow
 * from it: `instanceRoot`, `--instance-root`, `KINORA_INSTANCE_ROOT`.
 */
export const settingTable = {
  host: {
    group: "service",
    type: text(),
    default: "127.0.0.1",
    description: "The address to listen on. `0.0.0.0` or `::` for every interface.",
  },
  port: {
    group: "service",
    type: integer(0, 65_535),
    default: 8080,
    description: "The port to listen on. `0` takes a free one; the ready line names it.",
  },
  instanceRoot: {
    group: "service",
    type: path(),
    defaultText: "the working directory",
    description:
      "The folder of one installation: `kinora.json`, `security.ini` (in it or in its `config` folder), `lib/ext` and `data`.",
  },
  baseUrl: {
    group: "service",
    type: url("http", "https"),
    defaultText: "from the request",
    description: "The public base of absolute URIs in answers.",
  },
  schemaNamespace: {
    group: "service",
    type: text(/^[^\s<>"]+$/, "a URI"),
    default: "urn:kinora:schema:media-asset",
    description: "The XML namespace of the documents that are written.",
  },
  site: {
    group: "service",
    type: text(/^[A-Z][A-Z0-9]{0,15}$/, "1 to 16 capital letters and digits that begin with a letter"),
    default: "VX",
    description:
      "The site, the part of an identifier before the hyphen: `VX-17`. Never change it on a filled database.",
  },
  extDir: {
    group: "service",
    type: path(),
    defaultText: "`lib/ext` under the instance root",
    description: "The folder of a team's own plugins.",
  },
  adminPassword: {
    group: "service",
    type: text(),
    secret: true,
    defaultText: "a random one, printed once",
    description: "The password that the user `admin` gets on the first start.",
  },
  egress: {
    group: "service",
    type: oneOf("private", "public"),
    default: "private",
    description:
      "Where the service may connect to on behalf of callers. `public` refuses every address that is not public; link-local and cloud-metadata addresses are always refused.",
  },
  startTimeoutSeconds: {
    group: "service",
    type: integer(1, 600),
    default: 10,
    description: "How long a plugin may take to be created or started before the start fails and names it.",
  },
  drainTimeoutSeconds: {
    group: "service",
    type: integer(0, longestTimeout),
    default: 20,
    description: "How long requests under way may take to finish after SIGTERM or SIGINT.",
  },
  databaseUrl: {
    group: "storage",
    type: url("file", "libsql", "https", "http", "wss", "ws"),
    defaultText: "`file:` with `data/kinora.db` under the instance root",
    description:
      "An embedded libSQL file (`file:`), or a libSQL server or Turso (`libsql:`, `https:`, `http:`, `wss:`, `ws:`).",
  },
  databaseAuthToken: {
    group: "storage",
    type: text(),
    secret: true,
    description: "The token that the libSQL server asks for.",
  },
  mediaRoot: {
    group: "storage",
    type: path(),
    defaultText: "`media` beside the embedded database",
    description: "The folder in which the first storage is made on the first start.",
  },
  fileRoots: {
    group: "storage",
    type: paths(),
    default: [],
    description: "Folders that `file:` URIs of callers may name, beside the storages.",
  },
  logLevel: {
    group: "logging",
    type: oneOf("debug", "info", "warning", "error", "off"),
    default: "info",
    description: "The least severe level that is logged.",
  },
  logFormat: {
    group: "logging",
    type: oneOf("auto", "pretty", "json"),
    default: "auto",
    description: "`json` writes one JSON object a line, `pretty` lines for a person; `auto` is pretty on a terminal.",
  },
  accessLog: {
    group: "logging",
    type: toggle(),
    default: true,
    description: "Writes one line a request, of level `info`.",
  },
  maxBodyBytes: {
    group: "limits",
    type: integer(1024, 1024 * mebibyte),
    default: 16 * mebibyte,
    description: "The largest document that a request may carry. Streams of media have no limit.",
  },
  maxXmlDepth: {
    group: "limits",
    type: integer(8, 1024),
    default: 64,
    description: "The deepest nesting of elements in an XML document.",
  },
  maxXmlAttributes: {
    group: "limits",
    type: integer(1, 1_000_000),
    default: 10_000,
    description: "The most attributes of one XML document.",
  },
  maxXmlNodes: {
    group: "limits",
    type: integer(1, 100_000_000),
    default: 1_000_000,
    description: "The most elements, attributes and texts of one XML document.",
  },
  maxPageItems: {
    group: "limits",
    type: integer(1, 100_000),
    default: 1000,
    description: "The largest `number` of a page of items.",
  },
  maxPageEntries: {
    group: "limits",
    type: integer(1, 1_000_000),
    default: 10_000,
    description: "The largest `number` of a page of anything else.",
  },
  maxHeaderBytes: {
    group: "limits",
    type: integer(4096, mebibyte),
    default: 16_384,
    description:
      "The largest request line and header block together. Node only; other runtimes have a bound of their own.",
  },
  headerTimeoutSeconds: {
    group: "limits",
    type: integer(1, longestTimeout),
    default: 20,
    description: "How long a client may take to send the headers of a request.",
  },
  bodyTimeoutSeconds: {
    group: "limits",
    type: integer(1, longestTimeout),
    default: 30,
    description:
      "How long a body may stand still, or trickle with less than 1 KiB a second, before the connection is closed.",
  },
  keepAliveTimeoutSeconds: {
    group: "limits",
    type: integer(1, longestTimeout),
    default: 65,
    description: "How long an idle connection is kept. Longer than the idle time of a load balancer in front.",
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

/** The name of a setting, as in `kinora.json`. */
export type SettingName = keyof typeof settingTable;

type Value<D> = D extends { readonly type: SettingType<infer T> } ? T : never;

/** The value of every setting; those without a constant default may be absent. */
export type Settings = {
  readonly [K in SettingName]: (typeof settingTable)[K] extends { readonly default: unknown }
    ? Value<(typeof settingTable)[K]>
    : Value<(typeof settingTable)[K]> | undefined;
};

/** The names of all settings, in the order of the docs. */
export const settingNames = Object.keys(settingTable) as readonly SettingName[];

/** The declaration of a setting, its type forgotten. */
export function settingDeclaration(name: SettingName): SettingDeclaration {
  return settingTable[name];
}

/** `instanceRoot` → `KINORA_INSTANCE_ROOT`. */
export function environmentName(name: SettingName): string {
  return `KINORA_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `instanceRoot` → `--instance-root`. */
export function flagName(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The settings with their defaults, some of them replaced. What a program that embeds the service starts from. */
export function settingsWith(given: Partial<Settings> = {}): Settings {
  const defaults = settingNames.map((name) => [name, settingDeclaration(name).default]);
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...defaults, ...stated]) as unknown as Settings;
}
