import type { Command } from "./command.ts";
import { checkDatabase } from "./doctor/database.ts";
import type { Finding } from "./doctor/finding.ts";
import { checkMachine } from "./doctor/machine.ts";
import { checkSecurityIni } from "./doctor/security-ini.ts";
import { loadSettings } from "./load-settings.ts";

/** `kinora doctor` */
export const command: Command = {
  description:
    "Looks for what would keep the server from running well: open files, runtime, password hashing, database (reachable, writable, schema), clock, security.ini and plugins. Changes nothing. The exit code is 1 when something must be mended.",
  flags: {
    json: { description: "Print one JSON array." },
  },
  settings: ["instanceRoot", "databaseUrl", "databaseAuthToken", "extDir"],
  async run({ flags, settings: given, terminal }) {
    const settings = await loadSettings(given);
    const findings = [
      ...(await checkMachine()),
      ...(await checkDatabase(settings)),
      ...(await checkSecurityIni(settings)),
    ];
    const ill = findings.some(({ state }) => state === "wrong");
    if (flags.has("json")) terminal.out(`${JSON.stringify(findings, null, 2)}\n`);
    else {
      terminal.out(findings.map(findingLines).join(""));
      terminal.out(ill ? "Something must be mended\n" : "Nothing keeps the server from running\n");
    }
    return ill ? 1 : 0;
  },
};

function findingLines({ state, what, message, fix }: Finding): string {
  const advice = fix === undefined ? "" : `${" ".repeat(7)}${fix}\n`;
  return `${state.padEnd(6)} ${what}: ${message}\n${advice}`;
}
