import { newPassword } from "../identity/secrets.ts";
import type { FlagDeclaration, Invocation } from "./command.ts";

/** How commands are told a password. Never as a word of the command line: other users of the machine can read that. */
export const passwordFlag: Readonly<Record<string, FlagDeclaration>> = {
  "generate-password": {
    description:
      "Make up a random password and print it once. Otherwise the password is asked for, or read from standard input.",
  },
};

/** The password that was asked for, read or made up. */
export async function passwordOf(
  { flags, terminal }: Invocation,
  name: string,
): Promise<{ readonly password: string; readonly generated: boolean }> {
  if (flags.has("generate-password")) return { password: newPassword(), generated: true };
  return { password: await terminal.readSecret(`Password for ${name}: `), generated: false };
}
