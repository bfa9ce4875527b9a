import { platform } from "#platform";
import { KinoraError } from "../errors.ts";
import type { ChainExplanation } from "../security/explain.ts";
import type { Problem } from "../security/problem.ts";
import { findSecurityIni, type SecurityIni, securityIniPlaces } from "../service/instance-files.ts";
import { startProblemLine } from "../service/start-error.ts";
import type { Settings } from "../settings.ts";
import { type CheckedSecurity, checkSecurity } from "./check-security.ts";
import { type Command, CommandError, flagValue, type Invocation } from "./command.ts";
import { loadSettings } from "./load-settings.ts";

/** `kinora check [FILE]` */
export const command: Command = {
  positionals: "FILE",
  positionalCount: [0, 1],
  description:
    "Reads a security.ini (default: that of the instance) as the start would, with the plugins of the ext folder, and tells everything that is wrong in one run. Starts nothing and needs no database. The exit code is 1 when there is an error.",
  flags: {
    url: { value: "PATH", description: "Print the chain that a request for this path would take, and why." },
    method: { value: "METHOD", description: "The method of that request. Default: GET." },
    json: { description: "Print one JSON object." },
  },
  settings: ["instanceRoot", "extDir", "startTimeoutSeconds"],
  async run(invocation) {
    const settings = await loadSettings(invocation.settings);
    const ini = await iniOf(invocation.positionals[0], settings);
    const checked = await checkSecurity(ini.text, ini.source, settings);
    const explanation = explain(checked, invocation);
    const text = invocation.flags.has("json")
      ? `${JSON.stringify(asJson(ini, checked, explanation), null, 2)}\n`
      : asText(ini, checked, explanation);
    invocation.terminal.out(text);
    return checked.pipeline !== undefined && checked.extProblems.length === 0 ? 0 : 1;
  },
};

async function iniOf(path: string | undefined, settings: Settings): Promise<SecurityIni> {
  if (path === undefined) {
    const ini = await findSecurityIni(platform, settings);
    const places = securityIniPlaces(settings);
    return places.includes(ini.source) ? ini : { ...ini, source: `${ini.source} (no ${places.join(", no ")})` };
  }
  const text = await platform.readText?.(path);
  if (text === undefined) throw new CommandError(`There is no file ${path}`);
  return { text, source: path };
}

function explain({ pipeline }: CheckedSecurity, invocation: Invocation): ChainExplanation | string | undefined {
  const url = flagValue(invocation, "url");
  if (url === undefined) {
    if (invocation.flags.has("method")) throw new CommandError("--method says nothing without --url");
    return undefined;
  }
  if (pipeline === undefined) return "No chain can be told before the errors are mended";
  const method = (flagValue(invocation, "method") ?? "GET").toUpperCase();
  try {
    return pipeline.explain(url, method);
  } catch (error) {
    if (error instanceof KinoraError) return `${method} ${url}\n  refused with ${error.status}: ${error.message}`;
    throw error;
  }
}

function asText(
  ini: SecurityIni,
  { problems, extProblems }: CheckedSecurity,
  explanation: ChainExplanation | string | undefined,
): string {
  const errors = extProblems.length + problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length + extProblems.length - errors;
  const blocks = [
    ...extProblems.map(startProblemLine),
    ...problems.map(problemLines),
    `${ini.source}: ${counted(errors, "error")}, ${counted(warnings, "warning")}`,
    ...(explanation === undefined ? [] : [typeof explanation === "string" ? explanation : explanation.text.join("\n")]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function problemLines({ severity, source, line, column, text, message, fix }: Problem): string {
  const shown = text === "" ? [] : [text];
  return [`${source}:${line}:${column}: ${severity}: ${message}`, ...shown, fix].join("\n    ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function asJson(
  ini: SecurityIni,
  { pipeline, problems, extProblems }: CheckedSecurity,
  explanation: ChainExplanation | string | undefined,
): Record<string, unknown> {
  return {
    source: ini.source,
    ok: pipeline !== undefined && extProblems.length === 0,
    problems,
    ext: extProblems,
    ...(explanation === undefined ? {} : { explanation }),
  };
}
