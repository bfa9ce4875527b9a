import { defineFilter } from "../src/plugin/mod.ts";
import { afterScheme } from "./parts/authorization-header.ts";
import { challengeOf } from "./parts/challenge.ts";
import { settle, unauthenticated, type WhenRejected } from "./parts/settle.ts";

/**
 * `tokenAuth`: a time-limited token of this service, `Authorization: token <TOKEN>`.
 *
 * `[permissive]` lets a request without a token, or with one that is not valid, go on to the next filter; without it
 * both are 401.
 */
export default defineFilter({
  names: ["tokenAuth", "com.service.security.auth.TokenAuthenticationFilter"],
  description: "Authenticates by a token that this service has issued",
  properties: {
    applicationName: {
      type: "string",
      default: "application",
      description: "The realm text that the challenge shows to the user",
    },
  },
  predefined: "tokenAuth",
  essential: true,
  create({ applicationName }) {
    const challenge = challengeOf("token", applicationName);
    const refuse: WhenRejected = (exchange) => (exchange.permissive ? "next" : unauthenticated(exchange, challenge));
    return {
      challenge,
      mayBePermissive: true,
      handle(exchange) {
        if (exchange.subject) return "next";
        const token = afterScheme(exchange.header("authorization"), "token");
        if (!token) return refuse(exchange);
        return settle(exchange, exchange.authenticate({ kind: "token", token }), refuse);
      },
    };
  },
});
