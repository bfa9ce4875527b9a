import { document, type Infer, int, list, text } from "./declare.ts";

/** Addresses, names or ids of entities of one kind. */
export const URIListDocument = document("URIListDocument", { hits: int(), uri: list(text()) });

/** The list as text, an entry a line. */
export function uriLines({ uri = [] }: Infer<typeof URIListDocument>): readonly string[] {
  return uri;
}
