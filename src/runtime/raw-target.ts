const plainHost = /^[\w.~-]*(?::\d+)?$|^\[[0-9a-fA-F:.]+\](?::\d+)?$/;

/** The last host that was found to be one, and what URLs under it begin with: most requests name the same one. */
let known = { host: "", base: "\0" };

/**
 * Path and query of a request as they came. Deno and workerd put the Host header, unchecked, and the request target
 * together to the request's URL: only behind a host that is one can the target be told apart. `undefined` for any other
 * host.
 */
export function rawTarget(request: Request): string | undefined {
  const { url } = request;
  const host = request.headers.get("host");
  if (host === known.host && url.startsWith(known.base) && url.charCodeAt(known.base.length) === 0x2f) {
    return url.slice(known.base.length);
  }
  const authorityStart = url.indexOf("//") + 2;
  const start = url.indexOf("/", authorityStart);
  const end = start < 0 ? url.length : start;
  if (!plainHost.test(url.slice(authorityStart, end))) return undefined;
  if (host !== null && !plainHost.test(host)) return undefined;
  if (host !== null) known = { host, base: url.slice(0, end) };
  return start < 0 ? "/" : url.slice(start);
}
