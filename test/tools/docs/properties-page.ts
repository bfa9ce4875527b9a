import { type PropertyName, properties } from "../../../src/operations/properties.ts";
import { generatedNote, table } from "./table.ts";

/** `docs/configuration-properties.md`: every configuration property. */
export function propertiesPage(): string {
  const names = Object.keys(properties) as readonly PropertyName[];
  const rows = names.map((name) => {
    const { kind, default: value, description } = properties[name];
    return [`\`${name}\``, kind.expected, `\`${value}\``, description];
  });
  return `${generatedNote}

# Configuration properties

An administrator sets properties while the service runs; every instance on the database follows within 5 seconds.
What a process needs to start is not among them, see [Settings](settings.md).

\`\`\`sh
curl -u admin:… localhost:8080/API/configuration/properties
curl -u admin:… -X PUT -H 'Content-Type: application/json' \\
  -d '{"key":"userTokenMaxInterval","value":"3600"}' localhost:8080/API/configuration/properties
curl -u admin:… -X DELETE localhost:8080/API/configuration/properties/userTokenMaxInterval   # back to the default
\`\`\`

A POST to the same path sets several, all or none. An unknown name or a value that does not fit is a 400, and nothing is
set.

${table(["Property", "Value", "Default", "Meaning"], rows)}
`;
}
