/** The baseline: the same answer from bare hono, on Node or on Deno. */
import { Hono } from "hono";

const app = new Hono().get("/API/whoami", (context) => context.text("admin"));
const port = Number(process.argv[2]);

if ("Deno" in globalThis) {
  const { Deno } = globalThis as unknown as {
    Deno: { serve(options: object, handler: (request: Request) => Response | Promise<Response>): unknown };
  };
  Deno.serve({ port, hostname: "127.0.0.1", onListen: () => console.log(`ready http://127.0.0.1:${port}`) }, app.fetch);
} else {
  const { serve } = await import("@hono/node-server");
  serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log(`ready http://127.0.0.1:${port}`));
}
