import type { Command } from "./command.ts";
import { passwordFlag, passwordOf } from "./password.ts";
import { withUsers } from "./with-users.ts";

/** `kinora user password NAME` */
export const command: Command = {
  positionals: "NAME",
  positionalCount: [1, 1],
  description: "Gives a user a new password. Running servers ask for it within 5 seconds.",
  flags: passwordFlag,
  settings: ["instanceRoot", "databaseUrl", "databaseAuthToken"],
  run: (invocation) =>
    withUsers(invocation, async (administration) => {
      const [name = ""] = invocation.positionals;
      const { password, generated } = await passwordOf(invocation, name);
      await administration.setPassword(name, password);
      invocation.terminal.out(`The password of ${name} was changed${generated ? `: ${password}` : ""}\n`);
    }),
};
