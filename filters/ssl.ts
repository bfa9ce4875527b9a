import { defineFilter } from "../src/plugin/mod.ts";
import { checkPortWords, isPort, portOf, redirectTo } from "./parts/redirect.ts";

/** `ssl` or `ssl[8443]`: passes encrypted requests that came to the port, redirects others there with https. */
export default defineFilter({
  names: ["ssl", "org.apache.shiro.web.filter.authz.SslFilter"],
  description: "Redirects requests that are not encrypted, or came to another port, to https at this port",
  properties: { port: { type: "integer", default: 443, description: "The port when the brackets name none" } },
  predefined: "ssl",
  create({ port }) {
    if (!isPort(port)) throw new Error(`${port} is not a port`);
    return {
      checkWords: (words) => [
        ...checkPortWords(words),
        ...words.filter((word) => word === "80").map(() => "Port 80 is for connections without encryption"),
      ],
      handle(exchange) {
        const wanted = portOf(exchange.words, port);
        return exchange.secure && exchange.port === wanted ? "next" : redirectTo(exchange, "https", wanted);
      },
    };
  },
});
