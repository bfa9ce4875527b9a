import type { Platform } from "../platform.ts";
import type { Plugin } from "../plugin/contract.ts";
import { loadExtPlugins } from "../plugin/loader.ts";
import type { PluginModule } from "../plugin/registry.ts";
import type { Settings } from "../settings.ts";
import { extFolder } from "./instance-files.ts";
import type { StartProblem } from "./start-error.ts";

/** The plugins of the instance's ext folder, and all that is wrong in it. */
export async function loadExt(
  { extModules }: Platform,
  settings: Settings,
  builtIn: readonly Plugin[],
): Promise<{ readonly modules: readonly PluginModule[]; readonly problems: readonly StartProblem[] }> {
  if (extModules === undefined) return { modules: [], problems: [] };
  const timeoutMs = settings.startTimeoutSeconds * 1000;
  const { modules, problems } = await loadExtPlugins(extModules, extFolder(settings), { builtIn, timeoutMs });
  return { modules, problems: problems.map(({ source, message, fix }) => ({ place: source, message, fix })) };
}
