import { type Command, CommandError } from "./command.ts";
import { withUsers } from "./with-users.ts";

/** `kinora user role NAME` */
export const command: Command = {
  positionals: "NAME",
  positionalCount: [1, 1],
  description:
    "Gives roles to a user and takes roles that were given to the user directly, then prints all roles that the user has, those through groups included.",
  flags: {
    give: { value: "ROLE", repeatable: true, description: "A role to give, for example _administrator." },
    take: { value: "ROLE", repeatable: true, description: "A role to take." },
  },
  settings: ["instanceRoot", "databaseUrl", "databaseAuthToken"],
  run: (invocation) =>
    withUsers(invocation, async (administration, users) => {
      const { flags, terminal } = invocation;
      const [name = ""] = invocation.positionals;
      for (const role of flags.get("give") ?? []) await administration.giveRole(name, role);
      for (const role of flags.get("take") ?? []) await administration.takeRole(name, role);
      const { state, roles } = await users.rolesOf(name);
      if (state === "unknown") throw new CommandError(`There is no user ${name}`);
      if (state === "disabled") terminal.out(`${name} is disabled and has no roles in force\n`);
      else terminal.out(roles.size === 0 ? `${name} has no roles\n` : `${[...roles].sort().join("\n")}\n`);
    }),
};
