import { missingPeers } from "../peers/programs.ts";
import { runtimes } from "../runtimes/runtimes.ts";
import { installTestTools } from "./install.ts";
import { sum, type Tally, tallyLine } from "./tally.ts";

interface Part {
  readonly title: string;
  run(filters: readonly string[]): Promise<Tally>;
}

// The checks are loaded when they run: they import the sources, whose packages may have been fetched only then.
const parts: Readonly<Record<string, Part>> = {
  checks: {
    title: "Checks: lint, format, types, unused code, generated docs",
    run: async () => (await import("./checks.ts")).runChecks(),
  },
  ...runtimes,
};
const usage = `usage: npm test -- [--only ${Object.keys(parts).join("|")}[,…]] [part of a test file's name …]`;

/**
 * Runs the checks and the tests on every runtime, and prints the sum as the last line. With `KINORA_TEST_PEERS=required`
 * a test that is skipped is a failure.
 *
 * @returns the exit code
 */
export async function runTests(args: readonly string[]): Promise<number> {
  const chosen = readArguments(args);
  if (chosen === undefined) {
    console.error(usage);
    return 1;
  }
  await installTestTools();
  const tallies: Tally[] = [];
  const lines: string[] = [];
  for (const name of chosen.parts) {
    const part = parts[name];
    if (part === undefined) continue;
    console.log(`\n=== ${part.title}`);
    const started = Date.now();
    const tally = strict(await part.run(chosen.filters));
    tallies.push(tally);
    lines.push(`${name.padEnd(8)} ${tallyLine(tally)} (${Math.round((Date.now() - started) / 1000)} s)`);
  }
  const total = sum(tallies);
  console.log(`\n=== Summary\n${lines.join("\n")}`);
  tellSkipped(total);
  console.log(tallyLine(total));
  return total.failed === 0 ? 0 : 1;
}

function readArguments(args: readonly string[]): { parts: readonly string[]; filters: readonly string[] } | undefined {
  const filters: string[] = [];
  const only: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--only") only.push(...(rest.shift() ?? "").split(","));
    else if (word.startsWith("--only=")) only.push(...word.slice("--only=".length).split(","));
    else if (word.startsWith("-")) return undefined;
    else filters.push(word);
  }
  if (only.some((name) => !Object.hasOwn(parts, name))) return undefined;
  const all = Object.keys(parts).filter((name) => filters.length === 0 || name !== "checks");
  return { parts: only.length > 0 ? only : all, filters };
}

/** Turns skips into failures where nothing may be skipped. */
function strict(tally: Tally): Tally {
  if (process.env.KINORA_TEST_PEERS !== "required" || tally.skipped.length === 0) return tally;
  console.error(`Not allowed to be skipped (KINORA_TEST_PEERS=required):\n  ${tally.skipped.join("\n  ")}`);
  return { passed: tally.passed, failed: tally.failed + tally.skipped.length, skipped: [] };
}

function tellSkipped(total: Tally): void {
  if (total.skipped.length === 0) return;
  const shown = 30;
  const more = total.skipped.length > shown ? [`… and ${total.skipped.length - shown} more`] : [];
  console.log(`Skipped:\n  ${[...total.skipped.slice(0, shown), ...more].join("\n  ")}`);
  if (missingPeers.length > 0) console.log(`Not installed here: ${missingPeers.join(", ")}`);
}
