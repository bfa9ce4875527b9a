import type { FilterExchange } from "../../src/plugin/mod.ts";

/** Ports that a URL of the scheme does not name. */
const defaultPorts = { http: 80, https: 443 } as const;

/** Redirects to the same host, path and query on another port; 400 when the request does not name its host. */
export function redirectTo(exchange: FilterExchange, scheme: "http" | "https", port: number): Response {
  const host = hostName(exchange.header("host"));
  const origin = port === defaultPorts[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
  const target = origin + (exchange.rawTarget.startsWith("/") ? exchange.rawTarget : "/");
  if (host === undefined || !URL.canParse(target)) {
    return exchange.refuse(400, { message: "The request does not name its host" });
  }
  return new Response(null, { status: 302, headers: { Location: new URL(target).href } });
}

/** The host of a `Host` header without its port. */
function hostName(header: string | undefined): string | undefined {
  return /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/.exec(header ?? "")?.[1];
}

/** Reads a port from the words in brackets; without words it is the one given. */
export function portOf(words: readonly string[], otherwise: number): number {
  return words.length === 0 ? otherwise : Number(words[0]);
}

/** Says what is wrong with the words of a filter that takes one port. */
export function checkPortWords(words: readonly string[]): readonly string[] {
  if (words.length > 1) return [`Only one port can be named, not ${words.length}`];
  return words
    .filter((word) => !isPort(Number(word)) || !/^[0-9]+$/.test(word))
    .map((word) => `"${word}" is not a port`);
}

/** Whether a number is a port of TCP. */
export function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 65_535;
}
