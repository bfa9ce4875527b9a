import type { AuthenticationResult, FilterExchange, FilterOutcome } from "../../src/plugin/mod.ts";

/** Seconds after which a caller may try again when a realm could not tell. */
const retryAfterSeconds = "5";

/** What a filter does with credentials that no realm accepts. */
export type WhenRejected = (exchange: FilterExchange) => FilterOutcome;

/** Asks the realms and turns their result into the outcome of a filter; makes no promise when the realms make none. */
export function settle(
  exchange: FilterExchange,
  result: AuthenticationResult | Promise<AuthenticationResult>,
  whenRejected: WhenRejected,
): FilterOutcome | Promise<FilterOutcome> {
  return "outcome" in result
    ? outcomeOf(exchange, result, whenRejected)
    : result.then((settled) => outcomeOf(exchange, settled, whenRejected));
}

function outcomeOf(exchange: FilterExchange, result: AuthenticationResult, whenRejected: WhenRejected): FilterOutcome {
  switch (result.outcome) {
    case "accepted":
      return "next";
    case "rejected":
      return whenRejected(exchange);
    case "unavailable":
      return exchange.refuse(503, {
        message: "A source of users cannot be reached at the moment",
        headers: { "Retry-After": retryAfterSeconds },
      });
    case "locked":
      return exchange.refuse(429, { headers: { "Retry-After": String(result.retryAfterSeconds) } });
  }
}

/** The refusal of a caller who must authenticate by the scheme of this filter. */
export function unauthenticated(exchange: FilterExchange, challenge: string): Response {
  return exchange.refuse(401, { headers: { "WWW-Authenticate": challenge } });
}
