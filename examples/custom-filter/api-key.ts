import { defineFilter } from "kinora/plugin";

/** Lets programs in by a key in a header: `keyAuth.keys = reports:0a1b2c`. Stands in a chain as `keyAuth[permissive]`. */
export default defineFilter({
  names: ["ApiKeyFilter", "com.example.ApiKeyFilter"],
  properties: {
    keys: { type: "map", required: true, secret: true, description: "Keys by the name of the program" },
    header: { type: "string", default: "x-api-key", description: "The header that carries the key" },
  },
  create: ({ keys, header }, { constantTimeEqual }) => ({
    mayBePermissive: true,
    async handle(exchange) {
      if (exchange.subject) return "next";
      const shown = exchange.header(header.toLowerCase());
      const program = [...keys].find(([, key]) => constantTimeEqual(key, shown))?.[0];
      if (program === undefined) {
        return exchange.permissive ? "next" : exchange.refuse(401, { message: "The API key is missing or wrong" });
      }
      const result = await exchange.establish({ userName: program });
      return result.outcome === "accepted" ? "next" : exchange.refuse(401);
    },
  }),
});
