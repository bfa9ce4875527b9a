import { document, int, list, text } from "./declare.ts";

/** Addresses, names or ids of entities of one kind. */
export const URIListDocument = document("URIListDocument", { hits: int(), uri: list(text()) });
