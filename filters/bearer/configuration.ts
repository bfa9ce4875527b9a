/** How bearer tokens are validated: the properties of the filter, or the OAuth2ConfigurationDocument in their place. */
export interface BearerConfiguration {
  readonly x509Certificate?: readonly string[] | undefined;
  readonly publicKey?: readonly string[] | undefined;
  readonly expectedAudience?: string | undefined;
  readonly expectedIssuer?: string | undefined;
  readonly tokenUser?: string | undefined;
  readonly federationMetadataURI?: string | undefined;
  readonly federationMetadataInterval?: number | undefined;
  readonly jwksURI?: string | undefined;
  readonly validationEndpoint?: string | undefined;
  readonly introspectionEndpoint?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly requireExp?: boolean | undefined;
}

/** The ways to validate; `undefined` when nothing is configured and no token is accepted. */
export type BearerMode = "static keys" | "federation metadata" | "key set" | "validation provider" | "introspection";

/** What is wrong with a configuration: at which property, and what to do. `security.ini` shows it at the line. */
export class ConfigurationFault extends Error {
  override readonly name = "ConfigurationFault";
  readonly property: string;
  readonly fix: string;

  constructor(property: string, message: string, fix: string) {
    super(message);
    this.property = property;
    this.fix = fix;
  }
}

/** The properties that choose a mode. */
const marks = {
  x509Certificate: "static keys",
  publicKey: "static keys",
  federationMetadataURI: "federation metadata",
  jwksURI: "key set",
  validationEndpoint: "validation provider",
  introspectionEndpoint: "introspection",
} as const satisfies Partial<Record<keyof BearerConfiguration, BearerMode>>;

type Mark = keyof typeof marks;

/** The modes whose tokens are verified by keys, and so must say for whom they were made. */
const verifying: ReadonlySet<BearerMode> = new Set(["static keys", "federation metadata", "key set"]);

/** The mode that a configuration is for, or everything that is wrong with it. */
export function modeOf(
  configuration: BearerConfiguration,
): { readonly mode: BearerMode | undefined } | { readonly faults: readonly ConfigurationFault[] } {
  const set = (Object.keys(marks) as Mark[]).filter((name) => isSet(configuration[name]));
  const [first] = set;
  const mode = first && marks[first];
  const faults: ConfigurationFault[] = [];
  const other = set.find((name) => marks[name] !== mode);
  if (other !== undefined) {
    const both = `${mode} (${first}) and ${marks[other]} (${other})`;
    faults.push(new ConfigurationFault(other, `The properties mix ${both}`, "Keep the properties of one mode"));
  }
  if (first !== undefined && mode !== undefined && verifying.has(mode) && !configuration.expectedAudience) {
    const why = "expectedAudience is missing: a token made for any other service would be accepted";
    faults.push(new ConfigurationFault(first, why, "Set expectedAudience to what the claim aud has for this service"));
  }
  if (mode === "introspection" && !(configuration.clientId && configuration.clientSecret)) {
    const why = "introspectionEndpoint needs clientId and clientSecret";
    faults.push(new ConfigurationFault("introspectionEndpoint", why, "Set both to what the provider gave"));
  }
  for (const name of set) {
    if (/URI$|Endpoint$/.test(name) && !isHttp(configuration[name])) {
      const fix = "Write the whole address, beginning with https://";
      faults.push(new ConfigurationFault(name, `${name} is no http or https address`, fix));
    }
  }
  const { federationMetadataInterval: interval } = configuration;
  if (interval !== undefined && interval < 1) {
    const why = "federationMetadataInterval is less than a second";
    faults.push(new ConfigurationFault("federationMetadataInterval", why, "Write seconds, for example 86400"));
  }
  return faults.length > 0 ? { faults } : { mode };
}

function isSet(value: BearerConfiguration[Mark]): boolean {
  return typeof value === "string" || (value !== undefined && value.length > 0);
}

function isHttp(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** What a configuration states itself, without what holds by default: the document that stands for the properties. */
export function statedIn(configuration: BearerConfiguration): BearerConfiguration {
  const chosen = modeOf(configuration);
  const fetches = "mode" in chosen && (chosen.mode === "federation metadata" || chosen.mode === "key set");
  const stated = Object.entries(configuration).filter(([name, value]) => {
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return false;
    return name !== "federationMetadataInterval" || fetches;
  });
  return Object.fromEntries(stated);
}
