import type { SqlValue } from "../../../store/database.ts";

/** A piece of SQL and its arguments, in the order of its question marks. */
export interface Fragment {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

/**
 * Puts SQL together: ``sql`select id from item where name = ${name} and ${condition}` ``. Fragments are inserted, all
 * else becomes an argument, so that no value is ever read as SQL.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Fragment | SqlValue)[]): Fragment {
  const args: SqlValue[] = [];
  let text = texts[0] ?? "";
  for (const [index, part] of parts.entries()) {
    if (isFragment(part)) {
      text += part.sql;
      args.push(...part.args);
    } else {
      text += "?";
      args.push(part);
    }
    text += texts[index + 1] ?? "";
  }
  return { sql: text, args };
}

/** SQL that is part of the program: names of tables and columns. */
export function raw(text: string): Fragment {
  return { sql: text, args: [] };
}

/** Fragments with something between; `otherwise` when there is none. */
export function joined(
  fragments: readonly Fragment[],
  separator: " and " | " or " | ", " | " + " | " ",
  otherwise: Fragment,
): Fragment {
  const [first, ...rest] = fragments;
  if (first === undefined) return otherwise;
  return {
    sql: [first, ...rest].map((fragment) => fragment.sql).join(separator),
    args: fragments.flatMap((fragment) => fragment.args),
  };
}

function isFragment(part: Fragment | SqlValue): part is Fragment {
  return typeof part === "object" && part !== null && "sql" in part;
}
