import { fromEpoch, toEpoch } from "../documents/date-time.ts";
import { attribute, dateTime, document, type Infer, int, list, long, object, text } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";
import { booleanParameter, intParameter, oneOfParameter, textParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import type { Row, SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";

const AuditLogEntry = object("AuditLogEntryType", {
  username: text(),
  runAs: text(),
  method: text(),
  path: text(),
  queryParameters: text(),
  matrixParameters: text(),
  contentType: text(),
  contentLength: long(),
  body: text(),
  status: int(),
  requestId: text(),
  timestamp: attribute(dateTime()),
});

/** Who asked for what. */
export const AuditLogDocument = document("AuditLogDocument", {
  count: long(),
  entry: list(AuditLogEntry).jsonEmptyList(),
});

/** Entries of a page at most. */
const mostEntries = 1000;

/** `GET /log`. */
export function auditRoutes({ store }: { readonly store: Store }): RouteTable {
  const route = routes();
  route.get(
    "/log",
    {
      summary: "Read the audit trail",
      role: "_administrator",
      query: {
        path: textParameter({ default: "/" }),
        wildcard: booleanParameter({ default: true }),
        first: intParameter({ default: 0, minimum: 0 }),
        rows: intParameter({ default: 100, minimum: 0, maximum: mostEntries }),
        starttime: textParameter(),
        endtime: textParameter(),
        username: textParameter(),
        method: textParameter(),
        performCount: booleanParameter({ default: false }),
        sort: oneOfParameter(["asc", "desc"], { default: "desc" }),
        body: booleanParameter({ default: true }),
      },
      output: AuditLogDocument,
    },
    async ({ query }) => {
      const conditions = ["true"];
      const args: SqlValue[] = [];
      const where = (condition: string, value: SqlValue) => {
        conditions.push(condition);
        args.push(value);
      };
      if (!query.wildcard) where("path = ?", query.path);
      else if (query.path !== "/") where("path like ? escape '\\'", pathPattern(query.path));
      if (query.username !== undefined) where("user_name = ?", query.username);
      if (query.method !== undefined) where("method = ?", query.method.toUpperCase());
      if (query.starttime !== undefined) where("time >= ?", momentOf("starttime", query.starttime));
      if (query.endtime !== undefined) where("time < ?", momentOf("endtime", query.endtime));
      const condition = conditions.join(" and ");
      const [entries, counts] = await store.readAll([
        {
          sql: `select * from audit where ${condition} order by time ${query.sort}, id ${query.sort} limit ? offset ?`,
          args: [...args, query.rows, query.first],
        },
        ...(query.performCount ? [{ sql: `select count(*) as n from audit where ${condition}`, args }] : []),
      ]);
      return {
        count: query.performCount ? Number(counts?.[0]?.n ?? 0) : undefined,
        entry: (entries ?? []).map((row) => auditEntryOf(row, query.body)),
      };
    },
  );
  return route;
}

function auditEntryOf(row: Row, withBody: boolean): Infer<typeof AuditLogEntry> {
  const textOf = (value: SqlValue | undefined) => (typeof value === "string" ? value : undefined);
  return {
    username: textOf(row.user_name),
    runAs: textOf(row.run_as),
    method: textOf(row.method),
    path: textOf(row.path),
    queryParameters: textOf(row.query),
    matrixParameters: textOf(row.matrix),
    contentType: textOf(row.content_type),
    contentLength: typeof row.content_length === "number" ? row.content_length : undefined,
    body: withBody ? textOf(row.body) : undefined,
    status: Number(row.status),
    requestId: textOf(row.request_id),
    timestamp: fromEpoch(Number(row.time)),
  };
}

/** A path and everything below it; `*` stands for any text. */
function pathPattern(path: string): string {
  return `${path.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%")}%`;
}

/** A date-time, or epoch milliseconds. */
function momentOf(name: string, text: string): number {
  const epoch = /^\d{1,15}$/.test(text) ? Number(text) : toEpoch(text);
  if (Number.isSafeInteger(epoch)) return epoch;
  throw new KinoraError("invalid-input", {
    context: name,
    value: text.slice(0, 100),
    explanation: `The parameter ${name} must be a date-time such as 2024-03-05T10:11:12Z`,
  });
}
