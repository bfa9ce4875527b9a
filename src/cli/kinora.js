#!/usr/bin/env node
// The program `kinora`. Plain JavaScript: it runs before anything that reads TypeScript.
import { loadMain } from "./load-main.js";

const { main } = await loadMain();
process.exitCode = await main(process.argv.slice(2));
