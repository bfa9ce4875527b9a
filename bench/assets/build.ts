import type { MetadataValues } from "../../src/assets/documents/metadata-document.ts";
import { addPlaceholder } from "../../src/assets/items/create-item.ts";
import { type Archive, administrator } from "./archive.ts";
import { sampleItem } from "./sample-items.ts";

const batchSize = 200;

/** The metadata document of item number `index`. */
export function sampleDocument(index: number): MetadataValues {
  const field = Object.entries(sampleItem(index)).map(([name, values]) => ({
    name,
    value: values.map((value) => ({ value })),
  }));
  return { timespan: [{ start: "-INF", end: "+INF", field }] };
}

/**
 * Fills an archive up to a number of items, in batches through the domain layer. What is there already stays: items
 * come in order and batches are atomic, so a build that was interrupted goes on where it ended.
 */
export async function buildArchive({ store, environment }: Archive, items: number): Promise<void> {
  const [row] = await store.query({ sql: "select count(*) as items from item" });
  const present = Number(row?.items ?? 0);
  const since = performance.now();
  for (let from = present; from < items; from += batchSize) {
    const change = store.change({ userName: "admin" });
    const editor = { subject: administrator, change: () => change };
    const to = Math.min(items, from + batchSize);
    for (let index = from; index < to; index++) {
      await addPlaceholder(environment, editor, change, { metadata: sampleDocument(index) });
    }
    await change.commit();
    showProgress(to, items, (to - present) / ((performance.now() - since) / 1000));
  }
  if (present < items) process.stderr.write("\n");
}

const barWidth = 30;

function showProgress(done: number, all: number, perSecond: number): void {
  const filled = Math.floor((done / all) * barWidth);
  const bar = "#".repeat(filled) + ".".repeat(barWidth - filled);
  const left = Math.ceil((all - done) / perSecond);
  process.stderr.write(`\r[${bar}] ${done} of ${all} items, ${Math.round(perSecond)}/s, ${left} s left   `);
}
