import { toEpoch } from "../../../documents/date-time.ts";
import { KinoraError } from "../../../errors.ts";
import { intParameter, textParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import { SearchHistoryListDocument } from "../documents/item-search-document.ts";
import type { SearchHistory } from "../search-history.ts";

/** The searches that users made for items and for collections. */
export function historyRoutes({ history }: { readonly history: SearchHistory }): RouteTable {
  const route = routes();
  for (const target of ["item", "collection"] as const) {
    route.get(
      `/${target}/history`,
      {
        summary: `List the searches for ${target}s that a user made last`,
        role: `_${target}_read`,
        query: {
          maxResults: intParameter({ default: 10, minimum: 1, maximum: 50 }),
          /** Only searches before this time. */
          start: textParameter(),
          /** Of another user: only for administrators. */
          username: textParameter(),
        },
        output: SearchHistoryListDocument,
      },
      ({ subject, query: { maxResults, start, username } }) => {
        const user = username ?? subject.userName;
        if (user !== subject.userName && !subject.hasRole("_administrator")) {
          throw new KinoraError("forbidden", {
            explanation: "Only an administrator may see the searches of others",
          });
        }
        const before = start === undefined ? undefined : toEpoch(start);
        if (Number.isNaN(before)) {
          throw new KinoraError("invalid-input", {
            context: "start",
            value: start?.slice(0, 100) ?? "",
            explanation: "The parameter start must be a date-time such as 2024-03-05T10:11:12Z",
          });
        }
        return history.list(target, user, { maxResults, ...(before === undefined ? {} : { before }) });
      },
    );
  }
  return route;
}
