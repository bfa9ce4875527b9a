import { defineFilter } from "../src/plugin/mod.ts";
import { afterScheme, isPreflight } from "./parts/authorization-header.ts";
import { SentBasic } from "./parts/basic-credentials.ts";
import { challengeOf } from "./parts/challenge.ts";
import { settle, unauthenticated, type WhenRejected } from "./parts/settle.ts";
import { checkMethodWords, methodIsExempt, warnMethodWords } from "./parts/words.ts";

/**
 * `authcBasic`: user name and password of HTTP Basic (RFC 7617), or the id and secret of an access key.
 *
 * Passes on a caller whom an earlier filter authenticated. `[permissive]` lets a request without Basic credentials go
 * on; wrong ones are 401 in any case. Methods in the brackets limit it to these methods.
 */
export default defineFilter({
  names: ["authcBasic", "org.apache.shiro.web.filter.authc.BasicHttpAuthenticationFilter"],
  description: "Authenticates by HTTP Basic; `[permissive]` lets requests without such credentials go on",
  properties: {
    applicationName: {
      type: "string",
      default: "application",
      description: "The realm text that the challenge shows to the user",
    },
    authcScheme: { type: "string", default: "Basic", description: "The scheme that the challenge names" },
    authzScheme: {
      type: "string",
      default: "Basic",
      description: "The scheme that the Authorization header must name",
    },
    allowPreFlightRequests: {
      type: "boolean",
      default: false,
      description: "Lets a browser's CORS preflight pass without credentials",
    },
  },
  predefined: "authcBasic",
  create({ applicationName, authcScheme, authzScheme, allowPreFlightRequests }) {
    const challenge = challengeOf(authcScheme, applicationName);
    const refuse: WhenRejected = (exchange) => unauthenticated(exchange, challenge);
    return {
      challenge,
      mayBePermissive: true,
      checkWords: checkMethodWords,
      warnWords: warnMethodWords,
      handle(exchange) {
        if (exchange.subject || methodIsExempt(exchange.words, exchange.method)) return "next";
        if (allowPreFlightRequests && isPreflight(exchange.method, (name) => exchange.header(name))) return "next";
        const payload = afterScheme(exchange.header("authorization"), authzScheme);
        if (payload === undefined) return exchange.permissive ? "next" : refuse(exchange);
        return settle(exchange, exchange.authenticate(new SentBasic(payload)), refuse);
      },
    };
  },
});
