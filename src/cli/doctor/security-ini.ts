import { platform } from "#platform";
import { findSecurityIni } from "../../service/instance-files.ts";
import type { Settings } from "../../settings.ts";
import { checkSecurity } from "../check-security.ts";
import { doubt, type Finding, ok, wrong } from "./finding.ts";

/** `security.ini` and the plugins of the ext folder. */
export async function checkSecurityIni(settings: Settings): Promise<readonly Finding[]> {
  const what = "Security";
  const ini = await findSecurityIni(platform, settings);
  const { pipeline, problems, extProblems } = await checkSecurity(ini.text, ini.source, settings);
  const plugins = extProblems.map(({ place, message, fix }) => wrong(`Plugin ${place}`, message, fix));
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const explain = "kinora check explains them";
  if (pipeline === undefined) return [...plugins, wrong(what, `${ini.source} has ${errors} errors`, explain)];
  const warnings = problems.length - errors;
  if (warnings > 0) return [...plugins, doubt(what, `${ini.source} has ${warnings} warnings`, explain)];
  return [...plugins, ok(what, `${ini.source} is in order`)];
}
