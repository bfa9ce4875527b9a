import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Command, CommandError } from "./command.ts";
import { commentedSecurityIni } from "./commented-security-ini.ts";
import type { Terminal } from "./terminal.ts";

/** `kinora init [DIR]` */
export const command: Command = {
  positionals: "DIR",
  positionalCount: [0, 1],
  description:
    "Makes the folder of an instance (default: the working directory): config/security.ini with every default in it and commented, kinora.json, lib/ext for plugins, data. Files that are there already are left as they are.",
  flags: {
    force: { description: "Overwrite security.ini and kinora.json." },
  },
  settings: [],
  async run({ positionals, flags, terminal, settings }) {
    const root = positionals[0] ?? (typeof settings.instanceRoot === "string" ? settings.instanceRoot : ".");
    const force = flags.has("force");
    await makeFolder(root);
    for (const folder of ["config", "lib/ext", "data"]) await makeFolder(join(root, folder));
    await writeNew(join(root, "config/security.ini"), commentedSecurityIni, force, terminal);
    await writeNew(join(root, "kinora.json"), instanceSettings, force, terminal);
    const rootFlag = root === "." ? "" : ` --instance-root ${root}`;
    terminal.out(`\nStart the server with: kinora serve${rootFlag}\n`);
    return 0;
  },
};

const instanceSettings = `${JSON.stringify({ host: "127.0.0.1", port: 8080, logLevel: "info" }, null, 2)}\n`;

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "EEXIST" || code === "ENOTDIR" ? "a file is in its place" : (error as Error).message;
    throw new CommandError(`The folder ${path} cannot be made: ${reason}`);
  }
}

async function writeNew(path: string, text: string, force: boolean, terminal: Terminal): Promise<void> {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  if (there && !force) {
    terminal.out(`kept     ${path}\n`);
    return;
  }
  await writeFile(path, text);
  terminal.out(`${there ? "replaced" : "wrote   "} ${path}\n`);
}
