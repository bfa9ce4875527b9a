import { SaxesParser, type SaxesTagNS } from "saxes";
import { forbiddenCharacterAt } from "./escape.ts";
import { invalidXml, type Place, placeOf } from "./xml-error.ts";

/** Bounds of one document. */
export interface XmlLimits {
  /** Deepest nesting of elements. Default 64. */
  readonly depth: number;
  /** Attributes in all. Default 10,000. */
  readonly attributes: number;
  /** Elements, attributes and texts in all. Default 1,000,000. */
  readonly nodes: number;
}

export const defaultXmlLimits: XmlLimits = { depth: 64, attributes: 10_000, nodes: 1_000_000 };

/** An attribute; `uri` is empty for one without a prefix. Namespace declarations are left out. */
export interface XmlAttribute {
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

/** What happens while a document is read. `place` asks for the place that was read last. */
export interface XmlHandler {
  open(local: string, uri: string, attributes: readonly XmlAttribute[], place: () => Place): void;
  /** Text and CDATA, in as many parts as the document has. Only inside the root. */
  text(text: string, place: () => Place): void;
  close(place: () => Place): void;
}

const xmlnsUri = "http://www.w3.org/2000/xmlns/";

/**
 * Reads a document as a stream of events. Well-formedness, namespaces and the limits are checked; nothing external is
 * ever read, and no entity but the five of XML is expanded.
 *
 * @throws KinoraError `invalid-xml` with line and column: not well-formed, cut off, a DTD, an entity that XML does not
 *   define, a limit passed. Errors that the handler throws pass through.
 */
export function parseXml(text: string, limits: XmlLimits, handler: XmlHandler): void {
  const lone = forbiddenCharacterAt(text);
  if (lone !== -1) throw invalidXml("The document has a character that XML does not allow", placeOf(text, lone));

  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: "1.0", forceXMLVersion: true });
  // The parser's own table inherits from Object.prototype, where `&constructor;` would be found.
  parser.ENTITIES = Object.assign(Object.create(null), { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" });

  const place = (): Place => ({ line: parser.line, column: Math.max(1, parser.column) });
  const refuse = (problem: string): never => {
    throw invalidXml(problem, place());
  };
  let depth = 0;
  let attributes = 0;
  let nodes = 0;
  const countNode = (): void => {
    if (++nodes > limits.nodes) refuse(`The document has more than ${limits.nodes} nodes`);
  };

  // Six handlers and no more, and errors caught as the parser throws them: with the seventh V8 turns the parser into a
  // dictionary, and reading takes five times as long.
  parser.on("doctype", () => refuse("The document has a document type declaration, which is not accepted"));
  parser.on("attribute", () => {
    countNode();
    if (++attributes > limits.attributes) refuse(`The document has more than ${limits.attributes} attributes`);
  });
  parser.on("opentag", (tag) => {
    countNode();
    if (++depth > limits.depth) refuse(`The elements are nested more than ${limits.depth} deep`);
    handler.open(tag.local, tag.uri, plainAttributes(tag), place);
  });
  parser.on("closetag", () => {
    depth--;
    handler.close(place);
  });
  const onText = (part: string): void => {
    countNode();
    if (depth > 0) handler.text(part, place);
  };
  parser.on("text", onText);
  parser.on("cdata", onText);
  try {
    parser.write(text).close();
  } catch (error) {
    if (!isOfParser(error)) throw error;
    refuse(`The document is not well-formed: ${error.message.replace(parserPlace, "").replace(/\.$/, "")}`);
  }
}

function plainAttributes(tag: SaxesTagNS): readonly XmlAttribute[] {
  const found: XmlAttribute[] = [];
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (attribute !== undefined && attribute.uri !== xmlnsUri) found.push(attribute);
  }
  return found;
}

/** The parser's errors begin with its own place. */
const parserPlace = /^\d+:\d+: /;

function isOfParser(error: unknown): error is Error {
  return error instanceof Error && parserPlace.test(error.message);
}
