/** What every module of a Worker can import: bindings, and the way to let work outlive its request. */
declare module "cloudflare:workers" {
  export const env: Readonly<Record<string, unknown>>;
  export function waitUntil(work: Promise<unknown>): void;
}
