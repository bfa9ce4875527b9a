import { defineFilter } from "../src/plugin/mod.ts";
import { checkPortWords, isPort, portOf, redirectTo } from "./parts/redirect.ts";

/** `port[8080]`: passes requests that came to the port, redirects others to the same URL there. */
export default defineFilter({
  names: ["port", "org.apache.shiro.web.filter.authz.PortFilter"],
  description: "Redirects requests that did not come to a port to the same URL at this port",
  properties: { port: { type: "integer", default: 80, description: "The port when the brackets name none" } },
  predefined: "port",
  create({ port }) {
    if (!isPort(port)) throw new Error(`${port} is not a port`);
    return {
      checkWords: checkPortWords,
      handle(exchange) {
        const wanted = portOf(exchange.words, port);
        return exchange.port === wanted ? "next" : redirectTo(exchange, exchange.secure ? "https" : "http", wanted);
      },
    };
  },
});
