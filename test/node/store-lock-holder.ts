// A process that takes the write lock of a database file, says so, and lets go when it is told on its standard input.
import { createClient } from "@libsql/client/sqlite3";

const client = createClient({ url: process.argv[2] ?? "", timeout: 5000 });
const transaction = await client.transaction("write");
process.stdout.write("locked\n");
process.stdin.once("data", async () => {
  await transaction.commit();
  process.stdout.write("free\n");
  client.close();
  process.stdin.pause();
});
