// `npm test`: checks and tests everything. Plain JavaScript, because nothing that reads TypeScript may be there yet.
import { importTypeScript } from "./tools/import-typescript.js";

const { runTests } = await importTypeScript("./run-tests.ts");
process.exitCode = await runTests(process.argv.slice(2));
