import { defineFilter, type FilterExchange, type FilterOutcome, type PluginContext } from "../src/plugin/mod.ts";
import { type BearerConfiguration, statedIn } from "./bearer/configuration.ts";
import { documentName, validatorInUse } from "./bearer/in-use.ts";
import { createValidator } from "./bearer/validator.ts";
import type { Verdict } from "./bearer/verdict.ts";
import { createVerdicts } from "./bearer/verdicts.ts";
import { afterScheme } from "./parts/authorization-header.ts";
import { challengeOf } from "./parts/challenge.ts";
import { settle, unauthenticated } from "./parts/settle.ts";

/**
 * `oauth2Auth`: a bearer token (RFC 6750) of an OAuth 2.0 or OpenID Connect provider, verified by static keys, by keys
 * of federation metadata, a discovery document or a key set, or by asking the provider.
 *
 * Without any of these no token is accepted. A good token whose user does not exist or is disabled authenticates nobody.
 * `[permissive]` lets the request go on to the next filter without a token, or with one that is refused.
 */
export default defineFilter({
  names: ["oauth2Auth", "com.service.security.auth.BearerAuthenticationFilter"],
  description: "Authenticates by a bearer token of an OAuth 2.0 or OpenID Connect provider",
  properties: {
    applicationName: {
      type: "string",
      default: "application",
      description: "The realm text that the challenge shows to the user",
    },
    x509Certificate: { type: "list", description: "Base64 certificates whose keys verify tokens" },
    publicKey: { type: "list", description: "Base64 public keys that verify tokens" },
    expectedAudience: { type: "string", description: "What the claim aud must contain" },
    expectedIssuer: { type: "string", description: "What the claim iss must be" },
    tokenUser: { type: "string", description: "The claim that names the user; sub when it is not set" },
    federationMetadataURI: {
      type: "string",
      description: "Federation metadata, an OpenID discovery document or a JWKS from which keys are taken",
    },
    federationMetadataInterval: {
      type: "integer",
      default: 86_400,
      description: "Seconds after which the keys are fetched again",
    },
    jwksURI: { type: "string", description: "A JWKS from which keys are taken" },
    validationEndpoint: {
      type: "string",
      description: "A provider's endpoint that answers 200 to a good token, for example userinfo",
    },
    introspectionEndpoint: { type: "string", description: "A provider's RFC 7662 endpoint" },
    clientId: { type: "string", description: "The name of this service at the introspection endpoint" },
    clientSecret: {
      type: "string",
      secret: true,
      description: "The secret of this service at the introspection endpoint",
    },
    requireExp: { type: "boolean", default: false, description: "Refuses tokens without the claim exp" },
    allowConfigUpdate: {
      type: "boolean",
      default: true,
      description: "Whether an administrator may change the configuration through /configuration/auth",
    },
  },
  predefined: "oauth2Auth",
  async create({ applicationName, allowConfigUpdate, ...properties }, context) {
    const challenge = challengeOf("Bearer", applicationName);
    const own = createValidator(properties, context);
    await own.check();
    const current = validatorInUse(own, context);
    const verdicts = createVerdicts(context);

    function handle(exchange: FilterExchange): FilterOutcome | Promise<FilterOutcome> {
      if (exchange.subject) return "next";
      const token = afterScheme(exchange.header("authorization"), "Bearer");
      if (token === undefined) return exchange.permissive ? "next" : unauthenticated(exchange, challenge);
      const { validator, version, starting } = current();
      const verdict = verdicts.of(token, version, () =>
        starting === undefined ? validator.validate(token) : starting.then(() => validator.validate(token)),
      );
      return verdict instanceof Promise
        ? verdict.then((settled) => judge(exchange, settled))
        : judge(exchange, verdict);
    }

    function judge(exchange: FilterExchange, verdict: Verdict): FilterOutcome | Promise<FilterOutcome> {
      if ("refused" in verdict) return refuse(exchange, verdict.refused);
      return settle(exchange, exchange.establish(verdict.account, existing), refuseUser);
    }

    /** The one line in the log of a token that is refused. */
    function refuse(exchange: FilterExchange, reason: string): FilterOutcome {
      context.log.info("A bearer token is refused", { reason, from: exchange.remoteAddress });
      return exchange.permissive ? "next" : unauthenticated(exchange, `${challenge}, error="invalid_token"`);
    }

    function refuseUser(exchange: FilterExchange): FilterOutcome {
      return refuse(exchange, "the user does not exist or is disabled");
    }

    return {
      challenge,
      mayBePermissive: true,
      ...(own.mode === undefined ? {} : { authenticates: "bearer" as const }),
      handle,
      start: () => own.start(),
      health: () => current().validator.health(),
      configurable: {
        name: documentName,
        allowUpdate: allowConfigUpdate,
        configured: statedIn(properties),
        check: (document) => faultsOf(document as BearerConfiguration, context),
      },
    };
  },
});

const existing = { mustExist: true } as const;

/** Keys that have to be fetched are fetched when the document is in use; the provider may be away now. */
async function faultsOf(document: BearerConfiguration, context: PluginContext): Promise<readonly string[]> {
  try {
    const validator = createValidator(document, context);
    validator.stop();
    await validator.check();
    return [];
  } catch (error) {
    const faults: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    return faults.map((fault) => (fault instanceof Error ? fault.message : String(fault)));
  }
}
