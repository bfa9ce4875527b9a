import { dateTime, document, type Infer, text } from "./declare.ts";

/** The answer to what runs, or ran at once, as a job. */
export const JobDocument = document("JobDocument", {
  jobId: text().required(),
  user: text(),
  started: dateTime(),
  finished: dateTime(),
  status: text().required(),
  type: text().required(),
  priority: text(),
});
export type Job = Infer<typeof JobDocument>;
