import { document, text } from "../documents/declare.ts";
import { URIListDocument, uriLines } from "../documents/uri-list.ts";
import { KinoraError } from "../errors.ts";
import { textParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";

/** Another site and how it is reached. */
const SiteDefinitionDocument = document("SiteDefinitionDocument", {
  url: text(),
  username: text(),
  password: text(),
  syncPolicy: text(),
});

/** Other sites that assets are shared with. There are none: an installation stands by itself. */
export function siteRoutes(): RouteTable {
  const route = routes();

  route.get(
    "/site",
    {
      summary: "List other sites; there are none",
      role: "_site_read",
      query: { type: textParameter({ default: "all" }) },
      output: URIListDocument,
      plain: uriLines,
    },
    () => ({}),
  );

  route.get(
    "/site/{siteId}",
    { summary: "Read another site", role: "_site_read", output: SiteDefinitionDocument },
    ({ params }) => {
      throw new KinoraError("not-found", { type: "site", id: params.siteId });
    },
  );

  route.put(
    "/site/{siteId}",
    {
      summary: "Define another site (not offered)",
      role: "_administrator",
      input: SiteDefinitionDocument,
      output: SiteDefinitionDocument,
    },
    () => {
      throw new KinoraError("not-yet-implemented", { explanation: "An installation stands by itself" });
    },
  );

  return route;
}
