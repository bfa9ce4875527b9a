import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Bytes of a hash that are kept: enough that no two versions ever share a tag. */
const tagBytes = 12;

/** What the entity tag of a text is made of. */
export function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, tagBytes));
}

/**
 * An entity tag: the version, and which form of the entity it is, so that the XML and the JSON have different tags
 * while If-Match compares versions alone.
 */
export function entityTag(version: string, mediaType: string): string {
  return `"${version.replace(/[^!#-~]/g, "_")}.${mediaType.replace(/^.*\//, "")}"`;
}

/** The versions that an If-Match header names, the form cut off; `["*"]` for any. */
export function versionsOf(header: string): readonly string[] {
  if (header.trim() === "*") return ["*"];
  return (
    [...header.matchAll(/(W\/)?"([^"]*)"/g)]
      // If-Match compares strongly: a weak tag never matches (RFC 9110 §13.1.1).
      .filter(([, weak]) => weak === undefined)
      .map(([, , tag = ""]) => tag.replace(/\.[^.]*$/, ""))
  );
}

/** Whether an If-None-Match header names this tag (weak comparison, RFC 9110 §13.1.2). */
export function namesTag(header: string, tag: string): boolean {
  return header.trim() === "*" || [...header.matchAll(/"[^"]*"/g)].some(([found]) => found === tag);
}

/** Whether the versions of an If-Match header have this one. */
export function namesVersion(versions: readonly string[], version: string): boolean {
  const written = version.replace(/[^!#-~]/g, "_");
  return versions.some((named) => named === "*" || named === written);
}
