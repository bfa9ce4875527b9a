import { defineFilter } from "../src/plugin/mod.ts";
import { afterScheme, isPreflight } from "./parts/authorization-header.ts";
import { challengeOf } from "./parts/challenge.ts";
import { settle, unauthenticated } from "./parts/settle.ts";
import { checkMethodWords, methodIsExempt, warnMethodWords } from "./parts/words.ts";

/**
 * `authcBearer`: hands a bearer token (RFC 6750) to the realms that accept one; for tokens of OAuth 2.0 and OpenID
 * Connect providers use `oauth2Auth`, which verifies them itself.
 *
 * `[permissive]` lets a request without a bearer token go on; a wrong one is 401 in any case. Methods in the brackets
 * limit it to these methods.
 */
export default defineFilter({
  names: ["authcBearer", "org.apache.shiro.web.filter.authc.BearerHttpAuthenticationFilter"],
  description: "Hands a bearer token to the realms that accept one",
  properties: {
    applicationName: {
      type: "string",
      default: "application",
      description: "The realm text that the challenge shows to the user",
    },
    authcScheme: { type: "string", default: "Bearer", description: "The scheme that the challenge names" },
    authzScheme: {
      type: "string",
      default: "Bearer",
      description: "The scheme that the Authorization header must name",
    },
    allowPreFlightRequests: {
      type: "boolean",
      default: false,
      description: "Lets a browser's CORS preflight pass without credentials",
    },
  },
  predefined: "authcBearer",
  create({ applicationName, authcScheme, authzScheme, allowPreFlightRequests }) {
    const challenge = challengeOf(authcScheme, applicationName);
    return {
      challenge,
      mayBePermissive: true,
      authenticates: "bearer",
      checkWords: checkMethodWords,
      warnWords: warnMethodWords,
      handle(exchange) {
        if (exchange.subject || methodIsExempt(exchange.words, exchange.method)) return "next";
        if (allowPreFlightRequests && isPreflight(exchange.method, (name) => exchange.header(name))) return "next";
        const token = afterScheme(exchange.header("authorization"), authzScheme);
        if (token === undefined) return exchange.permissive ? "next" : unauthenticated(exchange, challenge);
        if (token === "") return unauthenticated(exchange, challenge);
        const result = exchange.authenticate({ kind: "bearer", token });
        return settle(exchange, result, () => unauthenticated(exchange, challenge));
      },
    };
  },
});
