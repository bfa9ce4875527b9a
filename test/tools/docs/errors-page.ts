import { type ErrorEntry, errorTable } from "../../../src/errors.ts";
import { generatedNote } from "./table.ts";

/** `docs/errors.md`: one section for each error code. */
export function errorsPage(): string {
  const entries: [string, ErrorEntry][] = Object.entries(errorTable);
  const sections = entries.map(
    ([code, { status, child, sentence, help }]) => `## ${code}

**${status}**, \`${child}\` in an ExceptionDocument: ${sentence}.

${help}
`,
  );
  return `${generatedNote}

# Errors

Every error that an answer can carry, by its code. The code is the last part of \`type\` in \`application/problem+json\`;
an ExceptionDocument (XML, JSON) names it by its one child, with the details that the child has. Every answer has the
header \`X-Request-Id\`, under which the log has the request.

${sections.join("\n")}`;
}
