import { KinoraError } from "../errors.ts";
import { type Answer, responseOf } from "../http/answer.ts";
import { compilePattern, type LinearPattern } from "../pattern/linear-pattern.ts";
import type { CorsConfiguration } from "./cors-document.ts";

/** A request as far as CORS looks at it. */
export interface CorsRequest {
  readonly method: string;
  /** The canonical path. */
  readonly path: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
}

/** Headers by which browsers are told what pages of other origins may do. */
export interface CorsRules {
  /**
   * The answer to a preflight request (OPTIONS with `Origin` and `Access-Control-Request-Method`), before and without
   * any authentication; `undefined` for a request that is none, or that no entry matches.
   */
  preflight(request: CorsRequest): Response | undefined;
  /** Adds the headers of the entry that matches to an answer; the answer itself when none does. */
  decorate(request: CorsRequest, answer: Answer): Answer;
}

/** Longer headers and paths match nothing. */
const longestMatched = 8192;

interface Matcher {
  readonly origins: readonly string[];
  readonly originPatterns: readonly LinearPattern[];
  readonly pathPatterns: readonly LinearPattern[];
  readonly methods: readonly string[];
  readonly headers: readonly (readonly [name: string, value: LinearPattern])[];
}

interface Entry {
  readonly requests: readonly Matcher[];
  readonly response: Headers;
  readonly preflightOnly: readonly (readonly [name: string, value: string])[];
}

/**
 * Makes the rules of a document. The first entry that matches wins, further ones are not looked at. An entry matches
 * when one of its `request`s does, or when it has none. A `request` matches when everything that it names does: one of
 * `origin` and `originRegex`, one of `pathRegex`, one of `method`, and every `headerRegex`. Regular expressions match
 * the whole text in time linear in it. In a preflight the method is the one asked for, and a `headerRegex` needs its
 * header among the names asked for, whose values are not known yet.
 *
 * @throws KinoraError `invalid-input` or `invalid-value` for what cannot be used
 */
export function corsRules(configuration: CorsConfiguration): CorsRules {
  const entries = (configuration.entry ?? []).map(entryOf);

  function find(request: CorsRequest, method: string, isPreflight: boolean): Entry | undefined {
    const origin = request.header("origin");
    if (origin === undefined || origin.length > longestMatched || request.path.length > longestMatched)
      return undefined;
    return entries.find(
      ({ requests }) =>
        requests.length === 0 || requests.some((matcher) => matches(matcher, request, origin, method, isPreflight)),
    );
  }

  return {
    preflight(request) {
      const method = request.header("access-control-request-method");
      if (request.method !== "OPTIONS" || method === undefined) return undefined;
      const entry = find(request, method, true);
      if (entry === undefined) return undefined;
      const headers = new Headers(entry.response);
      for (const [name, value] of entry.preflightOnly) headers.set(name, value);
      headers.set("vary", "origin, access-control-request-method, access-control-request-headers");
      return new Response(null, { status: 204, headers });
    },

    decorate(request, answer) {
      const entry = find(request, request.method, false);
      if (entry === undefined) return answer;
      const response = responseOf(answer);
      // The headers of some responses cannot be changed.
      const headers = new Headers(response.headers);
      for (const [name, value] of entry.response) headers.set(name, value);
      const vary = response.headers.get("vary");
      headers.set("vary", vary === null ? "origin" : `${vary}, origin`);
      return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
    },
  };
}

function matches(
  matcher: Matcher,
  request: CorsRequest,
  origin: string,
  method: string,
  isPreflight: boolean,
): boolean {
  const { origins, originPatterns, pathPatterns, methods, headers } = matcher;
  const anyOrigin = origins.length === 0 && originPatterns.length === 0;
  if (!anyOrigin && !origins.includes(origin) && !originPatterns.some((pattern) => pattern.matches(origin)))
    return false;
  if (pathPatterns.length > 0 && !pathPatterns.some((pattern) => pattern.matches(request.path))) return false;
  if (methods.length > 0 && !methods.includes(method.toUpperCase())) return false;
  if (isPreflight) {
    const asked = (request.header("access-control-request-headers") ?? "").toLowerCase().split(/\s*,\s*/);
    return headers.every(([name]) => asked.includes(name));
  }
  return headers.every(([name, pattern]) => {
    const value = request.header(name);
    return value !== undefined && value.length <= longestMatched && pattern.matches(value);
  });
}

type DocumentEntry = NonNullable<CorsConfiguration["entry"]>[number];

/** Entries of a document, and requests of an entry. */
const mostEntries = 100;
/** Headers that belong to the answer itself. */
const reserved = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "set-cookie",
  "transfer-encoding",
  "upgrade",
]);
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Checks a document by making its rules. @throws KinoraError */
export function checkCors(configuration: CorsConfiguration): void {
  if ((configuration.entry ?? []).length > mostEntries) refuse("entry", `There can be at most ${mostEntries} entries`);
  corsRules(configuration);
}

function entryOf({ request = [], response }: DocumentEntry): Entry {
  if (request.length > mostEntries) refuse("request", `An entry can have at most ${mostEntries} requests`);
  const { allowOrigin, allowMethods = [], allowHeaders = [], allowMaxAge, allowOtherHeader = [] } = response;
  if (allowOrigin !== "*" && allowOrigin !== "null" && !isOrigin(allowOrigin)) {
    refuse("allowOrigin", "It must be *, null or an origin such as https://app.example.org");
  }
  for (const name of [...allowMethods, ...allowHeaders]) {
    if (!token.test(name)) refuse("response", `${JSON.stringify(name)} is no name of a method or header`);
  }
  if (allowMaxAge !== undefined && allowMaxAge < 0) refuse("allowMaxAge", "It is negative");
  const headers = new Headers({ "access-control-allow-origin": allowOrigin });
  for (const { key, value } of allowOtherHeader) {
    if (!token.test(key) || reserved.has(key.toLowerCase())) refuse("allowOtherHeader", `${key} cannot be set`);
    if (/[^\t\x20-\x7e]/.test(value)) refuse("allowOtherHeader", `The value of ${key} has illegal characters`);
    headers.set(key, value);
  }
  const preflightOnly: [string, string][] = [];
  if (allowMethods.length > 0) preflightOnly.push(["access-control-allow-methods", allowMethods.join(", ")]);
  if (allowHeaders.length > 0) preflightOnly.push(["access-control-allow-headers", allowHeaders.join(", ")]);
  if (allowMaxAge !== undefined) preflightOnly.push(["access-control-max-age", String(allowMaxAge)]);
  return { requests: request.map(matcherOf), response: headers, preflightOnly };
}

function matcherOf(request: NonNullable<DocumentEntry["request"]>[number]): Matcher {
  const { origin = [], originRegex = [], pathRegex = [], method = [], headerRegex = [] } = request;
  return {
    origins: origin,
    originPatterns: originRegex.map((pattern) => compilePattern(pattern)),
    pathPatterns: pathRegex.map((pattern) => compilePattern(pattern)),
    methods: method.map((name) => name.toUpperCase()),
    headers: headerRegex.map(({ key, value }) => [key.toLowerCase(), compilePattern(value)] as const),
  };
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function refuse(context: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, explanation });
}
