import type { AnyDocument } from "../documents/declare.ts";
import { readJson } from "../documents/read-json.ts";
import type { ReadOptions } from "../documents/read-options.ts";
import { readXml } from "../documents/read-xml.ts";
import { KinoraError } from "../errors.ts";
import { decodeUtf8 } from "../xml/decode.ts";

type Header = (name: string) => string | undefined;

const none = new Uint8Array(0);

/**
 * The bytes of a body, or none when there is none.
 *
 * @throws KinoraError `too-large`: at once by Content-Length, else as soon as more has come than allowed
 */
export async function readBytes(request: Request, header: Header, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = header("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new KinoraError("unsupported-media-type", { explanation: "The body must have no Content-Encoding" });
  }
  const length = header("content-length");
  const declared = length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  if (declared === 0) return none;
  if (declared !== undefined && declared > limit) throw tooLarge(limit);
  try {
    // With a declared length the server ends the body there, and reading it whole is the fastest.
    const bytes = declared === undefined ? await collect(request.body, limit) : await wholeOf(request);
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  } catch (error) {
    if (error instanceof KinoraError) throw error;
    throw new KinoraError("invalid-input", { explanation: "The body ended before it was complete" }, { cause: error });
  }
}

async function wholeOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await request.arrayBuffer());
}

async function collect(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return none;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw tooLarge(limit);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function tooLarge(limit: number): KinoraError {
  return new KinoraError("too-large", { explanation: `The body is larger than ${limit} bytes (setting maxBodyBytes)` });
}

/** A media type without parameters in lower case, and its charset. */
interface ContentType {
  readonly mediaType: string;
  readonly charset: string | undefined;
}

function contentTypeOf(text: string): ContentType {
  const [mediaType = "", ...parameters] = text.split(";");
  const charset = /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i;
  const found = parameters.map((parameter) => charset.exec(parameter)?.[1]).find((name) => name !== undefined);
  return { mediaType: mediaType.trim().toLowerCase(), charset: found };
}

/** How a body is read. */
export interface BodyReading {
  readonly limits: Partial<ReadOptions>;
  readonly anyRoot: boolean;
}

/**
 * A document from a body, by its Content-Type.
 *
 * @throws KinoraError `unsupported-media-type`, and what the readers throw
 */
export function documentFrom(
  document: AnyDocument,
  bytes: Uint8Array,
  contentType: string | undefined,
  { limits, anyRoot }: BodyReading,
): unknown {
  const { mediaType, charset } = contentTypeOf(contentType ?? "");
  if (mediaType === "application/xml" || mediaType === "text/xml" || /^application\/[\w.-]+\+xml$/.test(mediaType)) {
    return readXml(document, bytes, { ...limits, anyRoot, charset });
  }
  if (mediaType === "application/json" || /^application\/[\w.-]+\+json$/.test(mediaType)) {
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw unsupported(contentType, "JSON in UTF-8");
    return readJson(document, bytes, limits);
  }
  throw unsupported(contentType, "application/xml or application/json");
}

/**
 * A text from a body.
 *
 * @throws KinoraError `unsupported-media-type`; `invalid-input` when it is not UTF-8
 */
export function textFrom(bytes: Uint8Array, contentType: string | undefined): string {
  const { mediaType, charset } = contentTypeOf(contentType ?? "text/plain");
  if (!mediaType.startsWith("text/")) throw unsupported(contentType, "text/plain");
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) throw unsupported(contentType, "text in UTF-8");
  return decodeUtf8(bytes, "invalid-input");
}

function unsupported(contentType: string | undefined, expected: string): KinoraError {
  const found = contentType === undefined ? "has no Content-Type" : `is ${contentType.slice(0, 100)}`;
  return new KinoraError("unsupported-media-type", { explanation: `The body ${found}; send ${expected}` });
}
