import { platform } from "#platform";
import { leastOpenFiles, openFileLimit, openFilesWarning, readLimits } from "../../runtime/open-files.ts";
import { doubt, type Finding, ok, wrong } from "./finding.ts";

/** The process and the machine: open files, runtime, password hashing. */
export async function checkMachine(): Promise<readonly Finding[]> {
  return [openFiles(await readLimits()), runtime(), await passwordHashing()];
}

/** Judges the text of `/proc/self/limits`: empty when it cannot be read, `undefined` where there is none. */
export function openFiles(limits: string | undefined): Finding {
  const what = "Open files";
  if (limits === undefined) return ok(what, "The limit is looked at on Linux only");
  const limit = openFileLimit(limits);
  if (limit === undefined) {
    return doubt(what, "The limit cannot be read", `See to it that ulimit -n is at least ${leastOpenFiles}`);
  }
  const warning = openFilesWarning(limit);
  if (warning === undefined) return ok(what, `A process may open ${limit}`);
  const fix = `LimitNOFILE=${leastOpenFiles} in the systemd unit, or ulimit -n ${leastOpenFiles} before the start`;
  return wrong(what, warning, `Raise the limit: ${fix}`);
}

const leastNode = [20, 19] as const;

function runtime(): Finding {
  const what = "Runtime";
  const deno: unknown = Reflect.get(globalThis, "Deno");
  if (deno !== undefined) return ok(what, `Deno ${(deno as { version: { deno: string } }).version.deno}`);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const recent = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  return recent
    ? ok(what, `Node ${process.versions.node}`)
    : wrong(what, `Node ${process.versions.node} is too old`, `Install Node ${leastNode.join(".")} or later`);
}

async function passwordHashing(): Promise<Finding> {
  const { engine } = await platform.passwordHasher();
  return engine === "native"
    ? ok("Passwords", "Argon2id in native code")
    : doubt(
        "Passwords",
        `Argon2id in portable code (${engine}): each login that is not remembered takes about 30 times as long`,
        "Run npm install on this machine, and on Deno allow --allow-ffi",
      );
}
