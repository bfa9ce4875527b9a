import { document, type Infer, int, list, object, text } from "../documents/declare.ts";
import { type RouteTable, routes } from "./route-table.ts";

const LicenseNumber = object("LicenseNumberType", { allowed: text(), current: text() });

/** What runs here. Clients look for the component named `API`, and for a licence that is valid. */
export const VersionDocument = document("VersionDocument", {
  component: list(
    object("VersionComponentType", { name: text().required(), version: text().required(), siteId: text() }),
  ),
  systemInfo: object("SystemInfoType", { macaddress: list(text()).jsonEmptyList(), databaseSize: int() }),
  licenseInfo: object("LicenseInfoType", {
    licenseStatus: text(),
    licenseType: text(),
    storageNumber: LicenseNumber,
    userNumber: LicenseNumber,
    itemNumber: LicenseNumber,
    transcoderNumber: LicenseNumber,
    databaseSizeLimit: LicenseNumber,
  }),
});
export type Version = Infer<typeof VersionDocument>;

/** The level of the API that is implemented. */
export const apiLevel = "24.1.0";

/** `GET /version`. */
export function versionRoutes({ version, site }: { readonly version: string; readonly site?: string }): RouteTable {
  const table = routes();
  const answer: Version = {
    component: [
      { name: "API", version: apiLevel, siteId: site },
      { name: "Kinora", version },
    ],
    licenseInfo: { licenseStatus: "valid" },
  };

  table.get(
    "/version",
    {
      summary: "Read what runs here, in which version",
      role: "authenticated",
      output: VersionDocument,
      plain: ({ component = [] }) => component.map(({ name, version }) => `${name}\t${version}`),
      etag: true,
    },
    () => answer,
  );
  return table;
}
