const plainHost = /^[\w.~-]*(?::\d+)?$|^\[[0-9a-fA-F:.]+\](?::\d+)?$/;

/**
 * Path and query of a request as they came. Deno and workerd put the Host header, unchecked, and the request target
 * together to the request's URL: only behind a host that is one can the target be told apart. `undefined` for any other
 * host.
 */
export function rawTarget(request: Request): string | undefined {
  const { url } = request;
  const authorityStart = url.indexOf("//") + 2;
  const start = url.indexOf("/", authorityStart);
  const host = request.headers.get("host");
  if (!plainHost.test(url.slice(authorityStart, start < 0 ? undefined : start))) return undefined;
  if (host !== null && !plainHost.test(host)) return undefined;
  return start < 0 ? "/" : url.slice(start);
}
