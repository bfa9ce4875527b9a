import { nearestName } from "../nearest-name.ts";
import { kinoraVersion } from "../version.ts";
import { parseArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { commandHelp, entry } from "./help.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** A command that is loaded when it is called. */
interface CommandEntry {
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

const commands: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: "Start the server", load: () => import("./serve.ts") },
  init: {
    summary: "Write a commented security.ini, kinora.json and the folders of an instance",
    load: () => import("./init.ts"),
  },
  check: { summary: "Explain a security.ini, and which chain a request gets", load: () => import("./check.ts") },
  migrate: { summary: "Bring the database to the present schema", load: () => import("./migrate.ts") },
  "user add": { summary: "Create a user", load: () => import("./user-add.ts") },
  "user password": { summary: "Give a user a new password", load: () => import("./user-password.ts") },
  "user role": { summary: "Give roles to a user, or take them", load: () => import("./user-role.ts") },
  doctor: { summary: "Look for what would keep the server from running well", load: () => import("./doctor.ts") },
};

/** Wrong words on the command line. */
const usageExitCode = 2;

/** Runs the command line and gives the exit code: 0 done, 1 the command failed, 2 the words were wrong. */
export async function main(args: readonly string[], terminal: Terminal = processTerminal): Promise<number> {
  const [first, second] = args;
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    terminal.out(overview());
    return first === undefined ? usageExitCode : 0;
  }
  if (first === "--version" || first === "-v") {
    terminal.out(`${kinoraVersion}\n`);
    return 0;
  }
  const name = Object.hasOwn(commands, `${first} ${second}`) ? `${first} ${second}` : first;
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) {
    terminal.error(unknownCommand(args));
    return usageExitCode;
  }
  const { command } = await found.load();
  return runCommand(name, command, args.slice(name.split(" ").length), terminal);
}

async function runCommand(
  name: string,
  command: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) {
    terminal.out(commandHelp(name, command));
    return 0;
  }
  const { problems, ...parsed } = parseArguments(words, command);
  if (problems.length > 0) {
    terminal.error(`${problems.join("\n")}\n\nkinora ${name} --help tells what there is\n`);
    return usageExitCode;
  }
  try {
    return await command.run({ ...parsed, terminal });
  } catch (error) {
    const { explain } = await import("./explain.ts");
    terminal.error(`${explain(error)}\n`);
    return 1;
  }
}

function overview(): string {
  const list = Object.entries(commands).map(([name, { summary }]) => entry(name, summary));
  return `Kinora ${kinoraVersion}, an open media asset service\n\nUsage: kinora COMMAND [flags]\n\n${list.join("\n")}\n\nkinora COMMAND --help tells the flags of a command.\n`;
}

function unknownCommand([first = "", second]: readonly string[]): string {
  const words = second === undefined || second.startsWith("-") ? first : `${first} ${second}`;
  const nearest = nearestName(words, Object.keys(commands)) ?? nearestName(first, Object.keys(commands));
  const hint = nearest === undefined ? "kinora --help lists all commands" : `did you mean kinora ${nearest}`;
  return `${JSON.stringify(isGroup(first) ? words : first)} is not a command; ${hint}\n`;
}

/** `user` stands only before another word. */
function isGroup(word: string): boolean {
  return Object.keys(commands).some((name) => name.startsWith(`${word} `));
}
