import { KinoraError } from "../errors.ts";
import { decodeXml } from "../xml/decode.ts";
import { parseXml, type XmlAttribute, type XmlHandler } from "../xml/parse.ts";
import { invalidXml, inWords, type Place } from "../xml/xml-error.ts";
import type { AnyDocument, Infer } from "./declare.ts";
import { shown } from "./input-error.ts";
import { planOf, resolve } from "./plan.ts";
import { defaultReadOptions, type ReadOptions, requireSize } from "./read-options.ts";
import type { ObjectShape } from "./shape.ts";
import { type Fields, type Frame, rootFrame, skippedFrame } from "./xml-frames.ts";

/** The namespace that clients of the reference API send. */
const referenceNamespace = "http://xml.vidispine.com/schema/vidispine";

/**
 * Reads an XML document into the value its declaration describes. Elements may come in any order and in the configured
 * namespace, the reference's, or none.
 *
 * @param source bytes, whose encoding is found as `decodeXml` says, or text
 * @throws KinoraError `invalid-xml`, `unknown-element`, `invalid-value` or `invalid-input`, each with line and column;
 *   `too-large`
 */
export function readXml<D extends AnyDocument>(
  document: D,
  source: string | Uint8Array,
  options: Partial<ReadOptions> = {},
): Infer<D> {
  const settled = { ...defaultReadOptions, ...options };
  requireSize(source.length, settled.size);
  const text = typeof source === "string" ? source.replace(/^\ufeff/, "") : decodeXml(source, settled.charset);
  const reader = new Reader(document, settled);
  parseXml(text, settled, reader);
  return reader.value as Infer<D>;
}

class Reader implements XmlHandler {
  readonly #result: Fields = {};
  readonly #stack: Frame[] = [];
  readonly #document: AnyDocument;
  readonly #options: ReadOptions;

  /** What was read, once the root is closed. */
  get value(): unknown {
    return this.#result.root;
  }

  constructor(document: AnyDocument, options: ReadOptions) {
    this.#document = document;
    this.#options = options;
  }

  open(local: string, uri: string, attributes: readonly XmlAttribute[], place: () => Place): void {
    const parent = this.#stack.at(-1);
    if (!this.#accepts(uri) && parent !== skippedFrame) {
      throw invalidXml(`The element ${shown(local)} is in the namespace ${shown(uri)}, which is not known`, place());
    }
    this.#stack.push(
      parent === undefined ? this.#root(local, attributes, place) : parent.open(local, attributes, place),
    );
  }

  text(text: string, place: () => Place): void {
    this.#stack.at(-1)?.text(text, place);
  }

  close(place: () => Place): void {
    this.#stack.pop()?.close(place);
  }

  #accepts(uri: string): boolean {
    return uri === this.#options.namespace || uri === referenceNamespace || uri === "";
  }

  #root(local: string, attributes: readonly XmlAttribute[], place: () => Place): Frame {
    const { documentName, specification } = this.#document;
    if (local !== documentName && !this.#options.anyRoot) {
      throw new KinoraError("unknown-element", {
        explanation: `The root must be ${documentName}, not ${shown(local)} ${inWords(place())}`,
        value: local.slice(0, 100),
      });
    }
    const plan = planOf(resolve(specification.shape) as ObjectShape);
    return rootFrame(plan, documentName, attributes, place, this.#result);
  }
}
