import { roles } from "../../../src/identity/roles.ts";
import { generatedNote, table } from "./table.ts";

/** `docs/roles.md`: every role. */
export function rolesPage(): string {
  return `${generatedNote}

# Roles

A role is a special group: it is there from the first start on, can be neither created nor deleted, and depends on
nothing. It is given with \`PUT /group/{role}/user/{user}\`, in the \`groupList\` of a user, or to all members of a group by
making the group its child: \`PUT /group/{role}/group/{group}\`. [Users, groups and roles](identity.md) says more.

${table(
  ["Role", "What it allows"],
  roles.map(({ name, description }) => [`\`${name}\``, description]),
)}
`;
}
