/** How one request to a provider is made. */
export interface FetchTextOptions {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Larger answers are not read to their end. Bytes. */
  readonly maximumBytes: number;
}

/** A provider gets this long for its whole answer. */
const timeoutMs = 5000;

/** The body of a 200 answer. Rejects for any other status, for a redirect, a slow or a large answer. */
export async function fetchText(fetcher: typeof fetch, url: string, options: FetchTextOptions): Promise<string> {
  const { method = "GET", headers = {}, body, maximumBytes } = options;
  const late = new AbortController();
  // Not AbortSignal.timeout: its timer stays until it has run out, and Workers bound how many there may be.
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    const response = await fetcher(url, {
      method,
      headers,
      redirect: "manual",
      signal: late.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`${new URL(url).host} answered ${response.status || "with a redirect"}`);
    }
    return await readBounded(response, maximumBytes);
  } finally {
    clearTimeout(timer);
  }
}

async function readBounded(response: Response, maximumBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > maximumBytes) {
      await reader?.cancel();
      throw new Error(`The answer is larger than ${maximumBytes} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
