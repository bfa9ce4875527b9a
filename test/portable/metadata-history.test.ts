import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MetadataValues } from "../../src/assets/documents/metadata-document.ts";
import {
  type ChangeSet,
  changeSetOf,
  currentPart,
  decodeChangeSet,
  encodeChangeSet,
} from "../../src/assets/metadata/change-set.ts";
import { difference } from "../../src/assets/metadata/difference.ts";
import { replay } from "../../src/assets/metadata/history.ts";
import { emptyMetadata, type Metadata, revisionOf } from "../../src/assets/metadata/model.ts";
import { project, put, texts } from "./metadata-scene.ts";

const value = fc.constantFrom("a", "b", "c");
const fieldUpdate = fc.record({
  name: fc.constantFrom("title", "news_keyword", "news_note"),
  value: fc.array(
    fc.record({
      value,
      mode: fc.constantFrom(undefined, undefined, "add" as const),
      lang: fc.constantFrom(undefined, "en"),
    }),
    { maxLength: 3 },
  ),
});
const groupUpdate = fc.record({
  name: fc.constantFrom("news_shot"),
  mode: fc.constantFrom(undefined, "remove" as const),
  field: fc.array(fieldUpdate, { maxLength: 2 }),
});
const update: fc.Arbitrary<MetadataValues> = fc.record({
  group: fc.constantFrom(undefined, undefined, ["Asset"], ["news_shot", "Asset"]),
  timespan: fc.array(
    fc.record({
      start: fc.constantFrom("-INF", "250@PAL", "10"),
      end: fc.constant("+INF"),
      field: fc.array(fieldUpdate, { maxLength: 3 }),
      group: fc.array(groupUpdate, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** Writes one after the other, keeping change sets as the database does: written out when they are superseded. */
function writeAll(updates: readonly MetadataValues[]): {
  states: readonly Metadata[];
  sets: () => readonly ChangeSet[];
} {
  const states: Metadata[] = [emptyMetadata];
  const written = new Map<number, string>();
  for (const document of updates) {
    const before = states.at(-1) as Metadata;
    const after = put(before, document);
    if (after === before || after.last === undefined) continue;
    const change = difference(before, after);
    for (const stamp of change.superseded) {
      if (!written.has(stamp.id)) written.set(stamp.id, encodeChangeSet(currentPart(before, stamp)));
    }
    if (change.gone.length > 0) written.set(after.last.id, encodeChangeSet(changeSetOf(after, after.last, change)));
    states.push(after);
  }
  const current = states.at(-1) as Metadata;
  const sets = () =>
    states.slice(1).map(({ last }) => {
      const stamp = last as NonNullable<typeof last>;
      const text = written.get(stamp.id);
      return text === undefined ? currentPart(current, stamp) : decodeChangeSet(text, stamp);
    });
  return { states, sets };
}

function sorted(metadata: Metadata): unknown {
  return { texts: [...texts(project(metadata))].sort(), groups: metadata.masterGroups?.names };
}

describe("the history of an entity", () => {
  it("gives back every state it had", () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 8 }), (updates) => {
        const { states, sets } = writeAll(updates);
        const all = sets();
        for (const [index, state] of states.entries()) {
          expect(sorted(replay(all.slice(0, index), state.nextEntry))).toEqual(sorted(state));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("keeps uuids and stamps of what a state had", () => {
    const first = put(emptyMetadata, { timespan: [{ field: [{ name: "title", value: [{ value: "a" }] }] }] });
    const second = put(first, { timespan: [{ field: [{ name: "title", value: [{ value: "b" }] }] }] });
    const { sets } = writeAll([
      { timespan: [{ field: [{ name: "title", value: [{ value: "a" }] }] }] },
      { timespan: [{ field: [{ name: "title", value: [{ value: "b" }] }] }] },
    ]);
    expect(project(replay(sets().slice(0, 1), second.nextEntry))).toEqual(project(first));
    expect(project(replay(sets(), second.nextEntry))).toEqual(project(second));
  });

  it("names the change sets that made what is current, and the newest", () => {
    const first = put(emptyMetadata, {
      timespan: [
        {
          field: [
            { name: "title", value: [{ value: "a" }] },
            { name: "news_note", value: [{ value: "n" }] },
          ],
        },
      ],
    });
    const second = put(first, { timespan: [{ field: [{ name: "title", value: [{ value: "b" }] }] }] });
    const third = put(second, { timespan: [{ field: [{ name: "title" }] }] });
    expect(revisionOf(second).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(revisionOf(third).map(({ sequence }) => sequence)).toEqual([1, 3]);
  });
});
