import { DatabaseUnavailable } from "./faults.ts";

/** A connection on loan for one call. */
export interface Loan<Connection> {
  readonly connection: Connection;
  /** The connection is not lent to anybody else any more, and closed when the last loan of it has ended. */
  retire(): void;
  /** Ends the loan. */
  giveBack(): void;
}

/** The one connection that all calls share, replaced by a new one after a failure. */
export interface Connections<Connection> {
  /** @throws DatabaseUnavailable after `close`; or what opening throws */
  lend(): Loan<Connection>;
  /** Lends nothing more; the connection is closed when the last loan has ended. */
  close(): void;
}

/** One connection, and who uses it. */
interface Shared<Connection> {
  readonly connection: Connection;
  users: number;
  retired: boolean;
}

/** Opens the connection at the first loan, and again at the first loan after it broke. */
export function sharedConnection<Connection>(
  open: () => Connection,
  shut: (connection: Connection) => void,
): Connections<Connection> {
  let current: Shared<Connection> | undefined;
  let closed = false;

  function retire(shared: Shared<Connection>): void {
    shared.retired = true;
    if (current === shared) current = undefined;
  }

  return {
    lend() {
      if (closed) throw new DatabaseUnavailable("closed");
      current ??= { connection: open(), users: 0, retired: false };
      const shared = current;
      shared.users++;
      return {
        connection: shared.connection,
        retire: () => retire(shared),
        giveBack() {
          shared.users--;
          if (shared.retired && shared.users === 0) shut(shared.connection);
        },
      };
    },
    close() {
      closed = true;
      const shared = current;
      if (shared === undefined) return;
      retire(shared);
      if (shared.users === 0) shut(shared.connection);
    },
  };
}
