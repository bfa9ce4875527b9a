import { putMetadata } from "../../src/assets/metadata/put-metadata.ts";
import type { Database } from "../../src/store/database.ts";
import { type Archive, administrator } from "./archive.ts";
import { sampleDocument } from "./build.ts";
import type { Http } from "./http.ts";
import type { RecordingDatabase } from "./recording.ts";
import { randomNumbers, sampleWord } from "./sample-items.ts";
import { type Figure, figureOf, timed } from "./statistics.ts";

/** The service's way of writing, and the same statements written bare to a twin of the file. */
export interface WriteFigures {
  readonly name: string;
  readonly what: string;
  readonly ours: Figure;
  readonly sql: Figure;
}

/** One side writes through the service; what it wrote is then written to the twin, which so stays the same. */
export interface Twins {
  readonly archive: Archive;
  readonly http: Http;
  readonly database: RecordingDatabase;
  readonly twin: Database;
}

async function measure(
  { database, twin }: Twins,
  name: string,
  what: string,
  write: (run: number) => Promise<unknown>,
  runs: number,
): Promise<WriteFigures> {
  const ours: number[] = [];
  const bare: number[] = [];
  database.written();
  for (let run = 0; run < runs; run++) {
    const taken = await timed(() => write(run));
    let replayed = 0;
    for (const batch of database.written()) replayed += await timed(() => twin.batch(batch, "write"));
    // Some turns to warm up.
    if (run < 20) continue;
    ours.push(taken);
    bare.push(replayed);
  }
  return { name, what, ours: figureOf(ours), sql: figureOf(bare) };
}

/** Writes of metadata, and new items through the API. */
export async function measureWrites(twins: Twins, items: number, runs: number): Promise<readonly WriteFigures[]> {
  const random = randomNumbers(7);
  const { environment, edit, store } = twins.archive;
  const editor = { subject: administrator, change: () => store.change({ userName: "admin" }) };
  const value = (text: string) => [{ value: text }];
  const metadata = await measure(
    twins,
    "metadata write",
    "a title, two keywords and a status of one item",
    () => {
      const word = () => sampleWord(Math.floor(random() * 2000));
      const field = [
        { name: "title", value: value(`${word()} ${word()} ${word()}`) },
        { name: "arc_keyword", value: [...value(word()), ...value(word())] },
        { name: "arc_status", value: value(random() < 0.5 ? "draft" : "review") },
      ];
      const serial = 1 + Math.floor(random() * items);
      const document = { timespan: [{ start: "-INF", end: "+INF", field }] };
      return putMetadata(environment, edit, editor, { kind: "item", serial }, document);
    },
    runs,
  );
  const creation = await measure(
    twins,
    "creation",
    "a new item with 20 values, one request each",
    (run) => twins.http.create(JSON.stringify(sampleDocument(10_000_000 + run))),
    runs,
  );
  return [metadata, creation];
}
