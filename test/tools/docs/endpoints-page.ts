import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, type Service } from "../../../src/mod.ts";
import { plannedEndpoints } from "../../../src/operations/planned-endpoints.ts";
import { catalogue } from "../../specification/catalogue.ts";
import { generatedNote, table } from "./table.ts";

/** Paths of the reference that are left out on purpose, by what they begin with, with the reason. */
const leftOut: readonly (readonly [begin: string, reason: string])[] = [
  ["/resource", "transcoders and other resources are plugins here, and directories are realms"],
  ["/projection", "documents are given as XML and JSON; XSLT stays with the client"],
  ["/metadata/dataset", "values come from enumerations and global metadata"],
  ["/metadata/migration", "fields are changed by writing metadata"],
  ["/metadata-field/{field-name}/allowed-values", "values come from enumerations and global metadata"],
  ["/{type}/{entity-id}/metadata/graph", "Graphviz draws it from graph/dot"],
  ["/item/{id}/metadata/export", "captions are made from the timed metadata by the client"],
  ["/{type}/site-rule", "one installation is one site"],
  ["/{type}/{entity-id}/site-rule", "one installation is one site"],
  ["/document", "documents are read by name and listed, they are not searched"],
  ["/log/export", "the trail is read in pages"],
  ["/search/optimize", "the index is part of the database and needs no tending"],
];

type Standing = "served" | "501, planned" | "left out" | "not there";

const shapeOf = (endpoint: string): string =>
  endpoint
    .replace(/\{[^}]*\}/g, "{}")
    .replace(/(?<=.)\/$/, "")
    .trim();

/** What `{type}` in the catalogue stands for. */
const types = ["item", "collection", "library"];

/** `docs/endpoints.md`: each endpoint of the reference's catalogue and whether it is there. */
export async function endpointsPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-docs-"));
  const service = await createService({
    databaseUrl: `file:${join(folder, "kinora.db")}`,
    adminPassword: "not used",
    extDir: join(folder, "ext"),
    ticking: false,
  });
  try {
    return page(service);
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

function page(service: Service): string {
  const planned = new Set(Object.values(plannedEndpoints).flat().map(shapeOf));
  const served = new Set(
    service.routes
      .filter(({ summary }) => !summary.startsWith("Planned with"))
      .map(({ method, path }) => shapeOf(`${method} ${path}`)),
  );
  const sections = Object.entries(catalogue).map(([title, endpoints]) => {
    const rows = endpoints.map((endpoint) => {
      const { standing, note } = standingOf(endpoint, served, planned);
      return [`\`${endpoint}\``, standing, note];
    });
    return `## ${title}\n\n${table(["Endpoint", "", ""], rows)}\n`;
  });
  const ownRows = service.routes
    .filter(({ summary }) => !summary.startsWith("Planned with"))
    .map(({ method, path, role, summary }) => [`\`${method} ${path}\``, role, summary]);
  return `${generatedNote}

# Endpoints

## What is served

${table(["Endpoint", "Role", ""], ownRows)}

# The reference's catalogue

Each endpoint of the reference's catalogue: served, planned (it answers 501 \`notYetImplemented\`), or left out on
purpose (404).

${sections.join("\n")}`;
}

function standingOf(
  endpoint: string,
  served: ReadonlySet<string>,
  planned: ReadonlySet<string>,
): { readonly standing: Standing; readonly note: string } {
  const asked = endpoint.includes(" /{type}") ? types.map((type) => endpoint.replace("{type}", type)) : [endpoint];
  const found = asked.filter((one) => served.has(shapeOf(one)));
  if (found.length > 0) {
    const note = endpoint.includes(" /{type}")
      ? `for ${types.filter((_, i) => found.includes(asked[i] ?? "")).join(", ")}`
      : "";
    return { standing: "served", note };
  }
  const path = endpoint.split(" ")[1] ?? "";
  const reason = leftOut.find(([begin]) => path.startsWith(begin))?.[1];
  if (reason !== undefined) return { standing: "left out", note: reason };
  if (asked.some((one) => planned.has(shapeOf(one)))) return { standing: "501, planned", note: "" };
  return { standing: "not there", note: "" };
}
