import { type Command, flagValue } from "./command.ts";
import { passwordFlag, passwordOf } from "./password.ts";
import { withUsers } from "./with-users.ts";

/** `kinora user add NAME` */
export const command: Command = {
  positionals: "NAME",
  positionalCount: [1, 1],
  description: "Creates a user who can log in.",
  flags: {
    "real-name": { value: "TEXT", description: "The name of the person." },
    role: { value: "ROLE", repeatable: true, description: "A role to give, for example _administrator." },
    ...passwordFlag,
  },
  settings: ["instanceRoot", "databaseUrl", "databaseAuthToken"],
  run: (invocation) =>
    withUsers(invocation, async (administration) => {
      const [name = ""] = invocation.positionals;
      const realName = flagValue(invocation, "real-name");
      const { password, generated } = await passwordOf(invocation, name);
      await administration.add({
        name,
        password,
        roles: invocation.flags.get("role") ?? [],
        ...(realName === undefined ? {} : { realName }),
      });
      invocation.terminal.out(`The user ${name} was created${generated ? ` with the password ${password}` : ""}\n`);
    }),
};
