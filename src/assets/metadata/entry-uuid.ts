/**
 * UUIDs of metadata entries are computed, never stored: a version 8 UUID that holds the key of the entity and the number
 * of the entry in it, under a mask that is random in each database. So a UUID leads to its entity without an index, a
 * million items do not each keep forty UUIDs, and two databases never give the same one.
 */
export interface EntryUuids {
  /** The UUIDs of one entity's entries: make this once an entity, then call it for each entry. */
  of(entityKey: number): (entry: number) => string;
  /** Where a UUID leads; `undefined` for one that is not of this database. */
  find(uuid: string): EntryAddress | undefined;
}

/** An entry by entity and number. */
export interface EntryAddress {
  readonly entityKey: number;
  readonly entry: number;
}

const uuidPattern = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$/;

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Every byte in hexadecimal: an answer writes dozens of UUIDs. */
const bytes: readonly string[] = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));

function word(salt: string, from: number, digits: number): number {
  return Number.parseInt(salt.slice(from, from + digits), 16);
}

/**
 * Makes the UUIDs of one database.
 *
 * @param salt 32 hexadecimal digits, random, kept in the database.
 * @throws RangeError when the salt is not that.
 */
export function entryUuids(salt: string): EntryUuids {
  if (!/^[0-9a-f]{32}$/.test(salt)) throw new RangeError("The salt of entry UUIDs is 32 hexadecimal digits");
  const maskLow = word(salt, 0, 8);
  const maskHigh = word(salt, 8, 4);
  const maskTop = word(salt, 12, 3);
  const check = hex(0x8000 | (word(salt, 16, 4) & 0x3fff), 4);
  const checkTail = salt.slice(20, 24);
  const maskEntry = word(salt, 24, 8);
  return {
    of(entityKey) {
      const high = Math.floor(entityKey / 2 ** 32);
      const low = hex((entityKey ^ maskLow) >>> 0, 8);
      const middle = hex((high & 0xffff) ^ maskHigh, 4);
      const top = hex((high >>> 16) ^ maskTop, 3);
      const prefix = `${low}-${middle}-8${top}-${check}-${checkTail}`;
      return (entry) => {
        const masked = entry ^ maskEntry;
        return (
          prefix +
          (bytes[masked >>> 24] as string) +
          (bytes[(masked >>> 16) & 255] as string) +
          (bytes[(masked >>> 8) & 255] as string) +
          (bytes[masked & 255] as string)
        );
      };
    },
    find(uuid) {
      const match = uuidPattern.exec(uuid.toLowerCase());
      if (match === null || match[4] !== check || match[5] !== checkTail) return undefined;
      const part = (index: number) => Number.parseInt(match[index] ?? "", 16);
      const low = (part(1) ^ maskLow) >>> 0;
      const high = ((part(3) ^ maskTop) << 16) | (part(2) ^ maskHigh);
      const entityKey = high * 2 ** 32 + low;
      return Number.isSafeInteger(entityKey) ? { entityKey, entry: (part(6) ^ maskEntry) >>> 0 } : undefined;
    },
  };
}
