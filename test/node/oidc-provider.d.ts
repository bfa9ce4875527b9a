/** The part of oidc-provider that the tests use; the package has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Saved {
    save(): Promise<string>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: unknown);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    readonly Client: { find(id: string): Promise<unknown> };
    readonly Grant: new (
      properties: object,
    ) => Saved & { addOIDCScope(scope: string): void };
    readonly AccessToken: new (
      properties: object,
    ) => Saved;
  }
}
