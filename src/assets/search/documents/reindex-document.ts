import type { Infer } from "../../../documents/declare.ts";
import { dateTime, document, int, long, text } from "../../../documents/declare.ts";

/** A rebuilding of an index, and how far it is. */
export const ReindexRequestDocument = document("ReindexRequestDocument", {
  index: text().required(),
  priority: int().required(),
  status: text().required(),
  start: dateTime(),
  finish: dateTime(),
  indexesDone: long(),
  indexesTotal: long(),
});
export type ReindexRequest = Infer<typeof ReindexRequestDocument>;
