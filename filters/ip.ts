import { defineFilter } from "../src/plugin/mod.ts";
import { isInRanges, readRange } from "./parts/address.ts";

/**
 * `ip`: passes callers by the address of their connection; headers such as `X-Forwarded-For` do not count.
 *
 * An address in `deniedIps` is refused, then one in `authorizedIps` passes, all others are refused with 403.
 */
export default defineFilter({
  names: ["ip", "org.apache.shiro.web.filter.authz.IpFilter"],
  description: "Passes callers by the address of their connection",
  properties: {
    authorizedIps: { type: "list", description: "Addresses and CIDR ranges that pass" },
    deniedIps: {
      type: "list",
      description: "Addresses and CIDR ranges that are refused, before authorizedIps is looked at",
    },
  },
  predefined: "ip",
  create({ authorizedIps, deniedIps }) {
    const authorized = authorizedIps.map(readRange);
    const denied = deniedIps.map(readRange);
    return {
      checkWords(words) {
        if (words.length > 0) return ["The filter takes no words; set its properties authorizedIps and deniedIps"];
        return authorized.length === 0 ? ["Everyone would be refused: set its property authorizedIps"] : [];
      },
      handle(exchange) {
        const address = exchange.remoteAddress;
        const allowed = address !== undefined && !isInRanges(address, denied) && isInRanges(address, authorized);
        return allowed ? "next" : exchange.refuse(403, { message: "This path is closed to the address of the caller" });
      },
    };
  },
});
