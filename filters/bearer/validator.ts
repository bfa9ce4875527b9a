import type { Health, PluginContext } from "../../src/plugin/mod.ts";
import { type ClaimRules, checkClaims } from "./claims.ts";
import { readCompactToken } from "./compact-token.ts";
import { type BearerConfiguration, type BearerMode, modeOf } from "./configuration.ts";
import { type KeySource, keptKeys, staticKeys } from "./key-source.ts";
import { askIntrospection, askValidationProvider } from "./provider.ts";
import { verifySignature } from "./signature.ts";
import { accountOf, type Verdict } from "./verdict.ts";

/** One way to validate tokens. */
export interface Validator {
  /** `undefined`: nothing is configured, and every token is refused. */
  readonly mode: BearerMode | undefined;
  validate(token: string): Promise<Verdict>;
  /** Rejects with everything that is wrong with the configuration and can be told without asking the provider. */
  check(): Promise<void>;
  start(): Promise<void>;
  /** Another configuration has taken its place. */
  stop(): void;
  health(): Health;
}

/** Verdicts on signed tokens are used again for this long, then the keys are asked again. */
const reuseMs = 60_000;

/** Makes the validator of a configuration. @throws AggregateError of `ConfigurationFault`s */
export function createValidator(configuration: BearerConfiguration, context: PluginContext): Validator {
  const chosen = modeOf(configuration);
  if ("faults" in chosen) throw new AggregateError(chosen.faults);
  const { mode } = chosen;
  const { federationMetadataURI = "", jwksURI = "" } = configuration;
  const signed = (source: KeySource) => ({ mode, ...signedTokens(configuration, context, source) });
  switch (mode) {
    case undefined:
      return refusing("no validation of bearer tokens is configured", { ok: true });
    case "static keys":
      return signed(staticKeys(configuration, context));
    case "federation metadata":
      return signed(keptKeys(configuration, federationMetadataURI, context));
    case "key set":
      return signed(keptKeys(configuration, jwksURI, context));
    case "validation provider":
      return { mode, ...always, validate: (token) => askValidationProvider(configuration, context, token) };
    case "introspection":
      return { mode, ...always, validate: (token) => askIntrospection(configuration, context, token) };
  }
}

type ValidatorOfMode = Omit<Validator, "mode">;

const always: Omit<ValidatorOfMode, "validate"> = {
  check: () => Promise.resolve(),
  start: () => Promise.resolve(),
  stop: () => undefined,
  health: () => ({ ok: true }),
};

/** A validator that accepts no token. */
export function refusing(refused: string, health: Health): Validator {
  return { ...always, mode: undefined, validate: () => Promise.resolve({ refused }), health: () => health };
}

function signedTokens(configuration: BearerConfiguration, context: PluginContext, source: KeySource): ValidatorOfMode {
  const { expectedAudience, expectedIssuer, tokenUser = "sub", requireExp = false } = configuration;
  const rules: ClaimRules = { expectedAudience, expectedIssuer, tokenUser, requireExp, requireSub: true };
  return {
    async validate(text) {
      const token = readCompactToken(text);
      if ("refused" in token) return token;
      // Cheap checks first: a token that its own claims rule out is not worth a signature, nor a fetch of keys.
      const checked = checkClaims(token.claims, rules, context.now());
      if ("refused" in checked) return checked;
      const keys = source.keys();
      let result = await verifySignature(token, keys, context.now());
      if ("refused" in result && result.mayBeNewer) {
        const newer = await source.newer();
        if (newer !== keys) result = await verifySignature(token, newer, context.now());
      }
      if ("refused" in result) return { refused: result.refused };
      const { userName, expires } = checked;
      const ends = [expires, result.signedBy.notAfter].filter((end) => end !== undefined);
      return { account: accountOf(userName, expires), usableUntil: Math.min(context.now() + reuseMs, ...ends) };
    },
    check: () => source.check(),
    start: () => source.start(),
    stop: () => source.stop(),
    health: () => source.health(),
  };
}
