import { KinoraError } from "../errors.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import type { Store } from "../store/store.ts";
import { checkAuthConfiguration, type OAuth2Configuration, OAuth2ConfigurationDocument } from "./auth-configuration.ts";
import { deleteDocument, putDocument, readDocument } from "./configuration.ts";

/** Name under which the document is stored and plugins read it. */
export const authDocument = "auth";

/** The bearer filter as `security.ini` configures it. */
export interface ConfiguredAuth {
  /** Whether the API may read and change the configuration. Without a filter: `true`. */
  readonly allowConfigUpdate: boolean;
  /** What counts while nothing is stored. */
  readonly document: OAuth2Configuration;
}

export interface AuthConfigurationDeps {
  readonly store: Store;
  readonly configured: () => ConfiguredAuth;
  /** Says what is wrong with certificates and keys: one sentence each. */
  readonly checkKeys?: (configuration: OAuth2Configuration) => Promise<readonly string[]>;
}

/**
 * `/configuration/auth`: what is put replaces the values of `security.ini` on every instance within 5 s; deleting it
 * goes back to them. The client secret is never shown: it has to be sent with each PUT.
 */
export function authConfigurationRoutes({ store, configured, checkKeys }: AuthConfigurationDeps): RouteTable {
  const route = routes();
  const path = "/configuration/auth";
  const role = "_administrator";

  function requireAllowed(): void {
    if (configured().allowConfigUpdate) return;
    throw new KinoraError("forbidden", {
      explanation: "security.ini sets allowConfigUpdate of the bearer filter to false",
    });
  }

  route.get(
    path,
    { summary: "Read how bearer tokens are validated", role, output: OAuth2ConfigurationDocument, etag: true },
    async () => {
      requireAllowed();
      const stored = (await readDocument(store, authDocument)) as OAuth2Configuration | undefined;
      return withoutSecret(stored ?? configured().document);
    },
  );

  route.put(
    path,
    {
      summary: "Replace how bearer tokens are validated",
      role,
      input: OAuth2ConfigurationDocument,
      output: OAuth2ConfigurationDocument,
    },
    async (request) => {
      requireAllowed();
      checkAuthConfiguration(request.body);
      const [problem] = (await checkKeys?.(request.body)) ?? [];
      if (problem !== undefined) throw new KinoraError("invalid-input", { context: "auth", explanation: problem });
      const change = request.change();
      putDocument(store, change, authDocument, request.body);
      store.versions.bump(change, "security");
      await change.commit();
      return withoutSecret(request.body);
    },
  );

  route.delete(
    path,
    { summary: "Go back to what security.ini says of bearer tokens", role, output: "none" },
    async (request) => {
      requireAllowed();
      const change = request.change();
      deleteDocument(store, change, authDocument);
      store.versions.bump(change, "security");
      await change.commit();
    },
  );

  return route;
}

function withoutSecret(configuration: OAuth2Configuration): OAuth2Configuration {
  const { clientSecret: _, ...rest } = configuration;
  return rest;
}
