import type { PasswordCredentials, SentCredentials } from "../../src/plugin/mod.ts";

// A byte-order mark is part of a password like any other character.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The payload of a Basic header, not read yet. */
export class SentBasic implements SentCredentials {
  readonly scheme = "Basic";
  readonly text: string;

  constructor(payload: string) {
    this.text = payload;
  }

  read(): PasswordCredentials | undefined {
    return readBasic(this.text);
  }
}

/**
 * Reads the payload of a Basic header (RFC 7617): Base64 of UTF-8 text, user name and password parted by the first
 * colon, no colon is an empty password.
 *
 * @returns `undefined` for what is not Base64, not UTF-8, or has control characters
 */
function readBasic(payload: string): PasswordCredentials | undefined {
  const text = decode(payload);
  if (text === undefined) return undefined;
  const colon = text.indexOf(":");
  return colon < 0
    ? { kind: "password", userName: text, password: "" }
    : { kind: "password", userName: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decode(payload: string): string | undefined {
  // `atob` skips blanks inside, which no client writes and no other reader of the header would skip.
  if (payload === "" || payload.includes(" ") || payload.includes("\t")) return undefined;
  let bytes: string;
  try {
    bytes = atob(payload);
  } catch {
    return undefined; // not Base64: the caller refuses it like any wrong credentials
  }
  let ascii = true;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return undefined;
    if (code > 0x7f) ascii = false;
  }
  return ascii ? bytes : decodeUtf8(bytes);
}

function decodeUtf8(bytes: string): string | undefined {
  try {
    return utf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined; // not UTF-8: there is no telling which characters were meant
  }
}
