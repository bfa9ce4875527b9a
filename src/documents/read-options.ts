import { KinoraError } from "../errors.ts";
import { defaultXmlLimits, type XmlLimits } from "../xml/parse.ts";

/** How documents are read. */
export interface ReadOptions extends XmlLimits {
  /** The configured namespace, one of the three that are accepted. Default: Kinora's own. */
  readonly namespace: string;
  /** Largest document in bytes, or in UTF-16 units when it comes as text. Default 16 MiB. */
  readonly size: number;
  /** The root may have any name. Default `false`. */
  readonly anyRoot: boolean;
  /** The charset of the Content-Type, if it had one. */
  readonly charset: string | undefined;
}

export const defaultReadOptions: ReadOptions = {
  ...defaultXmlLimits,
  namespace: "urn:kinora:schema:media-asset",
  size: 16 * 1024 * 1024,
  anyRoot: false,
  charset: undefined,
};

/** Refuses a document beyond the size limit: 413. */
export function requireSize(length: number, limit: number): void {
  if (length > limit) throw new KinoraError("too-large", { explanation: `The document is larger than ${limit} bytes` });
}
