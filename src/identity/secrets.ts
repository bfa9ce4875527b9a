import { sha256 as noble } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const utf8 = new TextEncoder();
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** A new token: 256 random bits, Base64url without padding, 43 characters. */
export function newToken(): string {
  return base64(randomBytes(32)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Whether a text has the form of a token; anything else needs no look-up. */
export function looksLikeToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** A new access key's id: `KN` and 18 characters of `A–Z2–7`, 90 random bits. */
export function newAccessKeyId(): string {
  return `KN${Array.from(randomBytes(18), (byte) => base32[byte & 31]).join("")}`;
}

/** Whether a text has the form of an access key's id. */
export function looksLikeAccessKeyId(text: string): boolean {
  return /^KN[A-Z2-7]{18}$/.test(text);
}

/** A new access key's secret: 30 random bytes as 40 characters of Base64. */
export function newAccessKeySecret(): string {
  return base64(randomBytes(30));
}

/** A password for a person to copy: 20 characters of `A–Z2–7` in groups of five, 100 random bits. */
export function newPassword(): string {
  const characters = Array.from(randomBytes(20), (byte) => base32[byte & 31]).join("");
  return characters.match(/.{5}/g)?.join("-") ?? characters;
}

/**
 * SHA-256 of a text's UTF-8 bytes, in hexadecimal. For tokens and key secrets only: they are random, so that a fast
 * hash hides them; passwords are not. Computed at once: for so few bytes Web Crypto takes ten times as long.
 */
export function sha256(text: string): string {
  return bytesToHex(noble(utf8.encode(text)));
}
