import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readSettings, settingProblemLine } from "../read-settings.ts";
import type { SettingName, Settings } from "../settings.ts";
import { CommandError } from "./command.ts";

/**
 * The settings in force: flags, environment, `kinora.json` of the instance root (of the working directory when there is
 * none), defaults. Throws a `CommandError` with a line for every wrong one.
 */
export async function loadSettings(
  flags: Readonly<Partial<Record<SettingName, string | boolean>>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Settings> {
  const folder = [flags.instanceRoot, environment.KINORA_INSTANCE_ROOT].find(
    (root): root is string => typeof root === "string" && root !== "",
  );
  const path = folder === undefined ? "kinora.json" : join(folder, "kinora.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  const outcome = readSettings({ flags, environment, ...(text === undefined ? {} : { file: { path, text } }) });
  if (outcome.settings !== undefined) return outcome.settings;
  throw new CommandError(["The settings are wrong:", ...outcome.problems.map(settingProblemLine)].join("\n  "));
}
