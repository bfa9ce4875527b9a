import { KinoraError } from "../../errors.ts";
import { checkText } from "../../identity/names.ts";
import type { Shape } from "./shape.ts";

/** Most shapes of one item, components of one shape, tags and MIME types of one shape. */
export const mostShapes = 1000;
export const mostComponents = 1000;
export const mostTags = 100;
const mostMimeTypes = 100;

/** Characters of the name of a shape tag. */
const longestTag = 128;
const longestMimeType = 255;
const longestFileName = 255;

/** A type and a subtype, each of the characters that RFC 6838 allows; parameters are no part of it. */
const mimeTypePattern = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*$/;

function refuse(context: string, value: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, value: value.slice(0, 200), explanation });
}

function atMost(count: number, most: number, context: string, things: string): void {
  if (count > most) refuse(context, String(count), `There are at most ${most} ${things}`);
}

/** Refuses what cannot name a shape tag: nothing, more than 128 characters, control characters, `/`, `,` and blanks. */
export function checkTagName(name: string): void {
  if (!/^[^\s,/\p{Cc}]+$/u.test(name) || name.length > longestTag || name === "." || name === "..") {
    refuse("shape-tag", name, `The name of a shape tag has 1 to ${longestTag} characters, none of them blank, , or /`);
  }
  checkText(name, "shape-tag", longestTag);
}

/** Refuses what is no MIME type. @throws KinoraError `invalid-input` */
export function checkMimeType(type: string): void {
  if (type.length <= longestMimeType && mimeTypePattern.test(type)) return;
  refuse("mime-type", type, "A MIME type is a type and a subtype, such as video/mp4");
}

/** Refuses what cannot name a file on any storage. @throws KinoraError `invalid-input` */
export function checkFileName(name: string): void {
  checkText(name, "filename", longestFileName);
  if (name === "" || /[/\\\t\r\n]/.test(name) || name === "." || name === "..") {
    refuse("filename", name, `A file name has 1 to ${longestFileName} characters, and no slash or line end`);
  }
}

/** Refuses more components of one shape than are served well. @throws KinoraError `invalid-input` */
export function checkComponentCount(count: number): void {
  atMost(count, mostComponents, "component", "components of a shape");
}

/** Refuses more of anything than is served well. @throws KinoraError `invalid-input` */
export function checkShapes(shapes: readonly Shape[]): void {
  atMost(shapes.length, mostShapes, "shape", "shapes of an item");
  for (const { components, tags, mimeTypes } of shapes) {
    checkComponentCount(components.length);
    atMost(tags.length, mostTags, "tag", "tags of a shape");
    atMost(mimeTypes.length, mostMimeTypes, "mime-type", "MIME types of a shape");
  }
}
