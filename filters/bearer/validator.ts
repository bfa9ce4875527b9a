import type { Health, PluginContext } from "../../src/plugin/mod.ts";
import { type ClaimRules, checkClaims } from "./claims.ts";
import { readCompactToken } from "./compact-token.ts";
import { type BearerConfiguration, modeOf } from "./configuration.ts";
import { fetchKeys, keysOf } from "./key-documents.ts";
import { askIntrospection, askValidationProvider } from "./provider.ts";
import { KeyError, type VerificationKey } from "./public-key.ts";
import { verifySignature } from "./signature.ts";
import { keyFromCertificate, keyFromText } from "./static-keys.ts";

/** What came of a token. */
export type Verdict =
  | {
      readonly userName: string;
      /** Epoch milliseconds until which the verdict may be used again. */
      readonly usableUntil: number;
      /** Epoch milliseconds at which the token ends. */
      readonly expires: number | undefined;
    }
  | {
      readonly refused: string;
      readonly usableUntil?: number;
    };

/** One way to validate tokens. */
export interface Validator {
  validate(token: string): Promise<Verdict>;
  start(): Promise<void>;
  health(): Health;
}

/** Verdicts on signed tokens are used again for this long, then the keys are asked again. */
const reuseMs = 60_000;

/** Makes the validator of a configuration. Throws an error whose message names everything that is wrong with it. */
export function createValidator(configuration: BearerConfiguration, context: PluginContext): Validator {
  const chosen = modeOf(configuration);
  if ("faults" in chosen) throw new Error(chosen.faults.join("; "));
  switch (chosen.mode) {
    case undefined:
      return withoutConfiguration;
    case "static keys":
      return signedTokens(configuration, context, staticKeys(configuration, context));
    case "federation metadata":
      return signedTokens(
        configuration,
        context,
        keptKeys(configuration, configuration.federationMetadataURI, context),
      );
    case "key set":
      return signedTokens(configuration, context, keptKeys(configuration, configuration.jwksURI, context));
    case "validation provider":
      return askedTokens((token) => askValidationProvider(configuration, context, token));
    case "introspection":
      return askedTokens((token) => askIntrospection(configuration, context, token));
  }
}

const withoutConfiguration: Validator = {
  validate: () => Promise.resolve({ refused: "no validation of bearer tokens is configured" }),
  start: () => Promise.resolve(),
  health: () => ({ ok: true }),
};

/** Where the keys of signed tokens come from. */
interface KeySource {
  keys(): readonly VerificationKey[];
  /** Looks for keys that are newer than those of {@link keys}; the same array when there are none. */
  newer(): Promise<readonly VerificationKey[]>;
  start(): Promise<void>;
  health(): Health;
}

function signedTokens(configuration: BearerConfiguration, context: PluginContext, source: KeySource): Validator {
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
      if (result !== "good" && result.keyIdUnknown) {
        const newer = await source.newer();
        if (newer !== keys) result = await verifySignature(token, newer, context.now());
      }
      if (result !== "good") return { refused: result.refused };
      const { userName, expires } = checked;
      return { userName, expires, usableUntil: Math.min(context.now() + reuseMs, expires ?? Number.POSITIVE_INFINITY) };
    },
    start: () => source.start(),
    health: () => source.health(),
  };
}

function staticKeys({ x509Certificate = [], publicKey = [] }: BearerConfiguration, { now }: PluginContext): KeySource {
  const keys = [
    ...x509Certificate.map((text, i) => keyFromCertificate(text, `x509Certificate ${i + 1}`)),
    ...publicKey.map((text, i) => keyFromText(text, `publicKey ${i + 1}`)),
  ];
  return {
    keys: () => keys,
    newer: () => Promise.resolve(keys),
    // Imports each once, so that a weak key stops the start.
    start: async () => {
      for (const key of keys) for (const algorithm of key.algorithms) await key.forAlgorithm(algorithm);
    },
    health: () => {
      const ended = keys.filter(({ notAfter }) => notAfter !== undefined && notAfter < now()).map(({ name }) => name);
      return ended.length === 0 ? { ok: true } : { ok: false, message: `Out of validity: ${ended.join(", ")}` };
    },
  };
}

const secondsOfADay = 86_400;

function keptKeys(
  { federationMetadataInterval: everySeconds = secondsOfADay }: BearerConfiguration,
  url: string | undefined,
  context: PluginContext,
): KeySource {
  if (url === undefined) throw new KeyError("There is no address to take keys from");
  const document = context.shared.keep(`keys:${url}`, { everySeconds, load: () => fetchKeys(context.fetch, url) });
  let read: { readonly version: number; readonly keys: readonly VerificationKey[] } = { version: -1, keys: [] };
  const keys = (): readonly VerificationKey[] => {
    const { current } = document;
    if (current !== undefined && current.version !== read.version) {
      read = { version: current.version, keys: keysOf(current.value) };
    }
    return read.keys;
  };
  return {
    keys,
    newer: async () => {
      await document.refresh();
      return keys();
    },
    start: () => document.ready(),
    health: () => {
      const { failure } = document;
      return failure === undefined ? { ok: true } : { ok: false, message: `Keys cannot be refreshed: ${failure}` };
    },
  };
}

function askedTokens(ask: (token: string) => Promise<Verdict>): Validator {
  return { validate: ask, start: () => Promise.resolve(), health: () => ({ ok: true }) };
}
