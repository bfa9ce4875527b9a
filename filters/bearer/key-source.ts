import type { Health, PluginContext } from "../../src/plugin/mod.ts";
import { type BearerConfiguration, ConfigurationFault } from "./configuration.ts";
import { fetchKeys, keysOf } from "./key-documents.ts";
import { KeyError, type VerificationKey } from "./public-key.ts";
import { isValidAt } from "./signature.ts";
import { keyFromCertificate, keyFromText } from "./static-keys.ts";

/** Where the keys of signed tokens come from. */
export interface KeySource {
  keys(): readonly VerificationKey[];
  /** Looks for keys that are newer than those of {@link keys}; the same array when there are none. */
  newer(): Promise<readonly VerificationKey[]>;
  /** Rejects with everything that is wrong with keys that are configured. */
  check(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
  health(): Health;
}

/** The keys of the properties. @throws AggregateError of a fault for each that is none, or too weak */
export function staticKeys(configuration: BearerConfiguration, { now, log }: PluginContext): KeySource {
  const { x509Certificate = [], publicKey = [] } = configuration;
  const faults: ConfigurationFault[] = [];
  const keysFrom = (
    property: "x509Certificate" | "publicKey",
    texts: readonly string[],
    read: typeof keyFromCertificate,
  ) =>
    texts.flatMap((text, i) => {
      try {
        return [read(text, texts.length === 1 ? property : `${property} ${i + 1}`)];
      } catch (error) {
        if (!(error instanceof KeyError)) throw error;
        faults.push(faultOf(property, error.message));
        return [];
      }
    });
  const keys = [
    ...keysFrom("x509Certificate", x509Certificate, keyFromCertificate),
    ...keysFrom("publicKey", publicKey, keyFromText),
  ];
  if (faults.length > 0) throw new AggregateError(faults);
  const ended = (): readonly string[] => keys.filter((key) => !isValidAt(key, now())).map(({ name }) => name);
  return {
    keys: () => keys,
    newer: () => Promise.resolve(keys),
    async check() {
      for (const key of keys) await imported(key);
    },
    start() {
      const names = ended();
      if (names.length > 0) log.warn("Certificates are out of their validity and verify no token", { names });
      return Promise.resolve();
    },
    stop: () => undefined,
    health: () => healthOf(keys, now()),
  };
}

/** Imports a key for each of its algorithms, which finds out about points that are on no curve and the like. */
async function imported(key: VerificationKey): Promise<void> {
  try {
    for (const algorithm of key.algorithms) await key.forAlgorithm(algorithm);
  } catch (error) {
    const [property = ""] = key.name.split(" ");
    throw faultOf(property, `${key.name} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function faultOf(property: string, message: string): ConfigurationFault {
  const what =
    property === "publicKey"
      ? "Write the key as Base64 of its SubjectPublicKeyInfo, what stands between the lines of a PEM file"
      : "Write the certificate as Base64 of its DER, what stands between the lines of a PEM file";
  return new ConfigurationFault(property, message, `${what}; RSA keys need 2048 bits`);
}

const secondsOfADay = 86_400;

/** The keys behind an address, fetched by one instance for all and kept fresh in the background. */
export function keptKeys(
  { federationMetadataInterval: everySeconds = secondsOfADay }: BearerConfiguration,
  url: string,
  context: PluginContext,
): KeySource {
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
    check: () => Promise.resolve(),
    start: () => document.ready(),
    stop: () => document.release(),
    health() {
      const { failure } = document;
      const { ok, message } = healthOf(keys(), context.now());
      const fetching = failure === undefined ? [] : [`Keys cannot be refreshed: ${failure}`];
      const told = [...fetching, ...(message === undefined ? [] : [message])].join("; ");
      return told === "" ? { ok } : { ok, message: told };
    },
  };
}

/** Tokens can be verified as long as one key can be used; the others are told of all the same. */
function healthOf(keys: readonly VerificationKey[], nowMs: number): Health {
  const ended = keys.filter((key) => !isValidAt(key, nowMs)).map(({ name }) => name);
  const ok = ended.length < keys.length;
  return ended.length === 0 ? { ok } : { ok, message: `Out of validity: ${ended.join(", ")}` };
}
