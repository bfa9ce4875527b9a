import type { PasswordHasher } from "../../src/identity/password/password-hasher.ts";
import type { AuthenticationRequest } from "../../src/plugin/contract.ts";
import { migrate } from "../../src/store/migration.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { cheapHasher } from "./cheap-hashing.ts";
import { makeMigratedDatabase } from "./database.ts";

/** A store with its schema, a clock that tests move, and a hasher that costs little. */
export interface TestStore {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly clock: { now: number };
  /** A second instance on the same database. */
  another(): Promise<Store>;
  close(): Promise<void>;
}

export async function openTestStore(): Promise<TestStore> {
  const made = await makeMigratedDatabase();
  const clock = { now: Date.UTC(2026, 0, 2, 3, 4, 5) };
  const stores: Store[] = [];
  const open = async () => {
    const store = await openStore({
      database: await made.open(),
      now: () => clock.now,
    });
    stores.push(store);
    return store;
  };
  const store = await open();
  await migrate(store.database, { now: () => clock.now });
  return {
    store,
    hasher: cheapHasher(),
    clock,
    another: open,
    async close() {
      for (const each of stores) await each.close();
      await made.remove();
    },
  };
}

/** Circumstances that a realm is told. */
export const somewhere: AuthenticationRequest = {
  remoteAddress: "192.0.2.1",
  method: "GET",
  path: "/whoami",
  header: () => undefined,
};
