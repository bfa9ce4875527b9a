import { defineFilter } from "../src/plugin/mod.ts";
import { afterScheme } from "./parts/authorization-header.ts";
import { challengeOf } from "./parts/challenge.ts";
import { unauthenticated } from "./parts/settle.ts";

/**
 * `oauth2Auth`: a bearer token (RFC 6750) of an OAuth 2.0 or OpenID Connect provider.
 *
 * No token is accepted by this version: `[permissive]` lets the request go on to the next filter, without it the
 * answer is 401 with a Bearer challenge.
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
      description: "Seconds after which the federation metadata is read again",
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
  create({ applicationName }) {
    const challenge = challengeOf("Bearer", applicationName);
    return {
      challenge,
      mayBePermissive: true,
      handle(exchange) {
        if (exchange.subject || exchange.permissive) return "next";
        const token = afterScheme(exchange.header("authorization"), "Bearer");
        return unauthenticated(exchange, token ? `${challenge}, error="invalid_token"` : challenge);
      },
    };
  },
});
