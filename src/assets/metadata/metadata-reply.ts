import { type Reply, reply, replyAs } from "../../http/reply.ts";
import { type MetadataValues, TerseMetadataDocument } from "../documents/metadata-document.ts";
import type { ShownMetadata } from "./metadata-documents.ts";
import { toTerse } from "./projection/terse.ts";

/** The answer with the metadata of one entity as a document of its own, in full or terse. */
export function metadataReply(shown: ShownMetadata | undefined, terse: boolean): Reply<MetadataValues> {
  const { document = {}, version } = shown ?? {};
  const options = version === undefined ? {} : { etag: version };
  return terse ? replyAs(TerseMetadataDocument, { fields: toTerse(document) }, options) : reply(document, options);
}
