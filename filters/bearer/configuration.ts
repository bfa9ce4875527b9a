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

/** The mode that a configuration is for, or what is wrong with it: one sentence each. */
export function modeOf(
  configuration: BearerConfiguration,
): { readonly mode: BearerMode | undefined } | { readonly faults: readonly string[] } {
  const { x509Certificate = [], publicKey = [], expectedAudience, clientId, clientSecret } = configuration;
  const stated: (BearerMode | false)[] = [
    x509Certificate.length + publicKey.length > 0 && "static keys",
    configuration.federationMetadataURI !== undefined && "federation metadata",
    configuration.jwksURI !== undefined && "key set",
    configuration.validationEndpoint !== undefined && "validation provider",
    configuration.introspectionEndpoint !== undefined && "introspection",
  ];
  const modes = stated.filter((mode) => mode !== false);
  const [mode] = modes;
  const faults: string[] = [];
  if (modes.length > 1) faults.push(`The bearer filter mixes ${modes.join(" and ")}; keep the properties of one`);
  const needsAudience = mode === "static keys" || mode === "federation metadata" || mode === "key set";
  if (needsAudience && !expectedAudience) {
    faults.push(`expectedAudience is needed with ${mode}: without it a token made for any other service would do`);
  }
  if (mode === "introspection" && (!clientId || !clientSecret)) {
    faults.push("introspectionEndpoint needs clientId and clientSecret");
  }
  for (const [name, value] of Object.entries(configuration)) {
    if (!/URI$|Endpoint$/.test(name) || value === undefined || isHttp(value)) continue;
    faults.push(`${name} is no http or https address`);
  }
  return faults.length > 0 ? { faults } : { mode };
}

function isHttp(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
