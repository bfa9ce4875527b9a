import type { Database } from "./database.ts";
import { DatabaseUnavailable } from "./faults.ts";

/** Numbers for new entities, from blocks that are reserved ahead. */
export interface Ids {
  /** A new id, for example `VX-17`. */
  next(entity: string): Promise<string>;
  /** So many new ids, ascending. */
  take(entity: string, count: number): Promise<readonly string[]>;
  /** A new number, for example 17. */
  nextSerial(entity: string): Promise<number>;
  /** So many new numbers, ascending. */
  takeSerials(entity: string, count: number): Promise<readonly number[]>;
  /** The id of a number. */
  format(serial: number): string;
  /** The number of an id; `undefined` for a text that is not an id of this site. */
  parse(id: string): number | undefined;
}

export interface IdOptions {
  readonly database: Database;
  /** What ids begin with. Default `VX`. */
  readonly site?: string;
  /** Numbers reserved at once for an entity. Those not used before a restart are lost. Default 64. */
  readonly blockSize?: (entity: string) => number;
  /** Given each reservation that no caller waits for. */
  readonly background: (work: Promise<void>) => void;
  readonly reservationFailed: (error: unknown) => void;
}

/** Numbers from `next` up to but without `end` are ours. */
interface Block {
  next: number;
  end: number;
  /** Reserved ahead, used when the block is empty. */
  spare?: Reservation | undefined;
  reserving?: Promise<void> | undefined;
}

interface Reservation {
  readonly next: number;
  readonly end: number;
}

/** More ids at once than any request makes. */
export const maximumIdsAtOnce = 1_000_000;

/** Hands out ids. Several instances on one database never get the same: each block is reserved there first. */
export function createIds(options: IdOptions): Ids {
  const { database, background, reservationFailed, site = "VX", blockSize = () => 64 } = options;
  const blocks = new Map<string, Block>();
  const pattern = new RegExp(`^${site.replace(/[^A-Za-z0-9]/g, "\\$&")}-([1-9][0-9]{0,15})$`);

  async function takeSerials(entity: string, count: number): Promise<readonly number[]> {
    if (!Number.isSafeInteger(count) || count < 0 || count > maximumIdsAtOnce) {
      throw new RangeError(`From 0 to ${maximumIdsAtOnce} ids can be taken at once`);
    }
    const block = blockOf(entity);
    const serials: number[] = [];
    for (;;) {
      while (serials.length < count && block.next < block.end) serials.push(block.next++);
      if (serials.length === count) break;
      if (block.spare !== undefined) useSpare(block);
      else await reserve(entity, block, count - serials.length);
    }
    reserveAhead(entity, block);
    return serials.sort((a, b) => a - b);
  }

  function blockOf(entity: string): Block {
    let block = blocks.get(entity);
    if (block === undefined) {
      block = { next: 1, end: 1 };
      blocks.set(entity, block);
    }
    return block;
  }

  function useSpare(block: Block): void {
    block.next = block.spare?.next ?? block.next;
    block.end = block.spare?.end ?? block.end;
    block.spare = undefined;
  }

  /** Callers that wait at the same moment share one reservation, except where nothing in flight may be shared. */
  async function reserve(entity: string, block: Block, wanted: number): Promise<void> {
    const size = Math.max(1, wanted, blockSize(entity));
    const work = async () => {
      const end = await raiseHighWater(database, entity, size);
      block.spare = { next: end - size, end };
    };
    if (database.isolated) return work();
    block.reserving ??= work().finally(() => {
      block.reserving = undefined;
    });
    await block.reserving;
  }

  /** Behind a network the next block is fetched before the present one ends, so that nobody waits for it. */
  function reserveAhead(entity: string, block: Block): void {
    const left = block.end - block.next;
    if (database.kind === "embedded" || database.isolated || block.spare !== undefined || block.reserving) return;
    if (left > blockSize(entity) / 4) return;
    background(reserve(entity, block, 0).catch(reservationFailed));
  }

  const format = (serial: number) => `${site}-${serial}`;
  return {
    takeSerials,
    format,
    async nextSerial(entity) {
      return (await takeSerials(entity, 1))[0] as number;
    },
    async next(entity) {
      return format((await takeSerials(entity, 1))[0] as number);
    },
    async take(entity, count) {
      return (await takeSerials(entity, count)).map(format);
    },
    parse(id) {
      const serial = Number(pattern.exec(id)?.[1]);
      return Number.isSafeInteger(serial) ? serial : undefined;
    },
  };
}

/** Reserves `size` numbers; answers the first number behind them. A reservation whose answer is lost is only a gap. */
async function raiseHighWater(database: Database, entity: string, size: number): Promise<number> {
  const statement = {
    sql:
      "insert into id_block (entity, next) values (?, 1 + ?) " +
      "on conflict (entity) do update set next = next + ? returning next",
    args: [entity, size, size],
  };
  const reserve = () => database.batch([statement], "write");
  const results = await reserve().catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable && error.reason === "lost") return reserve();
    throw error;
  });
  return Number(results[0]?.rows[0]?.next);
}
