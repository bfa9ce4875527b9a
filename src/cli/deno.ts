// The program on Deno: `deno run … src/cli/deno.ts serve`.
import process from "node:process";
import { main } from "./main.ts";

process.exitCode = await main(process.argv.slice(2));
