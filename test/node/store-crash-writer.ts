// A process that writes without end and says after each commit which number is committed. Its parent kills it.
import { KinoraError } from "../../src/errors.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { openStore } from "../../src/store/store.ts";

/** Rows of one change in each of the two tables. */
const rowsEach = 40;

const [url = "", synchronous] = process.argv.slice(2);
const database = await openEmbedded({ url, synchronous: synchronous === "full" ? "full" : "normal" });
const store = await openStore({ database });
for (;;) {
  const change = store.change({ userName: "writer" });
  const serial = await store.ids.nextSerial("change");
  for (let index = 0; index < rowsEach; index++) {
    change.add({ sql: "insert into left_side (change, row) values (?, ?)", args: [serial, index] });
    change.add({ sql: "insert into right_side (change, row) values (?, ?)", args: [serial, index] });
  }
  change.require({ sql: "select 1" }, new KinoraError("conflict"));
  change.record({ entity: "item", action: "CREATE", entityId: String(serial), keys: {} });
  await change.commit();
  process.stdout.write(`${serial}\n`);
}
