import { defineFilter } from "../src/plugin/mod.ts";
import { pathProblem, type Traversal } from "./parts/request-text.ts";

/**
 * `invalidRequest`: answers 400 to paths that other programs read in more than one way. Stands in front of every chain
 * unless `filterChainResolver.globalFilters` says otherwise.
 *
 * The path is looked at as it was sent and as it was decoded.
 */
export default defineFilter({
  names: ["invalidRequest", "org.apache.shiro.web.filter.InvalidRequestFilter"],
  description: "Answers 400 to paths that other programs read in more than one way",
  properties: {
    blockSemicolon: { type: "boolean", default: true, description: "Refuses `;`, plain and encoded" },
    blockBackslash: { type: "boolean", default: true, description: "Refuses `\\`, plain and encoded" },
    blockNonAscii: { type: "boolean", default: true, description: "Refuses all but printable ASCII" },
    blockPathTraversal: {
      type: "string",
      values: ["NORMAL", "STRICT", "NO_BLOCK"],
      description: "NORMAL refuses dot segments, STRICT also encoded periods and slashes",
    },
    blockTraversal: { type: "boolean", description: "`true` is NORMAL, `false` is NO_BLOCK" },
    blockRewriteTraversal: { type: "boolean", description: "`true` is NORMAL, `false` is NO_BLOCK" },
    blockEncodedPeriod: { type: "boolean", description: "`true` is STRICT, `false` is NORMAL" },
    blockEncodedForwardSlash: { type: "boolean", description: "`true` is STRICT, `false` is NORMAL" },
  },
  predefined: "invalidRequest",
  global: true,
  create({ blockSemicolon, blockBackslash, blockNonAscii, ...modes }) {
    const traversal = strictest([
      modes.blockPathTraversal as Traversal | undefined,
      modeOf(modes.blockTraversal, "NORMAL", "NO_BLOCK"),
      modeOf(modes.blockRewriteTraversal, "NORMAL", "NO_BLOCK"),
      modeOf(modes.blockEncodedPeriod, "STRICT", "NORMAL"),
      modeOf(modes.blockEncodedForwardSlash, "STRICT", "NORMAL"),
    ]);
    const rules = { blockSemicolon, blockBackslash, blockNonAscii, traversal };
    const decodedProblem = (segments: readonly string[]) => pathProblem(`/${segments.join("/")}`, rules);
    return {
      handle(exchange) {
        const target = exchange.rawTarget;
        const query = target.indexOf("?");
        const raw = query < 0 ? target : target.slice(0, query);
        const problem = pathProblem(raw, rules) ?? (raw.includes("%") ? decodedProblem(exchange.segments) : undefined);
        return problem ? exchange.refuse(400, { message: `The path has ${problem}` }) : "next";
      },
    };
  },
});

function modeOf(value: boolean | undefined, whenTrue: Traversal, whenFalse: Traversal): Traversal | undefined {
  return value === undefined ? undefined : value ? whenTrue : whenFalse;
}

/** All five properties set one mode. When they disagree the strictest counts, so that their order cannot open a hole. */
function strictest(modes: readonly (Traversal | undefined)[]): Traversal {
  if (modes.includes("STRICT")) return "STRICT";
  if (modes.includes("NORMAL")) return "NORMAL";
  return modes.includes("NO_BLOCK") ? "NO_BLOCK" : "NORMAL";
}
