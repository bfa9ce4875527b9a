import { KinoraError } from "../../errors.ts";
import type { Database, Row, Statement } from "../database.ts";
import type { Migration } from "./declaration.ts";

/** Duplicates that a message names; the rest is only counted. */
const mostListed = 1000;

const duplicates = {
  sql: `select x.type, x.value, x.entity, n.name as namespace
    from external_id x join external_id_namespace n on n.id = x.namespace
    where (select count(*) from external_id other where other.type = x.type and other.value = x.value) > 1
    order by x.type, x.value, x.entity, n.name`,
};

function line({ type, value, entity, namespace }: Row): string {
  return `${type}\t${value}\tnumber ${entity}\tnamespace ${namespace}`;
}

function refusal(rows: readonly Row[]): KinoraError {
  const identifiers = new Set(rows.map(({ type, value }) => `${type}\t${value}`));
  const listed = rows.slice(0, mostListed).map(line);
  const more = rows.length > mostListed ? `\nand ${rows.length - mostListed} more` : "";
  return new KinoraError("conflict", {
    context: "external-id",
    explanation:
      `External identifiers must be unique for each type of entity, and ${identifiers.size} are not. Remove all but ` +
      "one of each with DELETE /{type}/{id}/{identifier} on the version that made this database, then migrate again. " +
      `Nothing was changed. Type, identifier, entity and namespace of each:\n${listed.join("\n")}${more}`,
  });
}

/**
 * External identifiers become unique for each type of entity. What two namespaces allowed twice is listed and left for
 * a person to decide: the step refuses until it is removed. One that an entity has in two namespaces counts too.
 */
export const uniqueExternalIds: Migration = {
  id: 9,
  name: "unique external ids",
  async statements(database: Database): Promise<readonly Statement[]> {
    const { rows } = await database.query(duplicates);
    if (rows.length > 0) throw refusal(rows);
    return [
      {
        sql: `create table external_id_unique (
          type text not null,
          value text not null,
          namespace integer not null references external_id_namespace (id),
          entity integer not null,
          primary key (type, value)
        ) strict, without rowid`,
      },
      {
        sql: "insert into external_id_unique (type, value, namespace, entity) select type, value, namespace, entity from external_id",
      },
      { sql: "drop table external_id" },
      { sql: "alter table external_id_unique rename to external_id" },
      { sql: "create index external_id_entity on external_id (type, entity)" },
    ];
  },
};
