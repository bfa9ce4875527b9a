/** How metadata of collections reaches items, as the membership of collections says. */
export interface InheritancePort {
  /**
   * For items the serials of the collections whose metadata reaches them, the nearest first; items in no collection may
   * be left out. Asked only when a field or group is defined that is inherited.
   */
  sources(items: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** The items in a collection and its sub-collections, in blocks. */
  members(collection: number): AsyncIterable<readonly number[]>;
}

/** Nothing is in a collection. */
export const noInheritance: InheritancePort = {
  sources: () => Promise.resolve(new Map()),
  async *members() {},
};
