// `npm run check|format|lint|types|unused|docs|bench:…`: one task of development, its tools fetched when needed.
import { importTypeScript } from "./tools/import-typescript.js";

const { runTask } = await importTypeScript("./tasks.ts");
process.exitCode = await runTask(process.argv.slice(2));
